#!/usr/bin/env bash
# What dailymetricd export prints is what schema/export.schema.json says: of the demo's people, whose days are of all kinds.

source "$(dirname "${BASH_SOURCE[0]}")/support/tap.sh"
trap 'scripts/private-postgres.sh remove >/dev/null; rm -rf "$DAILYMETRICD_STATE"' EXIT
export DEMO_CONFIGURATION=debug

scripts/demo.sh >/dev/null 2>&1
eval "$(scripts/private-postgres.sh env)"
daemon=.build/debug/dailymetricd

check() {
  .venv/bin/python - "$@" <<'PYTHON'
import json, pathlib, sys
import jsonschema

schema = json.loads(pathlib.Path("schema/export.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
codes, cells, measured, former = set(), 0, 0, 0
for path in sys.argv[1:]:
    export = json.loads(pathlib.Path(path).read_text())
    for fault in validator.iter_errors(export):
        sys.exit(f"{path}: /{'/'.join(map(str, fault.absolute_path))}: {fault.message[:300]}")
    cells += len(export["daily_metric"])
    former += len(export["daily_metric_history"])
    for cell in export["daily_metric"]:
        measured += "value" in cell
        codes |= {c["code"] for c in cell.get("dataAbsentReason", {}).get("coding", [])}
    # What must not pass does not.
    broken = dict(export, daily_metric=[dict(export["daily_metric"][0], value=0, status="unknown")])
    if validator.is_valid(broken):
        sys.exit("a number of an unknown day passes")
print(f"{cells} cells, {measured} measured, {former} former states, codes {sorted(codes)}")
sys.exit(0 if measured > 0 and former > 0 and len(codes) >= 6 else "too little of it was there to be looked at")
PYTHON
}

export_people() {
  local user
  for user in $(psql -XAtc 'SELECT user_id FROM evidence.person ORDER BY user_id LIMIT 40'); do
    "$daemon" export "$user" --as-of 2026-11-30T12:00:00Z >"$DAILYMETRICD_STATE/$user.json" || return
  done
}

same_again() {
  local user
  user=$(psql -XAtc 'SELECT user_id FROM evidence.person ORDER BY user_id LIMIT 1')
  "$daemon" export "$user" --as-of 2026-11-30T12:00:00Z | cmp - "$DAILYMETRICD_STATE/$user.json"
}

ok 'forty people are exported' export_people
ok 'what is printed is what the schema says' check "$DAILYMETRICD_STATE"/*-*.json
ok 'in the same order each time' same_again
done_testing
