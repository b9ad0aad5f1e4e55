#!/usr/bin/env bash
# The schema as one reviewed file: migrations/schema.snapshot.sql.
#   scripts/snapshot.sh compare     (the default) exits with 1 and a diff if the migrations make another schema
#   scripts/snapshot.sh update      writes it anew; wants a built daemon (swift build)
# Partitions are left out, because which of them exist depends on the day; so are owners and versions.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
[[ -n ${DAILYMETRICD_TEST_CLUSTER:-} ]] || exec scripts/throwaway-postgres.sh "$0" "$@"
forget_callers_database
require_postgres

readonly snapshot=migrations/schema.snapshot.sql scratch=dailymetric_snapshot

dump() {
  local -a options=()
  local partition
  while IFS= read -r partition; do
    options+=("--exclude-table=$partition")
  done < <(on_test_cluster "$scratch" -c "SELECT oid::regclass FROM pg_class WHERE relispartition AND relkind IN ('r','p')")
  echo '-- The schema that the migrations make. Written by make snapshot, compared by make test.'
  echo '-- Longer than other files, because nobody writes it by hand.'
  "$pg_bin/pg_dump" --schema-only --no-owner "${options[@]}" \
    --dbname="$DAILYMETRICD_TEST_CLUSTER dbname=$scratch" |
    grep -vE '^(--|SET |SELECT pg_catalog\.set_config|\\(un)?restrict )' | cat -s
}

made=$(mktemp)
trap 'rm -f "$made"' EXIT
migrated_database "$scratch"
dump >"$made"

case ${1:-compare} in
update)
  cat "$made" >"$snapshot"
  say "Wrote $snapshot."
  ;;
compare)
  diff -u "$snapshot" "$made" ||
    fail 1 "the migrations make another schema than $snapshot; if that is meant, make snapshot"
  ;;
*) fail "$EX_USAGE" "use compare or update" ;;
esac
