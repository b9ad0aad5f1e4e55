#!/usr/bin/env bash
# How much a fault in the service could reach, as systemd counts it: the unit as it is, and with each of its drop-ins.
#   scripts/exposure.sh                    all of them; exits with 1 if one is over its limit
#   scripts/exposure.sh DROP-IN LIMIT      one ('none': the unit alone); the limit is in tenths, 12 is an exposure of 1.2

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
command -v systemd-analyze >/dev/null || fail "$EX_UNAVAILABLE" "no systemd-analyze here; apt-get install systemd"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# exposure DROP-IN LIMIT
exposure() {
  local unit=$folder/$1/dailymetricd.service output code=0
  mkdir -p "$unit.d"
  cp "${UNIT:-packaging/systemd/dailymetricd.service}" "$unit"
  [[ $1 == none ]] || cp "packaging/systemd/$1.conf" "$unit.d/"
  output=$(systemd-analyze security --offline=yes --no-pager --threshold="$2" "$unit" 2>&1) || code=1
  printf '%-12s at most %s.%s: %s\n' "$1" "$(($2 / 10))" "$(($2 % 10))" \
    "$(sed -n 's/.*exposure level[^:]*: \([0-9.]* [A-Z]*\).*/\1/p' <<<"$output")"
  return "$code"
}

if (($# == 2)); then
  exposure "$1" "$2"
else
  failed=0
  exposure none 12 || failed=1
  exposure tcp 12 || failed=1
  exposure socket-only 3 || failed=1
  exit "$failed"
fi
