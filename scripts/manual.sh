#!/usr/bin/env bash
# Writes the README's table of settings and the tables of docs/formats.md anew, from the program's own. Tests compare them.
#   scripts/manual.sh

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
daemon=.build/debug/dailymetricd
[[ -x $daemon ]] || fail "$EX_UNAVAILABLE" "$daemon is missing; run swift build"
table=$(mktemp)
trap 'rm -f "$table" "$table.md"' EXIT
"$daemon" manual settings.md >"$table"
awk -v table="$table" '
  /^\| Flag \|/ { while ((getline line < table) > 0) print line; inside = 1 }
  !/^\|/ { inside = 0 }
  !inside' README.md >"$table.md"
cat "$table.md" >README.md

# Everything behind this line is the program's.
readonly mark='license it; empty means that the day was read and holds nothing.'
sed "/^$mark/q" docs/formats.md >"$table.md"
{
  echo
  "$daemon" formats
} >>"$table.md"
cat "$table.md" >docs/formats.md
