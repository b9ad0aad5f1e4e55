"""A worker as a team may write it in Python with psycopg 3, beside which the daemon is measured. Only `Benchmarks bound` starts it.

    worker.py unnest | executemany | rows   CONNECTION-STRING   AS-OF

It does the same work, by the same SQL functions where they take what it has: receipts, origins, zones, permissions, readings,
derivation. What the daemon does beyond that it leaves out: persons' locks, fair turns, quarantine, dead letters, the journal.

    unnest       64 payloads in a transaction, one array for each column
    executemany  64 payloads in a transaction, readings row by row in one pipeline, judged here
    rows         a transaction for each payload, a round trip for each reading, judged here
"""

import datetime
import hashlib
import json
import sys
import time
import uuid
import zoneinfo

import psycopg

MODE, DSN, AS_OF = sys.argv[1], sys.argv[2], datetime.datetime.fromisoformat(sys.argv[3])
PAYLOADS = 1 if MODE == "rows" else 64

CLAIM = """
    DELETE FROM intake.sync_payload q USING (
      SELECT user_id, id FROM intake.sync_payload ORDER BY user_id, id LIMIT %s FOR UPDATE SKIP LOCKED) c
    WHERE q.user_id = c.user_id AND q.id = c.id RETURNING q.received_at, q.payload"""
RECEIPTS = """
    SELECT ordinal, verdict FROM intake.take_receipts(%s::uuid[], %s::uuid[], %s::bytea[], %s::timestamptz[], %s::timestamptz[],
      %s::text[], %s::integer[], %s::integer[], %s::boolean[], %s)"""
ORIGINS = """
    SELECT evidence.note_origins(%s::uuid[], %s::smallint[], %s::text[], %s::timestamptz[], %s::boolean[], %s::integer[], %s)"""
ZONES = """
    SELECT evidence.note_time_zones(%s::uuid[], %s::timestamptz[], %s::timestamptz[], %s::uuid[], %s::integer[], %s::text[], %s)"""
PERMISSIONS = """
    SELECT evidence.note_permissions(%s::uuid[], %s::smallint[], %s::text[], %s::smallint[], %s::timestamptz[], %s::uuid[],
      %s::integer[], %s::text[], %s::timestamptz[], %s)"""
MERGE = """
    SELECT evidence.merge_readings(%s::uuid[], %s::smallint[], %s::text[], %s::uuid[], %s::timestamptz[], %s::integer[],
      %s::smallint[], %s::date[], %s::integer[], %s::text[], %s::text[], %s::text[], %s::text[], %s::boolean[], %s::boolean[], %s)"""
READING = """
    INSERT INTO evidence.reading AS r (user_id, local_date, metric_id, platform_id, store, slot, read_at, payload_id, "position",
      outcome, value, sources, place, permission, is_over, is_proven)
    VALUES (%s, %s, %s, %s, '', 'value', %s, %s, %s, 'value', %s, %s, 'inside', %s::evidence.permission_state, %s, true)
    ON CONFLICT (user_id, local_date, metric_id, platform_id, store, slot) DO UPDATE SET
      read_at = excluded.read_at, payload_id = excluded.payload_id, "position" = excluded."position", value = excluded.value,
      sources = excluded.sources, permission = excluded.permission, is_over = excluded.is_over
    WHERE (r.read_at, r.payload_id, r."position") < (excluded.read_at, excluded.payload_id, excluded."position")"""
TRACKING = "SELECT evidence.note_tracking(%s::uuid[], %s::smallint[], %s::smallint[], %s::text[], %s::date[], %s)"
DERIVE = "SELECT evidence.derive(%s::uuid[], %s::date[], %s, false)"


class Payload:
    """A payload at the boundary: its identifiers, times and dates are what they claim to be, or it raises."""

    def __init__(self, received_at, text):
        self.received_at = received_at
        self.digest = hashlib.blake2b(text.encode(), digest_size=16).digest()
        self.body = json.loads(text, parse_float=str)
        self.user = uuid.UUID(self.body["user_id"])
        self.id = uuid.UUID(self.body["payload_id"])
        self.read_at = min(datetime.datetime.fromisoformat(self.body["read"]["read_at"]), received_at)
        self.days = [(n, d, datetime.date.fromisoformat(d["local_date"])) for n, d in enumerate(self.body["days"])]
        for _, day, _ in self.days:
            if day["outcome"] != "value" or not 0 < float(day["value"]) < 1e12:
                raise ValueError("this worker knows values only")

    def is_over(self, date):
        zone = zoneinfo.ZoneInfo(self.body["time_zones"][-1]["iana"])
        return self.read_at >= datetime.datetime.combine(date + datetime.timedelta(days=1), datetime.time(), zone)


class Worker:
    def __init__(self, connection):
        self.cursor = connection.cursor()
        self.platforms = dict(self.cursor.execute("SELECT platform, platform_id FROM public.platform").fetchall())
        self.metrics = dict(self.cursor.execute("SELECT metric, metric_id FROM public.metric").fetchall())

    def step(self):
        """One transaction's work. Returns how many cells the queue had for it; None: it is empty."""
        claimed = self.cursor.execute(CLAIM, (PAYLOADS,)).fetchall()
        if not claimed:
            return None
        payloads = [Payload(*row) for row in claimed]
        new = self.take_receipts(payloads)
        if new:
            self.note(new)
            if MODE == "unnest":
                self.merge(new)
            else:
                self.merge_row_by_row(new)
            touched = sorted({(p.user, date) for p in new for _, _, date in p.days})
            self.cursor.execute(DERIVE, ([t[0] for t in touched], [t[1] for t in touched], AS_OF))
        return sum(len(p.days) for p in payloads)

    def take_receipts(self, payloads):
        rows = self.cursor.execute(RECEIPTS, (
            [p.user for p in payloads], [p.id for p in payloads], [p.digest for p in payloads],
            [p.received_at for p in payloads], [p.read_at for p in payloads], ["merged"] * len(payloads),
            [len(p.days) for p in payloads], [0] * len(payloads), [False] * len(payloads), AS_OF)).fetchall()
        return [payloads[ordinal - 1] for ordinal, verdict in rows if verdict == "new"]

    def platform(self, payload):
        return self.platforms[payload.body["origin"]["platform"]]

    def note(self, new):
        self.cursor.execute(ORIGINS, (
            [p.user for p in new], [self.platform(p) for p in new], [""] * len(new), [p.read_at for p in new],
            [True] * len(new), [p.body["origin"].get("os_major") for p in new], AS_OF))
        zones = [(p, n, z) for p in new for n, z in enumerate(p.body["time_zones"])]
        self.cursor.execute(ZONES, (
            [p.user for p, _, _ in zones], [datetime.datetime.fromisoformat(z["from"]) for _, _, z in zones],
            [p.read_at for p, _, _ in zones], [p.id for p, _, _ in zones], [n for _, n, _ in zones],
            [z["iana"] for _, _, z in zones], AS_OF))
        states = [(p, n, s) for p in new for n, s in enumerate(p.body["permissions"])]
        self.cursor.execute(PERMISSIONS, (
            [p.user for p, _, _ in states], [self.platform(p) for p, _, _ in states], [""] * len(states),
            [0 if s["metric"] is None else self.metrics[s["metric"]] for _, _, s in states],
            [p.read_at for p, _, _ in states], [p.id for p, _, _ in states], [n for _, n, _ in states],
            [s["state"] for _, _, s in states], [None] * len(states), AS_OF))

    def merge(self, new):
        entries = [(number, n, day, date) for number, p in enumerate(new, 1) for n, day, date in p.days]
        self.cursor.execute(MERGE, (
            [p.user for p in new], [self.platform(p) for p in new], [""] * len(new), [p.id for p in new],
            [p.read_at for p in new], [e[0] for e in entries], [self.metrics[e[2]["metric"]] for e in entries],
            [e[3] for e in entries], [e[1] for e in entries], [e[2]["outcome"] for e in entries],
            [str(e[2]["value"]) for e in entries], ["{" + ",".join(map(json.dumps, e[2]["sources"])) + "}" for e in entries],
            [None] * len(entries), [e[2].get("complete") for e in entries], [True] * len(entries), AS_OF))

    def merge_row_by_row(self, new):
        rows = [
            (p.user, date, self.metrics[day["metric"]], self.platform(p), p.read_at, p.id, n, str(day["value"]),
             day["sources"], p.body["permissions"][-1]["state"], p.is_over(date))
            for p in new for n, day, date in p.days]
        if MODE == "executemany":
            self.cursor.executemany(READING, rows)
        else:
            for row in rows:
                self.cursor.execute(READING, row)
        first = {}
        for user, date, metric, platform, *_ in rows:
            key = (user, metric, platform)
            first[key] = min(first.get(key, date), date)
        self.cursor.execute(TRACKING, (
            [k[0] for k in first], [k[1] for k in first], [k[2] for k in first], [""] * len(first), list(first.values()), AS_OF))


def main():
    with psycopg.connect(DSN, application_name="bench-worker", options="-c jit=off -c timezone=UTC") as connection:
        worker = Worker(connection)
        connection.commit()
        process = connection.info.backend_pid

        def server_time():
            with open(f"/proc/{process}/schedstat", encoding="ascii") as file:
                return int(file.read().split()[0]) / 1e9

        server, client, start, cells = server_time(), time.process_time(), time.perf_counter(), 0
        while (count := worker.step()) is not None:
            connection.commit()
            cells += count
        seconds = time.perf_counter() - start
        spent = {"client": time.process_time() - client, "server": server_time() - server}
    print(json.dumps({"cells": cells, "seconds": seconds} | spent))


main()
