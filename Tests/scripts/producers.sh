#!/usr/bin/env bash
# The producers' examples of docs/examples/producers put payloads into a queue, and the daemon takes them.

cluster=${DAILYMETRICD_TEST_CLUSTER:-}
source "$(dirname "${BASH_SOURCE[0]}")/support/tap.sh"
if [[ -z $cluster ]]; then
  rm -rf "$DAILYMETRICD_STATE"
  exec scripts/throwaway-postgres.sh "$0"
fi
PGHOST=$(sed -E 's/.*host=([^ ]+).*/\1/' <<<"$cluster")
PGPORT=$(sed -nE 's/.*port=([^ ]+).*/\1/p' <<<"$cluster")
export PGHOST PGPORT=${PGPORT:-5432} PGUSER=postgres PGDATABASE=postgres
work=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server"; psql -qX -d postgres -c "DROP DATABASE producers" -c "DROP ROLE app, authenticator"; rm -rf "$DAILYMETRICD_STATE" "$work"' EXIT
examples=docs/examples/producers
daemon=$PWD/.build/debug/dailymetricd

psql -qXc 'CREATE DATABASE producers'
export PGDATABASE=producers
psql -qX -f packaging/roles.sql >/dev/null 2>&1
"$daemon" migrate >/dev/null
# A producer may do nothing but enqueue, and needs nothing else. Roles outlive the database.
for role in 'authenticator LOGIN NOINHERIT' 'app LOGIN'; do
  psql -qXc "CREATE ROLE $role" -c "GRANT dailymetric_producer TO ${role%% *}" -c "GRANT CONNECT ON DATABASE producers TO ${role%% *}"
done

cells() {
  "$daemon" drain --as-of 2026-11-28T08:00:00Z >/dev/null || return
  psql -qXAtc "SELECT local_date, coalesce(value::text, unknown_reason) FROM daily_metric WHERE user_id = '$1' ORDER BY 1" | tr '\n' ' '
}
python_twice() {
  PGUSER=app .venv/bin/python "$examples/producer.py" && PGUSER=app .venv/bin/python "$examples/producer.py" || return
  [[ $(psql -qXAtc 'SELECT count(*) FROM intake.sync_payload') == 2 ]] || return
  [[ $(cells 4f9d1c2e-0b7a-4c1d-9e55-6a0c8c2b1f10) == '2026-11-26|8412 2026-11-27|not_yet_synced ' ]]
}
swift_producer() {
  local built=.build/client/debug
  swift build --package-path Tests/ClientPackage --scratch-path .build/client >/dev/null || return
  swiftc -swift-version 6 -warnings-as-errors -I "$built/Modules" "$examples/producer.swift" "$built"/HealthPayload.build/*.o \
    -o "$work/producer" || return
  "$work/producer" | PGUSER=app psql -qXAt -v "user=4f9d1c2e-0b7a-4c1d-9e55-6a0c8c2b1f11" -v "payload=$("$work/producer")" \
    -f <(echo "SELECT enqueue_sync_payload(:'user', :'payload');") || return
  [[ $(cells 4f9d1c2e-0b7a-4c1d-9e55-6a0c8c2b1f11) == '2026-11-26|8412 2026-11-27|not_yet_synced ' ]]
}

# PostgREST calls a function with the members of the request's JSON object as its named arguments, in the role of the token.
# What stands here for it does just that, so that the example's request and the rights of its roles are tried; PostgREST is not.
postgrest_request() {
  local answer
  .venv/bin/python Tests/scripts/support/rpc_server.py "$work/port" >"$work/server.log" 2>&1 &
  server=$!
  for _ in $(seq 300); do
    [[ -s $work/port ]] && break
    sleep 0.1
  done
  printf '%s' '{"schema":"dailymetricd.sync/1","payload_id":"0b6f6f9e-8a45-4b53-9a1c-53d1e1a0a002",
    "user_id":"4f9d1c2e-0b7a-4c1d-9e55-6a0c8c2b1f12","origin":{"platform":"fitbit"},"read":{"read_at":"2026-11-28T07:00:00Z"},
    "days":[{"metric":"steps","local_date":"2026-11-26","outcome":"value","value":3}]}' |
    TOKEN=t BASE="http://127.0.0.1:$(<"$work/port")" "$examples/postgrest.sh" 4f9d1c2e-0b7a-4c1d-9e55-6a0c8c2b1f12 || { cat "$work/server.log"; return 1; }
  answer=$(cells 4f9d1c2e-0b7a-4c1d-9e55-6a0c8c2b1f12)
  [[ $answer == '2026-11-26|3 ' ]]
}
producer_reads_nothing() { ! PGUSER=app psql -qXAtc 'SELECT * FROM daily_metric'; }

ok "the Python example sends a payload, and the same again changes nothing" python_twice
ok "the Swift example sends what HealthPayload writes" swift_producer
ok "the request for PostgREST names the function's arguments, and its role may call it" postgrest_request
ok "a producer reads nothing" producer_reads_nothing
done_testing
