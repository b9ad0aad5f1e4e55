#!/usr/bin/env bash
# The release build at work for a long time on a Postgres that writes safely, with producers at a steady rate: does anything
# grow that should not? Samples memory, descriptors, claims, queue and backlog, and compares the last third with the first.
#   scripts/soak.sh [MINUTES [PAYLOADS-PER-SECOND]]      60 and 25 unless said; exits with 1 if something is not flat
# What was seen is left in $SOAK_OUT (.dailymetricd/soak): report.txt, report.json, samples.csv and the service's log.
# SOAK_DAEMON names another binary, SOAK_EVERY the seconds between samples (10).

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

readonly minutes=${1:-60} rate=${2:-25} every=${SOAK_EVERY:-10}
[[ $minutes =~ ^[0-9]+$ && $rate =~ ^[0-9]+$ ]] || fail "$EX_USAGE" "use scripts/soak.sh [MINUTES [PAYLOADS-PER-SECOND]]"

if [[ -z ${DAILYMETRICD_TEST_CLUSTER:-} ]]; then
  if [[ -z ${SOAK_DAEMON:-} ]]; then
    scripts/setup.sh test
    swift build --configuration release --product dailymetricd
  fi
  export DURABLE=1
  exec scripts/throwaway-postgres.sh "$0" "$minutes" "$rate"
fi

require_postgres
readonly daemon=${SOAK_DAEMON:-.build/release/dailymetricd} out=${SOAK_OUT:-$state/soak} name=soak
readonly dsn="$DAILYMETRICD_TEST_CLUSTER dbname=$name"
mkdir -p "$out"
children=()

# Nothing that this script starts outlives it.
end_children() {
  local child
  for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
  wait 2>/dev/null || true
}
trap end_children EXIT

query() { on_test_cluster "$name" "$@"; }

prepare() {
  on_test_cluster postgres -c "DROP DATABASE IF EXISTS $name WITH (FORCE)" -c "CREATE DATABASE $name"
  PGOPTIONS='-c client_min_messages=warning' "$daemon" migrate --dsn "$dsn" >/dev/null
  query --file scripts/soak/prepare.sql
}

# Port 0: the system chooses one, and the log says which.
start_service() {
  local tries=0
  "$daemon" run --dsn "$dsn" --workers 2 --metrics-listen 127.0.0.1:0 >"$out/service.log" 2>&1 &
  service=$!
  children+=("$service")
  until port=$(sed -n 's/.*answering monitors.*address="\{0,1\}127\.0\.0\.1:\([0-9]*\).*/\1/p' "$out/service.log") && [[ -n $port ]]; do
    ((++tries < 600)) || fail "$EX_UNAVAILABLE" "the service does not answer monitors; its log is $out/service.log"
    sleep 0.1
  done
}

# pgbench keeps the rate whatever the server does, as phones do.
start_producers() {
  PGOPTIONS='-c application_name=soak_producer' "$pg_bin/pgbench" --no-vacuum --protocol=prepared --client=2 \
    --rate="$rate" --time=$((minutes * 60)) --file=scripts/soak/producer.sql "$dsn" >"$out/producers.log" 2>&1 &
  producers=$!
  children+=("$producers")
}

# What the service says of itself, as the columns of soak.metric. (HTTP/1.0: the answer ends with the connection.)
scrape() {
  local connection
  exec {connection}<>"/dev/tcp/127.0.0.1/$port"
  printf 'GET /metrics HTTP/1.0\r\n\r\n' >&"$connection"
  awk '/^(process|dailymetricd_(claim|batch)_duration|dailymetricd_payloads)[a-z_]* / { gsub(/\r/, ""); print $1 "\t" $2 }' <&"$connection"
  exec {connection}>&-
}

# One row of soak.sample: what the service says, and what the server and the system say of it.
sample() {
  local memory
  local -a backends
  mapfile -t backends < <(query -c "SELECT format('/proc/%s/status', pid) FROM pg_stat_activity
    WHERE application_name LIKE 'dailymetricd%'")
  memory=$(awk '/^RssAnon/ { sum += $2 } END { printf "%d", sum * 1024 }' "${backends[@]}")
  {
    say 'BEGIN; CREATE TEMPORARY TABLE metric (name text, value numeric) ON COMMIT DROP; COPY metric FROM STDIN;'
    scrape
    printf 'backend_memory\t%s\n\\.\n' "$memory"
    say 'CALL soak.take_sample(); COMMIT;'
  } | query >/dev/null
}

prepare
start_service
start_producers
say "soak: $minutes minutes at $rate payloads a second, a sample every $every s; left in $out"
next=$SECONDS
while kill -0 "$producers" 2>/dev/null; do
  kill -0 "$service" 2>/dev/null || fail 1 "the service ended; its log is $out/service.log"
  sample
  next=$((next + every))
  ((next <= SECONDS)) || sleep $((next - SECONDS))
done
query -c "COPY (SELECT * FROM soak.sample ORDER BY taken_at) TO STDOUT (FORMAT csv, HEADER)" >"$out/samples.csv"
query -c "SELECT jsonb_pretty(soak.report())" >"$out/report.json"
"$pg_bin/psql" --no-psqlrc --quiet --pset footer=off --dbname="$dsn" --file scripts/soak/verdict.sql | tee "$out/report.txt"
[[ $(query -c 'SELECT bool_and(is_flat) FROM soak.verdict') == t ]] || fail 1 "not flat; see $out/report.txt"
