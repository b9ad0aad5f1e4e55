#!/usr/bin/env bash
# The demo's own Postgres: inside the project directory, on a unix socket only, never as root.
#   scripts/private-postgres.sh start|stop|status|remove
#   scripts/private-postgres.sh psql [ARGUMENT...]     psql on the demo's database
#   scripts/private-postgres.sh env                    lines for: eval "$(scripts/private-postgres.sh env)"
# Any other Postgres on this machine is left alone: PG* variables of the caller are ignored.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
forget_callers_database

readonly link=$state/postgres
project_key=$(printf %s "$state" | sha256sum | cut -c1-12)
readonly project_key

# make_private_directory PATH: a directory that the cluster's user alone can enter. In a place that all can write to,
# somebody may have been here first; then it must be ours already.
make_private_directory() {
  local owner=$EUID
  ((EUID != 0)) || owner=$(id -u postgres)
  if mkdir -m 700 "$1" 2>/dev/null; then
    ((EUID != 0)) || chown postgres:postgres "$1"
  elif [[ -L $1 || ! -d $1 || $(stat -c %u "$1") != "$owner" ]]; then
    fail "$EX_UNAVAILABLE" "$1 is not a directory of user $(id -nu "$owner"); run this as its owner, or remove it"
  fi
}

# Decides once where the cluster lives. Root's project (say, under /root) may be closed to the user postgres; then the
# data goes to /var/tmp, and a link in the state directory says where.
ensure_home() {
  mkdir -p "$state"
  if [[ ! -e $link ]]; then
    rm -f "$link"
    if as_cluster_user test -x "$state"; then
      make_private_directory "$link"
    else
      make_private_directory "/var/tmp/dailymetricd-$project_key"
      ln -s "/var/tmp/dailymetricd-$project_key" "$link"
    fi
  fi
  find_home
  make_private_directory "$home"
}

# Sets home, data, log and sockets. A unix socket's path has at most 107 bytes, so a deep project gets one in /tmp.
find_home() {
  home=$(readlink -f "$link")
  data=$home/data
  log=$home/postgres.log
  sockets=$home
  ((${#sockets} <= 85)) || sockets=/tmp/dailymetricd-$project_key
}

# Prints the postmaster's process id if it is alive and really ours: after a crash the number may be someone else's.
postmaster() {
  local pid
  pid=$(head -n 1 "$data/postmaster.pid" 2>/dev/null) || return 1
  [[ $(readlink "/proc/$pid/cwd") == "$data" ]] && echo "$pid"
}

set_environment() {
  require_postgres
  export PGHOST=$sockets PGPORT=5432 PGUSER=postgres PGDATABASE=${DEMO_DATABASE:-dailymetric_demo}
}

make_cluster() {
  local found
  if [[ -e $data/PG_VERSION ]]; then
    found=$(<"$data/PG_VERSION")
    pg_bin=/usr/lib/postgresql/$found/bin
    [[ -x $pg_bin/pg_ctl ]] ||
      fail "$EX_UNAVAILABLE" "$data was made by Postgres $found, which is not installed; make clean removes it"
    return
  fi
  # Made aside and moved into place, so that an interrupted initdb leaves no half cluster behind.
  rm -rf "$data.new"
  quietly "$state/initdb.log" initialise_cluster "$data.new" || fail "$EX_UNAVAILABLE" "initdb failed ($state/initdb.log)"
  mv "$data.new" "$data"
}

start() {
  require_postgres
  ensure_home
  [[ $sockets == "$home" ]] || make_private_directory "$sockets"
  exec 9>"$state/postgres.lock"
  flock 9
  if ! postmaster >/dev/null; then
    make_cluster
    rm -f "$data/postmaster.pid" "$sockets/.s.PGSQL.5432" "$sockets/.s.PGSQL.5432.lock"
    # The postmaster must not inherit the lock, or it would hold it for its whole life.
    as_cluster_user "$pg_bin/pg_ctl" start --silent --wait --pgdata="$data" --log="$log" \
      --options="-c listen_addresses='' -c unix_socket_directories='$sockets' -c unix_socket_permissions=0700" 9>&- ||
      fail "$EX_UNAVAILABLE" "Postgres did not start; its log is $log"
    say "Postgres runs in $home (unix socket only)."
  fi
  exec 9>&-
}

stop() {
  if [[ -e $link ]] && find_home && postmaster >/dev/null; then
    require_postgres
    as_cluster_user "$pg_bin/pg_ctl" stop --silent --wait --mode=fast --pgdata="$data"
    say "Postgres in $home has stopped."
  else
    say "The private Postgres is not running."
  fi
}

running_or_fail() {
  if ! [[ -e $link ]] || ! find_home || ! postmaster >/dev/null; then
    fail "$EX_UNAVAILABLE" "the private Postgres is not running; scripts/private-postgres.sh start, or make run"
  fi
}

remove() {
  [[ -e $link ]] || return 0
  stop
  rm -rf "$home" "$link" "/tmp/dailymetricd-$project_key"
}

command=${1:-}
(($# == 0)) || shift
case $command in
start | stop | remove) "$command" ;;
status)
  running_or_fail
  say "Postgres runs in $home, process $(postmaster)."
  ;;
env)
  running_or_fail
  set_environment
  printf 'unset %s\n' 'PGSERVICE PGSERVICEFILE PGHOSTADDR PGPASSWORD PGPASSFILE PGOPTIONS PGSSLMODE'
  printf 'export %s=%q\n' PGHOST "$PGHOST" PGPORT "$PGPORT" PGUSER "$PGUSER" PGDATABASE "$PGDATABASE"
  ;;
psql)
  running_or_fail
  set_environment
  exec "$pg_bin/psql" "$@"
  ;;
*) fail "$EX_USAGE" "use start, stop, status, psql, env or remove" ;;
esac
