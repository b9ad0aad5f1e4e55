#!/usr/bin/env bash
# Runs a command beside a Postgres that is made for it and gone afterwards.
#   scripts/throwaway-postgres.sh COMMAND [ARGUMENT...]
# The command finds it in DAILYMETRICD_TEST_CLUSTER, a libpq connection string without a database ("host=... port=...").
# Inside another such run the outer cluster is used. With DURABLE=1 it writes as safely as a real one, to a disk (TMPDIR):
# what writing costs is measured so.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

(($#)) || fail "$EX_USAGE" "which command? scripts/throwaway-postgres.sh COMMAND [ARGUMENT...]"
[[ -z ${DAILYMETRICD_TEST_CLUSTER:-} ]] || exec "$@"

forget_callers_database
require_postgres

# Memory is ten times as fast as a disk here, but a container's /dev/shm may be tiny.
place=${TMPDIR:-/tmp}
if [[ -z ${DURABLE:-} && -w /dev/shm ]] && (($(df --output=avail -k /dev/shm | tail -n 1) > 2 * 1024 * 1024)); then
  place=/dev/shm
fi
folder=$(mktemp -d "$place/dailymetricd-test.XXXXXX")
((EUID != 0)) || chown postgres:postgres "$folder"

stop() {
  trap '' INT TERM
  as_cluster_user "$pg_bin/pg_ctl" stop --silent --mode=immediate --pgdata="$folder/data" 2>/dev/null || true
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

quietly "$folder.log" initialise_cluster "$folder/data" --no-sync || fail "$EX_UNAVAILABLE" "initdb failed ($folder.log)"
rm -f "$folder.log"
# It has nothing to lose, so it need not write safely.
ease="-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
[[ -z ${DURABLE:-} ]] || ease="-c shared_buffers=1GB -c max_wal_size=8GB"
as_cluster_user "$pg_bin/pg_ctl" start --silent --wait --pgdata="$folder/data" --log="$folder/postgres.log" --options="\
  -c listen_addresses='' -c unix_socket_directories='$folder' -c unix_socket_permissions=0700 -c max_connections=400 \
  $ease -c timezone=UTC -c log_timezone=UTC" || {
  tail -n 20 "$folder/postgres.log" >&2
  fail "$EX_UNAVAILABLE" "the throwaway Postgres did not start"
}

export DAILYMETRICD_TEST_CLUSTER="host=$folder port=5432 user=postgres"
"$@"
