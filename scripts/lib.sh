# shellcheck shell=bash
# What the scripts of this folder share: where things are, how to speak, and who runs Postgres.
# Sourced, never run. Names of exit codes follow sysexits(3), as dailymetricd's own do.

set -euo pipefail
unset CDPATH
# Sorting, messages and digits do not depend on who calls; every Debian has this locale.
export LC_ALL=C.UTF-8

EX_USAGE=64
EX_UNAVAILABLE=69
export EX_USAGE EX_UNAVAILABLE

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
readonly root
cd "$root"

# Everything that a run leaves behind besides .build; tests point it elsewhere.
state=${DAILYMETRICD_STATE:-$root/.dailymetricd}
export state

# Containers and CI often have no home, or one that may not be written to. Compilers, pip and psql all want one.
if [[ -z ${HOME:-} || ! -w $HOME ]]; then
  export HOME=$root/.build/home
  mkdir -p "$HOME"
fi

say() { printf '%s\n' "$*"; }
headline() { printf '\n== %s\n' "$*"; }

# fail CODE SENTENCE...: what went wrong, where, and what to do.
fail() {
  local code=$1
  shift
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit "$code"
}

# The newest supported server's programs, or those in POSTGRES_BIN. PATH is not asked: Debian keeps initdb and pg_ctl out of it.
postgres_bin() {
  local version
  if [[ -n ${POSTGRES_BIN:-} ]]; then
    echo "$POSTGRES_BIN"
    return
  fi
  for version in 18 17 16 15; do
    if [[ -x /usr/lib/postgresql/$version/bin/initdb ]]; then
      echo "/usr/lib/postgresql/$version/bin"
      return
    fi
  done
  return 1
}

# Sets pg_bin, or says what to do.
require_postgres() {
  pg_bin=$(postgres_bin) || fail "$EX_UNAVAILABLE" "no Postgres 15 to 18 in /usr/lib/postgresql; run scripts/setup.sh"
}

# Postgres refuses to run as root, so root's clusters belong to the user that Debian's package made.
as_cluster_user() {
  if ((EUID == 0)); then
    (cd / && exec setpriv --reuid=postgres --regid=postgres --init-groups env HOME=/ "$@")
  else
    "$@"
  fi
}

# For whoever wants Debian's package itself; it also starts a service.
prometheus_line='sudo apt-get install -y --no-install-recommends prometheus'
export prometheus_line

# Where prometheus and promtool are: installed, or unpacked by scripts/setup.sh.
prometheus_bin() {
  if command -v promtool >/dev/null && command -v prometheus >/dev/null; then
    dirname "$(command -v promtool)"
  elif [[ -x .build/prometheus/usr/bin/promtool ]]; then
    echo .build/prometheus/usr/bin
  else
    return 1
  fi
}

# A database of the caller's own must never be reached by accident: forget every PG* variable, and the settings of a service.
forget_callers_database() {
  local name
  for name in "${!PG@}" "${!DAILYMETRICD_DSN@}" "${!DAILYMETRICD_CONFIG@}" "${!CREDENTIALS_DIRECTORY@}"; do
    unset "$name"
  done
}

# initialise_cluster DIRECTORY OPTION...: trust is safe here, because only the owner can enter the socket's directory.
initialise_cluster() {
  local data=$1
  shift
  as_cluster_user "$pg_bin/initdb" --pgdata="$data" --username=postgres --auth=trust \
    --encoding=UTF8 --locale=C.UTF-8 "$@"
}

# quietly LOGFILE COMMAND...: the output matters only when the command fails.
quietly() {
  local log=$1
  shift
  "$@" >"$log" 2>&1 || {
    local code=$?
    tail -n 40 "$log" >&2
    return "$code"
  }
}

# migrated_database NAME: an empty database with the schema of this checkout, on the throwaway cluster.
migrated_database() {
  local daemon=.build/debug/dailymetricd
  [[ -x $daemon ]] || fail "$EX_UNAVAILABLE" "$daemon is missing; run swift build"
  PGOPTIONS='-c client_min_messages=warning' on_test_cluster postgres \
    -c "DROP DATABASE IF EXISTS $1 WITH (FORCE)" -c "CREATE DATABASE $1"
  "$daemon" migrate --dsn "$DAILYMETRICD_TEST_CLUSTER dbname=$1" >/dev/null
}

# on_test_cluster DATABASE ARGUMENT...: psql that stops at the first error and reads nobody's .psqlrc.
on_test_cluster() {
  local database=$1
  shift
  "$pg_bin/psql" --no-psqlrc --quiet --no-align --tuples-only --pset pager=off --set ON_ERROR_STOP=1 \
    --dbname="$DAILYMETRICD_TEST_CLUSTER dbname=$database" "$@"
}
