"""Workers as a team may write them with a library that keeps its queue in Postgres. Only the benchmarks start them.

    queues.py pgqueuer | procrastinate | pgmq   CONNECTION-STRING   AS-OF

What waits in intake.sync_payload is enqueued the library's own way first, which is not measured. Then the library runs a handler for
each payload, as it is meant to be used: several at a time, each in a transaction of its own. pgmq is only SQL, so its worker is one of
ours: 64 payloads are read, merged and deleted in one transaction.
"""

import asyncio
import contextlib
import datetime
import importlib.resources
import json
import logging
import random
import sys
import time

import psycopg
import psycopg_pool

from handler import METRICS, PLATFORMS, Handler, Payload, server_time, wait_to_begin

OPTIONS = {"application_name": "bench-worker", "options": "-c jit=off -c timezone=UTC"}
AT_A_TIME = 10
WAITING = "SELECT received_at, payload FROM intake.sync_payload ORDER BY user_id, id"
PROCESSES = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'bench-worker'"


class Meter:
    """What the client and the server's processes of all its connections spend from `start` to `stop`."""

    def __init__(self, dsn):
        self.connection = psycopg.connect(dsn, autocommit=True)
        self.cells = 0

    def spent(self):
        processes = [row[0] for row in self.connection.execute(PROCESSES)]
        return time.perf_counter(), time.process_time(), {p: server_time([p]) for p in processes}

    def start(self):
        wait_to_begin()
        self.cells = 0
        self.begun = self.spent()

    def stop(self):
        wall, client, server = self.spent()
        # A connection that the library made meanwhile began at nothing.
        of_server = sum(seconds - self.begun[2].get(process, 0) for process, seconds in server.items())
        return {"cells": self.cells, "seconds": wall - self.begun[0], "client": client - self.begun[1], "server": of_server}


class Work:
    """The same work as the other peers', for one payload or some, in a transaction of its own."""

    def __init__(self, dsn, as_of):
        self.dsn = dsn
        self.meter = Meter(dsn)
        catalogue = self.meter.connection
        self.waiting = [(at.isoformat(), text) for at, text in catalogue.execute(WAITING)]
        self.handler = Handler(catalogue.execute(PLATFORMS).fetchall(), catalogue.execute(METRICS).fetchall(), as_of)

    def pool(self):
        """Connections that have made their plans: there are several, and each would make its own while it is measured."""
        return psycopg_pool.AsyncConnectionPool(
            self.dsn, kwargs=OPTIONS, min_size=AT_A_TIME, max_size=AT_A_TIME, open=False, configure=self.warm)

    async def warm(self, connection):
        for job in random.sample(self.waiting, min(6, len(self.waiting))):
            await self.merge(connection, [job])
            await connection.rollback()

    async def merge(self, connection, jobs):
        payloads = [Payload(datetime.datetime.fromisoformat(at), text) for at, text in jobs]
        async with connection.cursor() as cursor:
            await cursor.execute(*self.handler.receipts(payloads))
            new = self.handler.new(payloads, await cursor.fetchall())
            for statement in self.handler.work(new):
                await cursor.execute(*statement)
        self.meter.cells += sum(len(p.days) for p in payloads)


async def pgqueuer(work):
    from pgqueuer import PgQueuer
    from pgqueuer.models import Job
    from pgqueuer.types import QueueExecutionMode

    async with contextlib.AsyncExitStack() as stack:
        connection = await stack.enter_async_context(
            await psycopg.AsyncConnection.connect(work.dsn, autocommit=True, **OPTIONS))
        queue = PgQueuer.from_psycopg_connection(connection)
        await queue.qm.queries.install()
        jobs = [json.dumps(job).encode() for job in work.waiting]
        await queue.qm.queries.enqueue(["sync"] * len(jobs), jobs, [0] * len(jobs))
        pool = await stack.enter_async_context(work.pool())

        @queue.entrypoint("sync")
        async def sync(job: Job) -> None:
            async with pool.connection() as one:
                await work.merge(one, [json.loads(job.payload)])

        await pool.wait()
        work.meter.start()
        await queue.run(batch_size=AT_A_TIME, mode=QueueExecutionMode.drain)
        return work.meter.stop()


async def procrastinate(work):
    from procrastinate import App, PsycopgConnector

    app = App(connector=PsycopgConnector(conninfo=work.dsn, kwargs=OPTIONS, min_size=1, max_size=AT_A_TIME))
    async with app.open_async(), work.pool() as pool:
        await app.schema_manager.apply_schema_async()

        @app.task(name="sync")
        async def sync(job) -> None:
            async with pool.connection() as one:
                await work.merge(one, [job])

        await sync.batch_defer_async(*[{"job": job} for job in work.waiting])
        await pool.wait()
        work.meter.start()
        await app.run_worker_async(
            wait=False, concurrency=AT_A_TIME, delete_jobs="successful", install_signal_handlers=False, listen_notify=False)
        return work.meter.stop()


async def pgmq(work):
    async with await psycopg.AsyncConnection.connect(work.dsn, **OPTIONS) as connection:
        # As text: a query with parameters takes one statement only.
        await connection.execute(importlib.resources.files("pgmq").joinpath("sql/pgmq.sql").read_text().encode())
        await connection.execute("SELECT pgmq.create('sync')")
        for job in work.waiting:
            await connection.execute("SELECT pgmq.send('sync', %s::jsonb)", (json.dumps(job),))
        await connection.commit()
        await work.warm(connection)
        work.meter.start()
        while True:
            rows = await (await connection.execute("SELECT msg_id, message FROM pgmq.read('sync', 30, 64)")).fetchall()
            if not rows:
                return work.meter.stop()
            await work.merge(connection, [message for _, message in rows])
            await connection.execute("SELECT pgmq.delete('sync', %s::bigint[])", ([number for number, _ in rows],))
            await connection.commit()


def main(name, dsn, as_of):
    logging.disable(logging.WARNING)
    work = Work(dsn, datetime.datetime.fromisoformat(as_of))
    answer = asyncio.run({"pgqueuer": pgqueuer, "procrastinate": procrastinate, "pgmq": pgmq}[name](work))
    if answer["cells"] != sum(len(json.loads(text)["days"]) for _, text in work.waiting):
        sys.exit(f"{name}: {answer['cells']} cells of {len(work.waiting)} payloads")
    print(json.dumps(answer))


main(*sys.argv[1:4])
