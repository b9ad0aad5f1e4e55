"""Puts one sync payload into the queue. Needs psycopg 3; libpq's environment (PGHOST, PGSERVICE, ...) says where.

    python3 producer.py
"""
import json
import time
import uuid

import psycopg

PERSON = "4f9d1c2e-0b7a-4c1d-9e55-6a0c8c2b1f10"


def payload(payload_id):
    """What one read found out. A day without a number says so in words: there is no key to forget."""
    return {
        "schema": "dailymetricd.sync/1",
        "payload_id": str(payload_id),
        "user_id": PERSON,
        "origin": {"platform": "health_connect", "store": "phone-1"},
        "read": {"read_at": "2026-11-28T07:00:00Z"},
        "days": [
            {"metric": "steps", "local_date": "2026-11-26", "outcome": "value", "value": 8412, "sources": ["Watch"]},
            {"metric": "steps", "local_date": "2026-11-27", "outcome": "failed", "code": "HealthConnectException.8"},
        ],
    }


def enqueue(user, text, attempts=5):
    """Sends the same text until the server has it. Twice is harmless: the payload_id in it is the same."""
    for attempt in range(attempts):
        try:
            with psycopg.connect() as connection:
                connection.execute("SELECT enqueue_sync_payload(%s, %s)", (user, text))
            return
        except psycopg.OperationalError:
            if attempt == attempts - 1:
                raise
            time.sleep(2**attempt)


if __name__ == "__main__":
    enqueue(PERSON, json.dumps(payload(uuid.uuid5(uuid.NAMESPACE_URL, "sync of 2026-11-28"))))
