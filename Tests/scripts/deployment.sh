#!/usr/bin/env bash
# What is installed elsewhere: the unit and its drop-ins, manual pages, the package's version, the compose file.

source "$(dirname "${BASH_SOURCE[0]}")/support/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$DAILYMETRICD_STATE" "$work"' EXIT
daemon=.build/debug/dailymetricd
compose=.venv/bin/docker-compose

# --- the unit
no_systemd='systemd-analyze is not installed'
command -v systemd-analyze >/dev/null && no_systemd=
ok_unless "$no_systemd" 'the unit is exposed by 1.2 at most' scripts/exposure.sh none 12
ok_unless "$no_systemd" 'over TCP too' scripts/exposure.sh tcp 12
ok_unless "$no_systemd" 'with a socket alone by 0.3 at most' scripts/exposure.sh socket-only 3
printf '[Service]\nExecStart=/usr/bin/dailymetricd run\n' >"$work/bare.service"
ok_unless "$no_systemd" 'a unit without a sandbox is refused' \
  env UNIT="$work/bare.service" bash -c '! scripts/exposure.sh none 12'

# --- the manual
page_is_clean() { [[ -z $("$daemon" manual "$1" | LC_ALL=C.UTF-8 man --warnings --local-file - 2>&1 >/dev/null) ]]; }
no_man='man is not installed'
man --version >/dev/null 2>&1 && no_man=
ok_unless "$no_man" 'dailymetricd(8) has no mistake in its markup' page_is_clean dailymetricd.8
ok_unless "$no_man" 'dailymetricd.conf(5) has none either' page_is_clean dailymetricd.conf.5
"$daemon" manual dailymetricd.conf >"$work/d.conf"
ok 'the installed file of settings is one that the program reads' \
  prints '0 payloads, 0 errors' "$daemon" validate --config "$work/d.conf" /dev/null
echo 'wrokers = 3' >>"$work/d.conf"
ok 'and a slip in it ends a command with 78' fails_with 78 "$daemon" validate --config "$work/d.conf" /dev/null

# --- the package
same_version() {
  local package
  package=$(sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)
  [[ $("$daemon" version) == "dailymetricd $package, "* ]]
}
ok 'the package has the version of the program' same_version
everything_is_there() { awk '{ print $1 }' debian/dailymetricd.install debian/dailymetricd.docs | while read -r name; do compgen -G "$name" >/dev/null || return; done; }
ok 'what the package takes from here is here' everything_is_there

# --- docker compose
no_compose='docker-compose is not in .venv'
[[ -x $compose ]] && no_compose=
model=$work/model.json
ok_unless "$no_compose" 'the compose file is one that Compose takes' "$compose" config --quiet
[[ -n $no_compose ]] || "$compose" config --format json >"$model"
# Relative to the project; volumes with a name are Docker's.
mounts_are_there() {
  python3 - "$model" <<'PYTHON'
import json, os, sys
services = json.load(open(sys.argv[1]))["services"]
missing = [f"{name}: {mount['source']}" for name, service in services.items() for mount in service.get("volumes", [])
           if mount["type"] == "bind" and not os.path.exists(mount["source"])]
print("\n".join(missing))
sys.exit(bool(missing))
PYTHON
}
ok_unless "$no_compose" 'every file that it mounts is here' mounts_are_there
# Loopback is the network of the service "machine": whoever else listens would be reachable by nobody, or by everybody.
stays_at_home() {
  python3 - "$model" <<'PYTHON'
import json, sys
services = json.load(open(sys.argv[1]))["services"]
for name, service in services.items():
    if name == "machine":
        assert all(port.get("host_ip") == "127.0.0.1" for port in service["ports"]), service["ports"]
    else:
        assert service["network_mode"] == "service:machine" and not service.get("ports"), name
PYTHON
}
ok_unless "$no_compose" 'nothing of it can be reached from another machine' stays_at_home
broken() { sed 's/service_completed_successfully/service_is_done/' docker-compose.yml >"$work/broken.yml" && ! "$compose" -f "$work/broken.yml" config --quiet; }
ok_unless "$no_compose" 'Compose finds a mistake in it' broken

done_testing
