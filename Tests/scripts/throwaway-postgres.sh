#!/usr/bin/env bash
# The Postgres of a test run: there for one command, gone afterwards.

source "$(dirname "${BASH_SOURCE[0]}")/support/tap.sh"
trap 'rm -rf "$DAILYMETRICD_STATE"' EXIT

throwaway=scripts/throwaway-postgres.sh

leaves_nothing() {
  local folder
  # shellcheck disable=SC2016  # The inner shell expands it.
  folder=$("$throwaway" bash -c 'set -- $DAILYMETRICD_TEST_CLUSTER; echo "${1#host=}"') || return
  printf '%s\n' "$folder"
  [[ $folder == /* && ! -e $folder ]]
}
# shellcheck disable=SC2016
nested() { "$throwaway" "$throwaway" bash -c '[[ -n $DAILYMETRICD_TEST_CLUSTER ]]'; }

ok 'the command can reach it' "$throwaway" bash -c \
  'source scripts/lib.sh; require_postgres; on_test_cluster postgres -c "SELECT 1"'
# shellcheck disable=SC2016
ok "a database of the caller's own is forgotten" \
  env PGHOST=/nowhere DAILYMETRICD_DSN=host=/nowhere DAILYMETRICD_CONFIG=/nowhere CREDENTIALS_DIRECTORY=/nowhere "$throwaway" \
  bash -c '[[ -z ${PGHOST+x}${DAILYMETRICD_DSN+x}${DAILYMETRICD_CONFIG+x}${CREDENTIALS_DIRECTORY+x} ]]'
ok "the command's exit code is its own" fails_with 3 "$throwaway" bash -c 'exit 3'
ok 'nothing is left' leaves_nothing
ok 'a run inside a run uses the outer one' nested
ok 'without a command it says 64' fails_with 64 "$throwaway"
done_testing
