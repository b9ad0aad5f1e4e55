#!/usr/bin/env bash
# The product in a few minutes: realistic input goes through the real daemon into a private Postgres, and the result is
# shown and compared with the truth.
#   scripts/demo.sh
# DEMO_SEED chooses other people, DEMO_UNTIL the last of their days; DEMO_CONFIGURATION=debug builds without optimisation.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

readonly configuration=${DEMO_CONFIGURATION:-release} seed=${DEMO_SEED:-20261128}
readonly demo=$state/demo database=${DEMO_DATABASE:-dailymetric_demo}

# The same days each time, so that two runs can be compared; but what was read in the future would be no evidence.
last_day() {
  local usual=2026-11-28 settled
  settled=$(date --utc --date='2 days ago' +%F)
  if [[ -n ${DEMO_UNTIL:-} ]]; then
    echo "$DEMO_UNTIL"
  elif [[ $usual > $settled ]]; then
    echo "$settled"
  else
    echo "$usual"
  fi
}

query() { psql --no-psqlrc --quiet --no-align --tuples-only --set ON_ERROR_STOP=1 --command "$1"; }

build() {
  headline "Building ($configuration)"
  # Only the two programs of the demo; the benchmarks can wait.
  local product
  for product in dailymetricd DemoData; do
    swift build --configuration "$configuration" --product "$product"
  done
  programs=$(swift build --configuration "$configuration" --show-bin-path)
}

open_database() {
  headline "Starting a private Postgres"
  scripts/private-postgres.sh start >/dev/null
  scripts/private-postgres.sh status
  forget_callers_database
  eval "$(scripts/private-postgres.sh env)"
  require_postgres
  PATH=$pg_bin:$PATH
  PGDATABASE=postgres PGOPTIONS='-c client_min_messages=warning' psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 \
    --command "DROP DATABASE IF EXISTS $database WITH (FORCE)" --command "CREATE DATABASE $database"
  "$programs/dailymetricd" migrate
}

enqueue_input() {
  headline "Queueing what the phones sent"
  rm -rf "$demo"
  mkdir -p "$demo"
  "$programs/DemoData" --seed "$seed" --until "$(last_day)" --out "$demo" 2>"$demo/traps.txt"
  tail -n 1 "$demo/traps.txt"
  "$programs/dailymetricd" enqueue "$demo/payloads.ndjson"
}

stop_daemon() {
  [[ -z ${daemon:-} ]] || kill -TERM "$daemon" 2>/dev/null || true
}

# Runs the daemon until the queue is empty. It is given up when nothing has moved for a minute.
work_off_queue() {
  headline "Running the daemon until the queue is empty"
  local depth last='' moved=$SECONDS started=$SECONDS
  "$programs/dailymetricd" run >"$demo/daemon.log" 2>&1 &
  daemon=$!
  trap stop_daemon EXIT
  while true; do
    depth=$(query 'SELECT count(*) FROM intake.sync_payload')
    [[ $depth == "$last" ]] || {
      printf '  %3d s   %6d payloads waiting   %6d cells\n' "$((SECONDS - started))" "$depth" \
        "$(query 'SELECT count(*) FROM daily_metric')"
      moved=$SECONDS
    }
    last=$depth
    ((depth > 0)) || break
    kill -0 "$daemon" 2>/dev/null || give_up "the daemon ended before the queue was empty"
    ((SECONDS - moved < 60)) || give_up "nothing has moved for a minute"
    sleep 1
  done
  kill -TERM "$daemon"
  wait "$daemon" || give_up "the daemon did not stop cleanly (exit code $?)"
  daemon=
  say "  The queue is empty; the daemon has stopped on SIGTERM. Its log: $demo/daemon.log"
}

give_up() {
  tail -n 20 "$demo/daemon.log" >&2
  fail 1 "$1; the log is $demo/daemon.log"
}

tour() {
  PAGER='' psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --pset footer=off --pset null=NULL --file scripts/tour.sql
  headline "Compared with the truth, which the generator knows"
  (cd "$demo" && psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --pset footer=off --file "$root/scripts/truth.sql") ||
    fail 1 'daily_metric is not what the truth allows; make psql to look at it'
}

scripts/setup.sh run
build
open_database
enqueue_input
work_off_queue
tour
headline "How to go on"
cat <<END
  make psql     the same as: psql 'host=$PGHOST user=$PGUSER dbname=$PGDATABASE'
  make run      all of it again, from an empty database
  make stop     stops this Postgres; make clean removes it and its data
END
