"""A worker as a team may write it in Python with psycopg 3, beside which the daemon is measured. Only the benchmarks start it.

    worker.py unnest | executemany | rows   CONNECTION-STRING   AS-OF

    unnest       64 payloads in a transaction, one array for each column
    executemany  64 payloads in a transaction, readings row by row in one pipeline, judged here
    rows         a transaction for each payload, a round trip for each reading, judged here
"""

import datetime
import json
import sys
import time

import psycopg

from handler import METRICS, PLATFORMS, READING, Handler, Payload, server_time, wait_to_begin

CLAIM = """
    DELETE FROM intake.sync_payload q USING (
      SELECT user_id, id FROM intake.sync_payload ORDER BY user_id, id LIMIT %s FOR UPDATE SKIP LOCKED) c
    WHERE q.user_id = c.user_id AND q.id = c.id RETURNING q.received_at, q.payload"""


class Worker:
    def __init__(self, connection, mode, as_of):
        self.cursor = connection.cursor()
        self.mode = mode
        self.payloads = 1 if mode == "rows" else 64
        self.handler = Handler(self.cursor.execute(PLATFORMS).fetchall(), self.cursor.execute(METRICS).fetchall(), as_of)

    def step(self):
        """One transaction's work. Returns how many cells the queue had for it; None: it is empty."""
        claimed = self.cursor.execute(CLAIM, (self.payloads,)).fetchall()
        if not claimed:
            return None
        payloads = [Payload(*row) for row in claimed]
        verdicts = self.cursor.execute(*self.handler.receipts(payloads)).fetchall()
        new = self.handler.new(payloads, verdicts)
        if new and self.mode == "unnest":
            for statement in self.handler.work(new):
                self.cursor.execute(*statement)
        elif new:
            self.work_row_by_row(new)
        return sum(len(p.days) for p in payloads)

    def work_row_by_row(self, new):
        for statement in self.handler.notes(new):
            self.cursor.execute(*statement)
        readings = self.handler.readings(new)
        if self.mode == "executemany":
            self.cursor.executemany(READING, readings)
        else:
            for reading in readings:
                self.cursor.execute(READING, reading)
        self.cursor.execute(*self.handler.tracking(readings))
        self.cursor.execute(*self.handler.derive(new))


def main(mode, dsn, as_of):
    with psycopg.connect(dsn, application_name="bench-worker", options="-c jit=off -c timezone=UTC") as connection:
        worker = Worker(connection, mode, datetime.datetime.fromisoformat(as_of))
        connection.commit()
        # What waits now only makes the plans; what counts is enqueued by whoever says that it may begin.
        while worker.step() is not None:
            connection.commit()
        worker.cursor.execute("SELECT pg_stat_force_next_flush()")
        connection.commit()
        wait_to_begin()
        processes = [connection.info.backend_pid]
        server, client, start, cells = server_time(processes), time.process_time(), time.perf_counter(), 0
        while (count := worker.step()) is not None:
            connection.commit()
            cells += count
        seconds = time.perf_counter() - start
        spent = {"client": time.process_time() - client, "server": server_time(processes) - server}
    print(json.dumps({"cells": cells, "seconds": seconds} | spent))


main(*sys.argv[1:4])
