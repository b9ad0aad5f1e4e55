#!/usr/bin/env bash
# The tests in SQL. Each file runs in a database of its own, a copy of a migrated one with pgTAP in the schema tap.
#   scripts/pgtap.sh [FILE...]      Tests/sql/*.sql by default; wants a built daemon (swift build)

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
[[ -n ${DAILYMETRICD_TEST_CLUSTER:-} ]] || exec scripts/throwaway-postgres.sh "$0" "$@"
forget_callers_database
require_postgres

readonly template=dailymetric_pgtap

# What prove calls for each file: it prints TAP.
run_one() {
  local database=pgtap_$$ code=0
  on_test_cluster postgres -c "CREATE DATABASE $database TEMPLATE $template"
  PGOPTIONS='-c search_path=public,tap' on_test_cluster "$database" --file "$1" || code=$?
  on_test_cluster postgres -c "DROP DATABASE $database"
  return "$code"
}

if [[ ${1:-} == --one ]]; then
  run_one "$2"
  exit
fi

(($#)) || set -- Tests/sql/*.sql
migrated_database "$template"
on_test_cluster "$template" -c 'CREATE SCHEMA tap' -c 'CREATE EXTENSION pgtap SCHEMA tap'
prove --failures --comments --jobs 2 --exec "$0 --one" "$@"
