#!/usr/bin/env python3
"""Compares schema/payload.schema.json with the decoder, payload by payload, and schema/delivery.schema.json with the fixtures.

    scripts/check-schema.py [CORPUS]

CORPUS has one line for each payload: {"payload": ..., "codes": [what the decoder finds wrong, empty if nothing]}. Without it
the tests write one (swift test --filter SchemaTests, into $SCHEMA_CORPUS). Needs the package jsonschema.
Exits with 1 if the decoder takes without complaint what the schema refuses, or calls malformed what the schema takes, unless
the tables below say why; an entry of the tables that nothing needs is an error too.
"""
import collections
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Taken without complaint although the schema refuses it: place of the schema's complaint, what it complains of, why.
LENIENT = [
    (r".*", "null", "null counts as missing wherever a field may be missing"),
    (r"/read/mode", "enum", "a newer client's word for its mode is taken as the usual read"),
    (r"/permissions/\d+", "required", "a permission without a metric is about all metrics"),
    (r"/days/\d+/unit", "type", "a unit beside an outcome without a value is not read"),
    (r"/deletions/\d+/(metric|start|end)", "type|format", "a deletion by id says all that it has to"),
    (r"/windows/\d+/(instant|first_grant_at|history_permission|own_data)", "type|format",
     "what belongs to another kind of window is not read"),
]

# Called malformed although the schema takes it: code, why the schema cannot say so.
STRICT = {
    "missing_field": "which fields are required depends on the kind of a window and on the origin",
    "invalid_field": "the schema compares no two fields and knows no last year",
}

# Codes about meaning, of which a schema of forms knows nothing.
MEANING = set("""unknown_platform unknown_metric unknown_unit date_in_future date_too_old never_read missing_value unexpected_value
 impossible_zero out_of_range unknown_time_zone user_mismatch""".split())

FORMATS = jsonschema.FormatChecker(formats=[])


@FORMATS.checks("uuid")
def is_uuid(text):
    return not isinstance(text, str) or re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", text) is not None


@FORMATS.checks("date", raises=ValueError)
def is_date(text):
    if isinstance(text, str):
        if len(text) != 10:
            raise ValueError(text)
        datetime.date.fromisoformat(text)
    return True


@FORMATS.checks("date-time", raises=ValueError)
def is_instant(text):
    if isinstance(text, str):
        if not re.fullmatch(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)", text):
            raise ValueError(text)
        datetime.datetime.fromisoformat(text[:19])
    return True


def complaints(validator, payload):
    """Place, kind and value of each complaint of the schema."""
    for error in validator.iter_errors(payload):
        place = "".join(f"/{part}" for part in error.absolute_path)
        yield place, "null" if error.instance is None else error.validator, error


def excuse(place, kind):
    """The index of the first leniency that covers a complaint, or None."""
    for index, (where, kinds, _) in enumerate(LENIENT):
        if re.fullmatch(kinds, kind) and re.fullmatch(where, place):
            return index
    return None


def write_corpus(path):
    command = ["swift", "test", "--filter", "SchemaTests"]
    run = subprocess.run(command, cwd=ROOT, env={**os.environ, "SCHEMA_CORPUS": path}, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"check-schema.py: the corpus could not be written: {' '.join(command)} ended with {run.returncode}\n{run.stdout[-2000:]}")


def delivery_faults():
    """What the schema of deliveries finds in the fixtures of the formats, but in those that are refused as a whole."""
    schema = json.loads((ROOT / "schema/delivery.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema, format_checker=FORMATS)
    for path in sorted((ROOT / "Tests/ProviderFormatsTests/fixtures").glob("*/*.json")):
        fixture = json.loads(path.read_text(encoding="utf-8"))
        if "dead" not in fixture:
            yield from (f"{path.relative_to(ROOT)}: {error.message[:80]}" for error in validator.iter_errors(fixture["delivery"]))


def main(arguments):
    if len(arguments) > 1:
        sys.exit(__doc__)
    path = arguments[0] if arguments else os.path.join(tempfile.mkdtemp(), "corpus.ndjson")
    if not arguments:
        write_corpus(path)
    schema = json.loads((ROOT / "schema/payload.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema, format_checker=FORMATS)
    used, faults, count = collections.Counter(), [], collections.Counter()
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            case = json.loads(line)
            found = list(complaints(validator, case["payload"]))
            codes = {code.split()[1] for code in case["codes"]}
            count[bool(found), bool(codes)] += 1
            if found and not codes:
                for place, kind, error in found:
                    index = excuse(place, kind)
                    used["lenient", index] += 1
                    if index is None:
                        faults.append(f"line {number}: the decoder takes what the schema refuses: {place} {kind}: {error.message[:80]}")
            if codes and not found:
                for code in codes - MEANING:
                    used["strict", code] += 1
                    if code not in STRICT:
                        faults.append(f"line {number}: the schema takes what the decoder refuses: {' '.join(case['codes'])}")
    faults += [f"nothing needs this leniency any more: {entry}" for index, entry in enumerate(LENIENT) if not used["lenient", index]]
    faults += [f"nothing needs this strictness any more: {code}" for code in STRICT if not used["strict", code]]
    faults += delivery_faults()
    if faults:
        print("\n".join(faults[:40]))
    print(f"{count[False, False]} payloads taken by both, {count[True, True]} refused by both, {count[True, False]} by the schema alone, "
          f"{count[False, True]} by the decoder alone; {len(faults)} faults")
    return 1 if faults or min(count[False, False], count[True, True]) < 100 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
