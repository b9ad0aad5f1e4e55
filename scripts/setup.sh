#!/usr/bin/env bash
# Brings in what is missing on a Debian machine, or says the one line that does. Does nothing when all is there.
#   scripts/setup.sh [run|test]      run: to build and run the daemon; test (the default): the test tools too
# Installs with apt-get when it may (root, or sudo without a password); else exits with 69.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

purpose=${1:-test}
case $purpose in
run | test) ;;
*) fail "$EX_USAGE" "unknown purpose '$purpose'; use run or test" ;;
esac

# The Postgres that this release of Debian (or Ubuntu) ships.
release_version() {
  local ID='' VERSION_ID=''
  # shellcheck source=/dev/null
  [[ -r /etc/os-release ]] && source /etc/os-release
  case $ID:$VERSION_ID in
  debian:13 | ubuntu:25.*) echo 17 ;;
  ubuntu:24.*) echo 16 ;;
  *) echo 15 ;;
  esac
}

# Prefers the system's Python: the one that Debian's python3-venv completes.
python() {
  local candidate
  for candidate in /usr/bin/python3 python3; do
    if "$candidate" -c 'import ensurepip, venv' >/dev/null 2>&1; then
      echo "$candidate"
      return
    fi
  done
  return 1
}

has() { command -v "$1" >/dev/null; }

browser_package() {
  if grep -qs '^ID=ubuntu' /etc/os-release; then echo chromium-browser; else echo chromium; fi
}

# Prints the Debian packages that are missing, one a line. Asks for the things themselves, not for packages.
missing_packages() {
  local bin version
  has make || echo make
  # A toolchain that was unpacked from an archive has neither the libraries that it was linked with, nor a C library
  # and linker of its own.
  swift build --version >/dev/null 2>&1 || printf '%s\n' libcurl4 libncurses6 libsqlite3-0
  if [[ ! -e /usr/include/stdio.h ]] || ! compgen -G '/usr/lib/gcc/*/*/crtbeginS.o' >/dev/null; then
    echo g++
  fi
  has pkg-config || echo pkg-config
  pkg-config --exists libpq 2>/dev/null || echo libpq-dev
  pkg-config --exists expat 2>/dev/null || echo libexpat1-dev
  pkg-config --exists libmicrohttpd 2>/dev/null || echo libmicrohttpd-dev
  if bin=$(postgres_bin); then
    version=$(basename "$(dirname "$bin")")
  else
    version=$(release_version)
    echo "postgresql-$version"
  fi
  [[ $purpose == test ]] || return 0
  [[ -e /usr/share/postgresql/$version/extension/pgtap.control ]] || echo "postgresql-$version-pgtap"
  has prove || echo perl
  has shellcheck || echo shellcheck
  has jq || echo jq
  # The examples of producers send with it.
  has curl || echo curl
  # For dailymetricd chart --format png, and to look at reports as a browser shows them.
  has gnuplot || echo gnuplot-nox
  # (Ubuntu's package fetches a snap.)
  has chromium || has chromium-browser || has google-chrome || browser_package
  python >/dev/null || echo python3-venv
}

# Debian makes and starts a cluster "main" when a server is installed. Nobody asked for one.
without_main_cluster() {
  local folder=/etc/postgresql-common/createcluster.d code=0
  local note=$folder/dailymetricd.conf
  "${sudo[@]}" mkdir -p "$folder"
  echo 'create_main_cluster = false' | "${sudo[@]}" tee "$note" >/dev/null
  "$@" || code=$?
  "${sudo[@]}" rm -f "$note"
  "${sudo[@]}" rmdir --ignore-fail-on-non-empty "$folder"
  return "$code"
}

apt() {
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=120 "$@"
}

install_packages() {
  apt update && without_main_cluster apt install --no-install-recommends "$@"
}

ensure_packages() {
  local -a packages sudo=()
  mapfile -t packages < <(missing_packages)
  ((${#packages[@]})) || return 0

  local line="sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages[*]}"
  has apt-get || fail "$EX_UNAVAILABLE" "these Debian packages are missing, and there is no apt-get here: ${packages[*]}"
  if ((EUID != 0)); then
    if ! has sudo || ! sudo -n true 2>/dev/null; then
      printf 'Some Debian packages are missing. Type this line, then run the command again:\n\n  %s\n\n' "$line" >&2
      exit "$EX_UNAVAILABLE"
    fi
    sudo=(sudo -n)
  fi
  say "Installing ${packages[*]} ..."
  mkdir -p "$state"
  quietly "$state/apt.log" install_packages "${packages[@]}" ||
    fail "$EX_UNAVAILABLE" "apt-get failed (log: $state/apt.log). The line it stands for: $line"
  mapfile -t packages < <(missing_packages)
  ((${#packages[@]} == 0)) || fail "$EX_UNAVAILABLE" "still missing after apt-get: ${packages[*]} (log: $state/apt.log)"
}

unpack_prometheus() {
  local -a sudo=()
  ((EUID == 0)) || sudo=(sudo -n)
  # Lists may be missing, or so old that the package has another version by now.
  (cd "$1" && apt-get -q download prometheus) || { apt update && (cd "$1" && apt-get -q download prometheus); }
  dpkg-deb --extract "$1"/prometheus_*.deb "$1"
  rm "$1"/prometheus_*.deb
}

# Prometheus checks what the daemon tells it. Its package starts a service, and nobody asked for one: it is unpacked only.
ensure_prometheus() {
  prometheus_bin >/dev/null && return
  local folder=.build/prometheus
  say "Unpacking prometheus into $folder ..."
  mkdir -p "$state" "$folder"
  quietly "$state/prometheus.log" unpack_prometheus "$folder" ||
    fail "$EX_UNAVAILABLE" "prometheus cannot be had (log: $state/prometheus.log). Type this line, then run the command again: $prometheus_line"
}

# Tools that Debian does not have. The mark holds the path too, because a moved .venv is broken.
ensure_python_tools() {
  local mark=.venv/installed wanted
  wanted=$(echo "$root" && cat scripts/requirements.txt)
  [[ -f $mark && $(<"$mark") == "$wanted" ]] && return
  say "Installing the tools of scripts/requirements.txt into .venv ..."
  # Trust what the machine trusts: pip brings its own list of authorities otherwise.
  [[ -n ${PIP_CERT:-} || ! -r /etc/ssl/certs/ca-certificates.crt ]] ||
    export PIP_CERT=/etc/ssl/certs/ca-certificates.crt
  mkdir -p "$state"
  "$(python)" -m venv --clear .venv
  quietly "$state/pip.log" .venv/bin/pip install --disable-pip-version-check --no-cache-dir \
    --requirement scripts/requirements.txt ||
    fail "$EX_UNAVAILABLE" "pip failed (log: $state/pip.log); it needs to reach a Python package index"
  echo "$wanted" >"$mark"
}

has swift || fail "$EX_UNAVAILABLE" "no swift in PATH; install Swift 6.2 or later from https://www.swift.org/install/linux/"
ensure_packages
if [[ $purpose == test ]]; then
  ensure_prometheus
  ensure_python_tools
fi
