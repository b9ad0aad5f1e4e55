"""What every peer does with a payload: the statements of its merge and derivation, with their parameters.

The same SQL functions as the daemon's where they take what a worker has: receipts, origins, zones, permissions, readings, derivation.
What the daemon does beyond that is left out: persons' locks, fair turns, quarantine, dead letters, the journal.
"""

import datetime
import hashlib
import json
import sys
import uuid
import zoneinfo

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

PLATFORMS = "SELECT platform, platform_id FROM public.platform"
METRICS = "SELECT metric, metric_id FROM public.metric"


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


class Handler:
    """The numbers of the catalogue, and the instant that counts as now."""

    def __init__(self, platforms, metrics, as_of):
        self.platforms, self.metrics, self.as_of = dict(platforms), dict(metrics), as_of

    def receipts(self, payloads):
        return RECEIPTS, (
            [p.user for p in payloads], [p.id for p in payloads], [p.digest for p in payloads],
            [p.received_at for p in payloads], [p.read_at for p in payloads], ["merged"] * len(payloads),
            [len(p.days) for p in payloads], [0] * len(payloads), [False] * len(payloads), self.as_of)

    @staticmethod
    def new(payloads, verdicts):
        """Those that have not been there before, by the answer to their receipts."""
        return [payloads[ordinal - 1] for ordinal, verdict in verdicts if verdict == "new"]

    def work(self, new):
        """All that is to be done for new payloads, in its order."""
        return [*self.notes(new), self.merge(new), self.derive(new)] if new else []

    def platform(self, payload):
        return self.platforms[payload.body["origin"]["platform"]]

    def notes(self, new):
        zones = [(p, n, z) for p in new for n, z in enumerate(p.body["time_zones"])]
        states = [(p, n, s) for p in new for n, s in enumerate(p.body["permissions"])]
        return [
            (ORIGINS, (
                [p.user for p in new], [self.platform(p) for p in new], [""] * len(new), [p.read_at for p in new],
                [True] * len(new), [p.body["origin"].get("os_major") for p in new], self.as_of)),
            (ZONES, (
                [p.user for p, _, _ in zones], [datetime.datetime.fromisoformat(z["from"]) for _, _, z in zones],
                [p.read_at for p, _, _ in zones], [p.id for p, _, _ in zones], [n for _, n, _ in zones],
                [z["iana"] for _, _, z in zones], self.as_of)),
            (PERMISSIONS, (
                [p.user for p, _, _ in states], [self.platform(p) for p, _, _ in states], [""] * len(states),
                [0 if s["metric"] is None else self.metrics[s["metric"]] for _, _, s in states],
                [p.read_at for p, _, _ in states], [p.id for p, _, _ in states], [n for _, n, _ in states],
                [s["state"] for _, _, s in states], [None] * len(states), self.as_of)),
        ]

    def merge(self, new):
        entries = [(number, n, day, date) for number, p in enumerate(new, 1) for n, day, date in p.days]
        return MERGE, (
            [p.user for p in new], [self.platform(p) for p in new], [""] * len(new), [p.id for p in new],
            [p.read_at for p in new], [e[0] for e in entries], [self.metrics[e[2]["metric"]] for e in entries],
            [e[3] for e in entries], [e[1] for e in entries], [e[2]["outcome"] for e in entries],
            [str(e[2]["value"]) for e in entries], ["{" + ",".join(map(json.dumps, e[2]["sources"])) + "}" for e in entries],
            [None] * len(entries), [e[2].get("complete") for e in entries], [True] * len(entries), self.as_of)

    def derive(self, new):
        touched = sorted({(p.user, date) for p in new for _, _, date in p.days})
        return DERIVE, ([t[0] for t in touched], [t[1] for t in touched], self.as_of)

    def readings(self, new):
        """One reading each, for those who write row by row and judge here."""
        return [
            (p.user, date, self.metrics[day["metric"]], self.platform(p), p.read_at, p.id, n, str(day["value"]),
             day["sources"], p.body["permissions"][-1]["state"], p.is_over(date))
            for p in new for n, day, date in p.days]

    def tracking(self, readings):
        first = {}
        for user, date, metric, platform, *_ in readings:
            key = (user, metric, platform)
            first[key] = min(first.get(key, date), date)
        return TRACKING, (
            [k[0] for k in first], [k[1] for k in first], [k[2] for k in first], [""] * len(first), list(first.values()), self.as_of)


def server_time(processes):
    """Seconds that these processes of the server have had the processor."""
    total = 0
    for process in processes:
        with open(f"/proc/{process}/schedstat", encoding="ascii") as file:
            total += int(file.read().split()[0])
    return total / 1e9


def wait_to_begin():
    """Says that all is ready, and waits for a line."""
    sys.stdout.write("\n")
    sys.stdout.flush()
    sys.stdin.readline()
