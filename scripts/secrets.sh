#!/usr/bin/env bash
# Looks for secrets in the files of the project. Prints FILE:LINE: KIND for each, and exits with 1 if there is one.
#   scripts/secrets.sh [DIRECTORY]      the project by default; wants scripts/setup.sh test
# What is none and looks like one: made-up passwords of tests, ids of records, and the name of a credential's file.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

readonly scanner=$root/.venv/bin/detect-secrets
[[ -x $scanner ]] || fail "$EX_UNAVAILABLE" "$scanner is missing; run scripts/setup.sh test"
cd "${1:-$root}"

# Knows what git does not keep; elsewhere all files are looked at.
scope=()
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || scope=(--all-files)
report=$(mktemp)
trap 'rm -f "$report"' EXIT
"$scanner" scan --no-verify "${scope[@]}" --exclude-files '(^|/)\.(build|venv|dailymetricd|swiftpm|git)/' \
  --exclude-lines 'hunter2|k3y|open-sesame|password_encryption|"password=x"|f47ac10b|passwordName = "dailymetricd\.password"' . >"$report"
"$root/.venv/bin/python" - "$report" <<'PYTHON'
import json, sys

found = [(name, item["line_number"], item["type"]) for name, items in json.load(open(sys.argv[1]))["results"].items() for item in items]
for name, line, kind in sorted(found):
    print(f"{name}:{line}: looks like a secret ({kind}); take it out, and if it is one, make it worthless")
sys.exit(1 if found else 0)
PYTHON
