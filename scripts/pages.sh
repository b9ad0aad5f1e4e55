#!/usr/bin/env bash
# The pages whose queries are run: what they print is what the database answers.
#   scripts/pages.sh check [PAGE...]    (the default) exits with 1 and a diff if an answer is another one than the page says
#   scripts/pages.sh update [PAGE...]   writes the answers anew
# In order of the page: a block of sh is run in this folder, with the built programs in reach and an empty database as libpq's;
# the answer to a block of sql, from psql with docs/examples/psqlrc, is what the block of text after it must say.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
[[ -n ${DAILYMETRICD_TEST_CLUSTER:-} ]] || exec scripts/throwaway-postgres.sh "$0" "$@"
forget_callers_database
require_postgres

action=${1:-check}
(($# == 0)) || shift
(($#)) || set -- docs/analysts.md docs/why-not-zero.md
[[ $action == check || $action == update ]] || fail "$EX_USAGE" "which action? check or update, not $action"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Reads the page on stdin and writes it with the answers of its blocks.
answered() {
  local line kind='' block='' expects=''
  while IFS= read -r line; do
    if [[ -z $kind && $line == '```'* ]]; then
      kind=${line#'```'}
      block=''
      # The old answer is left out, the new one takes its place.
      printf '%s\n' "$line"
      if [[ $kind == text && -n $expects ]]; then
        kind=answer
        cat "$work/answer"
      fi
      kind=${kind:-plain}
    elif [[ -n $kind && $line == '```' ]]; then
      printf '%s\n' "$line"
      expects=''
      case $kind in
      sh) run_shell "$block" >&2 ;;
      sql)
        psql --quiet --set ON_ERROR_STOP=1 --set user="$person" --username="$role" <<<"$block" >"$work/answer" ||
          fail 1 "a query of $page failed: $block"
        sed -i -e 's/[[:space:]]*$//' -e '/^$/d' "$work/answer"
        expects=yes
        ;;
      esac
      kind=''
    elif [[ $kind == answer ]]; then
      continue
    else
      [[ -z $kind ]] || block+=$line$'\n'
      printf '%s\n' "$line"
    fi
  done
}

run_shell() { bash -euo pipefail -c "$1" || fail 1 "a command of $page failed: $1"; }

play() {
  local database
  page=$1
  # As whom the page asks, and of whom: <!-- role: NAME --> and \set user '...'.
  role=$(sed -n 's/^<!-- role: \(.*\) -->$/\1/p' "$page")
  role=${role:-postgres}
  person=$(sed -n "s/.*\\\\set user '\([0-9a-f-]*\)'.*/\1/p" "$page")
  database=page_$(basename "$page" .md | tr - _)
  migrated_database "$database"
  read -r PGHOST PGPORT < <(sed -E 's/.*host=([^ ]+).*port=([0-9]+).*/\1 \2/' <<<"$DAILYMETRICD_TEST_CLUSTER")
  export PGHOST PGPORT PGUSER=postgres PGDATABASE=$database PSQLRC=$root/docs/examples/psqlrc PGOPTIONS='-c client_min_messages=warning'
  export PAGE_FOLDER=$work PATH=$root/.build/debug:$pg_bin:$PATH
  answered <"$page" >"$work/page.md"
  if [[ $action == update ]]; then
    cat "$work/page.md" >"$page"
    say "Wrote $page."
    return
  fi
  diff -u "$page" "$work/page.md" ||
    fail 1 "the database answers something else than $page says; if that is meant, scripts/pages.sh update $page"
  say "$page: every answer is the database's."
}

for page in "$@"; do
  play "$page"
done
