#!/usr/bin/env bash
# The demo's Postgres: it starts once, survives a crash, and keeps away from everything else.

source "$(dirname "${BASH_SOURCE[0]}")/support/tap.sh"
trap 'scripts/private-postgres.sh remove >/dev/null; rm -rf "$DAILYMETRICD_STATE"' EXIT

private=scripts/private-postgres.sh
pid_file=$DAILYMETRICD_STATE/postgres/data/postmaster.pid

ask() { "$private" psql -XAtc "$1" postgres; }
owner_of_the_server() { stat -c %U "/proc/$(head -n 1 "$pid_file")"; }
is_not_root() { [[ $(owner_of_the_server) != root ]]; }
has_no_tcp_port() { [[ -z $(ask 'SHOW listen_addresses') ]]; }
starts_silently() { [[ -z $("$private" start) ]]; }
same_after() {
  local before
  before=$(head -n 1 "$pid_file")
  "$@" >/dev/null && [[ $(head -n 1 "$pid_file") == "$before" ]]
}
crash() {
  kill -9 "$(head -n 1 "$pid_file")"
  while "$private" status; do sleep 0.1; done
}
with_stale_pid_of() {
  "$private" stop && printf '%s\n' "$1" >"$pid_file" && "$private" start
}
without_home() { env -i PATH="$PATH" DAILYMETRICD_STATE="$DAILYMETRICD_STATE" "$private" status; }
keeps_its_files_closed() { [[ $(stat -Lc %a "$DAILYMETRICD_STATE/postgres") == 700 ]]; }

ok 'status says 69 before the first start' fails_with 69 "$private" status
ok 'it starts' "$private" start
ok 'it is not run by root' is_not_root
ok 'a second start changes nothing' same_after starts_silently
ok 'it answers on its socket' prints 1 ask 'SELECT 1'
ok 'it has no TCP port' has_no_tcp_port
ok 'only its owner can reach the socket' keeps_its_files_closed
ok "a caller's PG variables do not lead elsewhere" env PGHOST=elsewhere PGSERVICE=none PGPORT=1 "$private" psql -Xc 'SELECT 1' postgres
ok 'text is UTF-8 and sorted by its bytes' prints 'UTF8 C.UTF-8' ask \
  "SELECT pg_encoding_to_char(encoding) || ' ' || datcollate FROM pg_database WHERE datname = 'postgres'"
ok 'a crash is noticed' crash
ok 'it starts after a crash' "$private" start
ok 'a stale pid file that names a living process does not stop it' with_stale_pid_of $$
ok 'an empty environment is enough' without_home
ok 'a word it does not know is 64' fails_with 64 "$private" restart
ok 'it stops' "$private" stop
ok 'stopping twice is no error' "$private" stop
ok 'remove leaves nothing' "$private" remove
ok 'after remove there is no directory' fails_with 1 test -e "$DAILYMETRICD_STATE/postgres"
done_testing
