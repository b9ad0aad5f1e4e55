#!/usr/bin/env bash
# Installs, starts, upgrades, removes and purges the package in a real booted systemd, in a container of its own, and prints
# what was seen as TAP.
#   packaging/try-in-systemd.sh [SUITE...]      bookworm (systemd 252, Postgres 15), trixie (257, 17); both by default
# Needs root, mmdebstrap and systemd-nspawn, and Debian's archive for the first time; so it is no part of make test. The trees
# are kept in .build/systemd. Nothing of this machine is changed.

source "$(dirname "${BASH_SOURCE[0]}")/../scripts/lib.sh"

((EUID == 0)) || fail "$EX_UNAVAILABLE" "only root can boot a container; run it with sudo"
for tool in mmdebstrap:mmdebstrap systemd-nspawn:systemd-container nsenter:util-linux; do
  command -v "${tool%%:*}" >/dev/null ||
    fail "$EX_UNAVAILABLE" "type this line first: apt-get install -y --no-install-recommends ${tool##*:}"
done
shopt -s nullglob
packages=(.build/deb/dailymetricd_*.deb)
((${#packages[@]} == 1)) || fail "$EX_UNAVAILABLE" "there is no package in .build/deb; run make deb"
readonly package=$root/${packages[0]}
readonly cache=$root/.build/systemd
mkdir -p "$cache"

count=0
failed=0
# report CODE SENTENCE: one line of TAP.
report() {
  local verdict=ok
  count=$((count + 1))
  (($1 == 0)) || {
    verdict='not ok'
    failed=$((failed + 1))
  }
  say "$verdict $count - $2"
}
note() { printf '%s\n' "$*" | sed 's/^/# /'; }

# check SENTENCE COMMAND...: once. eventually SENTENCE COMMAND...: within half a minute.
check() {
  local sentence=$1 code=0
  shift
  "$@" >/dev/null 2>&1 || code=$?
  report "$code" "$sentence"
}
eventually() {
  local sentence=$1 end=$((SECONDS + 30))
  shift
  while ! "$@" >/dev/null 2>&1; do
    ((SECONDS < end)) || {
      report 1 "$sentence"
      machine systemctl status --no-pager --full dailymetricd 2>&1 | tail -n 15 | sed 's/^/#   /' || true
      return
    }
    sleep 0.1
  done
  report 0 "$sentence"
}

machine() { nsenter --target "$(<"$init")" --all -- env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"; }
as() {
  local user=$1
  shift
  machine runuser -u "$user" -- "$@"
}
query() { as postgres psql -XqAt -d "${2:-dailymetric}" -c "$1"; }
daemon() { as dailymetricd dailymetricd "$@" --dsn 'host=/run/postgresql dbname=dailymetric'; }
# shows PROPERTY PATTERN
# shellcheck disable=SC2053 # a pattern
shows() { [[ $(machine systemctl show --value --property "$1" dailymetricd) == $2 ]]; }
property() { machine systemctl show --value --property "$1" dailymetricd; }
logged() { machine journalctl --unit dailymetricd --output cat --no-pager | grep -e "$1" >/dev/null; }
another_process_than() { [[ $(property MainPID) != "$1" ]] && shows ActiveState active; }
answers() { [[ $(query "$1") == "$2" ]]; }
seconds_of() {
  local begin
  begin=$(date +%s.%N)
  "$@" >/dev/null 2>&1 || true
  awk -v b="$begin" -v e="$(date +%s.%N)" 'BEGIN { printf "%.2f", e - b }'
}
takes_between() { awk -v t="$3" -v low="$1" -v high="$2" 'BEGIN { exit !(t >= low && t <= high) }'; }

# payload NUMBER: one of steps on one day.
payload() {
  printf '{"schema":"dailymetricd.sync/1","payload_id":"00000000-0000-4000-8000-%012d","user_id":"%s",' \
    "$1" 00000000-0000-4000-8000-000000000001
  printf '"origin":{"platform":"garmin"},"read":{"read_at":"2026-03-01T07:00:00Z"},"days":[{"metric":"steps",'
  printf '"local_date":"2026-02-01","outcome":"value","value":%d,"sources":["watch"],"complete":true}]}\n' "$1"
}
enqueue() { payload "$1" | daemon enqueue -; }

make_tree() {
  local suite=$1 version=$2 packages
  # What the package depends on has to be there: the machine has no network. Of alternatives the first is taken.
  packages=$(dpkg-deb --field "$package" Depends | tr ',' '\n' | sed 's/[(|].*//' | tr -d ' ' | sort -u | paste -sd ,)
  packages+=,systemd-sysv,dbus,procps,postgresql-$version
  [[ -s $cache/$suite.tar && $(cat "$cache/$suite.packages") == "$packages" ]] || {
    say "# making a Debian tree of $suite ..."
    quietly "$cache/$suite.log" mmdebstrap --variant=minbase --include="$packages" "$suite" "$cache/$suite.tar"
    echo "$packages" >"$cache/$suite.packages"
  }
  rm -rf "$tree"
  mkdir -p "$tree"
  tar --extract --file "$cache/$suite.tar" --directory "$tree" --exclude='./dev/*'
  # The same files under a later number: what an upgrade is to dpkg.
  install -m 0644 "$package" "$tree/var/tmp/first.deb"
  rm -rf "$cache/later"
  dpkg-deb --raw-extract "$package" "$cache/later"
  sed -i 's/^Version: .*/&+later/' "$cache/later/DEBIAN/control"
  quietly "$cache/later.log" dpkg-deb --root-owner-group --build "$cache/later" "$tree/var/tmp/second.deb"
  rm -rf "$cache/later"
}

boot() {
  local end=$((SECONDS + 120)) child
  setsid systemd-nspawn --quiet --directory "$tree" --machine "dailymetricd-try-$$" --register=no --keep-unit \
    --private-network --kill-signal=SIGRTMIN+3 --boot </dev/null >"$cache/console.log" 2>&1 &
  nspawn=$!
  while ((SECONDS < end)); do
    child=$(pgrep --parent "$nspawn" | head -n 1) || true
    if [[ -n $child && $(<"/proc/$child/comm") == systemd ]]; then
      echo "$child" >"$init"
      case $(machine systemctl is-system-running 2>/dev/null || true) in
      running | degraded) return ;;
      esac
    fi
    sleep 0.2
  done
  fail "$EX_UNAVAILABLE" "the container did not boot; see $cache/console.log"
}

halt() {
  [[ -n $nspawn ]] || return 0
  local end=$((SECONDS + 30))
  [[ -s $init ]] && kill -RTMIN+3 "$(<"$init")" 2>/dev/null
  while [[ -d /proc/$nspawn && $SECONDS -lt $end ]]; do sleep 0.1; done
  kill -9 "$nspawn" 2>/dev/null || true
  wait "$nspawn" 2>/dev/null || true
  nspawn=
  rm -rf "$tree"
}

readonly tree=$cache/tree init=$cache/init.pid
nspawn=
trap halt EXIT

source packaging/systemd-drills.sh

(($#)) || set -- bookworm trixie
for suite in "$@"; do
  case $suite in
  bookworm) version=15 ;;
  trixie) version=17 ;;
  *) fail "$EX_USAGE" "unknown suite '$suite'; use bookworm or trixie" ;;
  esac
  make_tree "$suite" "$version"
  boot
  note "$suite: $(machine systemctl --version | head -n 1), Postgres $version"
  drill_install
  drill_work
  drill_reload
  drill_crash
  drill_watchdog
  drill_stop
  drill_credentials
  drill_sandbox
  drill_upgrade
  drill_removal
  halt
done
say "1..$count"
say "$((count - failed)) passed, $failed failed"
((failed == 0))
