#!/usr/bin/env bash
# Builds the Debian package from the files of this checkout, outside of it, and leaves it in .build/deb.
#   scripts/deb.sh             prints the path of the .deb last
# What was compiled is kept in .build/deb/scratch for the next time.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

missing=()
command -v dpkg-buildpackage >/dev/null || missing+=(dpkg-dev)
command -v dh >/dev/null || missing+=(debhelper)
command -v pkg-config >/dev/null || missing+=(pkg-config)
pkg-config --exists libpq 2>/dev/null || missing+=(libpq-dev)
pkg-config --exists expat 2>/dev/null || missing+=(libexpat1-dev)
pkg-config --exists libmicrohttpd 2>/dev/null || missing+=(libmicrohttpd-dev)
((${#missing[@]} == 0)) ||
  fail "$EX_UNAVAILABLE" "type this line first: sudo apt-get install -y --no-install-recommends ${missing[*]}"
command -v swift >/dev/null || fail "$EX_UNAVAILABLE" "no swift in PATH; install Swift 6.2 or later"

readonly out=$root/.build/deb
source_tree=$out/dailymetricd
rm -rf "$source_tree"
rm -f "$out"/*.deb "$out"/*.changes "$out"/*.buildinfo
mkdir -p "$source_tree"
# With their times, so that only what changed is compiled again.
tar --create --exclude-vcs --exclude='./.build*' --exclude=./.venv --exclude=./.dailymetricd . |
  tar --extract --directory "$source_tree"

say "Building the package (log: $out/build.log) ..."
cd "$source_tree"
SWIFT_SCRATCH=$out/scratch quietly "$out/build.log" dpkg-buildpackage --build=binary --no-sign
cd "$root"
package=$(echo "$out"/dailymetricd_*.deb)
command -v lintian >/dev/null && lintian --tag-display-limit 0 "$package"
# shellcheck disable=SC2016 # dpkg-deb fills it in
dpkg-deb --show --showformat='${Package} ${Version} ${Architecture}, installed ${Installed-Size} kB\nDepends: ${Depends}\n' \
  "$package"
stat --printf='%n, %s bytes\n' "$package"
