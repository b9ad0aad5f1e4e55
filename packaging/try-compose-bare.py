#!/usr/bin/env python3
"""Starts what docker-compose.yml starts, without Docker: the same commands and variables, as processes of this machine, in
a network of their own, where loopback is theirs alone. Then asks Prometheus whether everything is seen.

    packaging/try-compose-bare.py

Needs root (a network, and Postgres as its own user), make test's tools (.venv, .build/prometheus) and a debug build. Grafana
is left out: no package brings it. Prints TAP."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOLS = ROOT / ".build/prometheus/usr/bin"
PROMETHEUS = "http://127.0.0.1:9090"
# What the images of others run if nothing is said: their own entry points.
IMAGES = {
    "prometheus": ["prometheus", "--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus"],
    "postgres-exporter": ["prometheus-postgres-exporter"],
    "dailymetricd": [str(ROOT / ".build/debug/dailymetricd")],
    "migrate": [str(ROOT / ".build/debug/dailymetricd")],
}
PAYLOAD = """{"schema":"dailymetricd.sync/1","payload_id":"00000000-0000-4000-8000-000000000001",
"user_id":"00000000-0000-4000-8000-000000000002","origin":{"platform":"garmin"},"read":{"read_at":"2026-03-01T07:00:00Z"},
"days":[{"metric":"steps","local_date":"2026-02-01","outcome":"value","value":1,"sources":["watch"],"complete":true}]}"""

running = []
count = 0


def check(sentence, passed, detail=""):
    global count
    count += 1
    print(f"{'ok' if passed else 'not ok'} {count} - {sentence}{detail}", flush=True)
    if not passed:
        raise SystemExit(1)


def model():
    text = subprocess.run([ROOT / ".venv/bin/docker-compose", "config", "--format", "json"], cwd=ROOT, check=True,
                          capture_output=True, text=True).stdout
    return json.loads(text)["services"]


def here(service, words, work):
    """The words of a command, with the places of a container replaced by those of this machine."""
    places = {}
    for mount in service.get("volumes") or []:
        if mount["type"] == "bind":
            places[mount["target"]] = mount["source"]
        else:
            places[mount["target"]] = str(work / mount["source"])
    if not places:
        return words
    # The longest first, and each place once: a place may look like another one.
    any_place = re.compile("|".join(map(re.escape, sorted(places, key=len, reverse=True))))
    return [any_place.sub(lambda found: places[found[0]], word) for word in words]


def start(name, service, work, wait=False):
    words = here(service, IMAGES[name] + (service.get("command") or []), work)
    environment = {"PATH": f"{TOOLS}:{os.environ['PATH']}", **(service.get("environment") or {})}
    log = open(work / f"{name}.log", "w")
    process = subprocess.Popen(words, env=environment, stdout=log, stderr=log)
    if wait:
        return process.wait(timeout=120)
    running.append(process)
    return process


def postgres(service, work):
    binary = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4])).parent
    data = work / "pg"
    data.mkdir()
    shutil.chown(data, "postgres", "postgres")
    as_postgres = dict(user="postgres", group="postgres", extra_groups=[], cwd="/", env={"PATH": os.environ["PATH"]})
    quiet = dict(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([binary / "initdb", "-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "--encoding=UTF8",
                    "--locale=C.UTF-8"], check=True, **as_postgres, **quiet)
    words = [binary / "postgres", "-D", data, "-k", data] + service["command"][1:]
    running.append(subprocess.Popen(words, **as_postgres, **quiet))
    ready = lambda: subprocess.run([binary / "pg_isready", "-h", "127.0.0.1"], **quiet).returncode == 0
    check("Postgres answers on loopback", eventually(ready))
    subprocess.run([binary / "createdb", "-h", "127.0.0.1", "-U", "postgres", service["environment"]["POSTGRES_DB"]], check=True)


def eventually(look, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if look():
                return True
        except (OSError, ValueError):
            pass
        time.sleep(0.2)
    return False


def get(address):
    with urllib.request.urlopen(address, timeout=5) as answer:
        return answer.read().decode()


def ask(query):
    """The value of a query's first row, or None."""
    rows = json.loads(get(f"{PROMETHEUS}/api/v1/query?query={query}"))["data"]["result"]
    return float(rows[0]["value"][1]) if rows else None


def look(services, work):
    postgres(services["postgres"], work)
    check("migrate ends with success", start("migrate", services["migrate"], work, wait=True) == 0)
    start("dailymetricd", services["dailymetricd"], work)
    check("the service is ready", eventually(lambda: get("http://127.0.0.1:14711/readyz")))
    start("postgres-exporter", services["postgres-exporter"], work)
    start("prometheus", services["prometheus"], work)
    health = lambda: [(t["labels"]["job"], t["health"]) for t in json.loads(get(f"{PROMETHEUS}/api/v1/targets"))["data"]["activeTargets"]]
    everything_up = lambda: health() and all(state == "up" for _, state in health())
    check("Prometheus scrapes the service and the exporter", eventually(everything_up, 120))
    rules = json.loads(get(f"{PROMETHEUS}/api/v1/rules"))["data"]["groups"]
    check("it has the alert rules", bool(rules), f": {sum(len(group['rules']) for group in rules)}")
    environment = {"PATH": os.environ["PATH"], **services["dailymetricd"]["environment"]}
    subprocess.run(IMAGES["dailymetricd"] + ["enqueue", "-"], input=PAYLOAD.replace("\n", ""), text=True, env=environment,
                   check=True, stdout=subprocess.DEVNULL)
    check("a payload shows in the service's numbers", eventually(lambda: ask("dailymetricd_payloads_merged_total") == 1, 120))
    check("the database's numbers are there", eventually(lambda: ask("dailymetric_queue_payloads") == 0, 120))
    service = running[1]
    service.terminate()
    check("the service ends well on SIGTERM", service.wait(timeout=90) == 0)


def main():
    if os.environ.get("DAILYMETRICD_OWN_NETWORK") != "1":
        if os.geteuid() != 0:
            sys.exit("try-compose-bare.py: only root can make a network; run it with sudo")
        os.environ["DAILYMETRICD_OWN_NETWORK"] = "1"
        os.execvp("unshare", ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", sys.executable, *sys.argv])
    if shutil.which("prometheus-postgres-exporter", path=f"{TOOLS}:{os.environ['PATH']}") is None:
        sys.exit("try-compose-bare.py: no exporter; type: (cd .build/prometheus && apt-get download prometheus-postgres-exporter"
                 " && dpkg-deb --extract prometheus-postgres-exporter_*.deb .)")
    work = pathlib.Path(tempfile.mkdtemp(prefix="dailymetricd-compose."))
    work.chmod(0o755)
    try:
        look(model(), work)
    except SystemExit:
        for log in sorted(work.glob("*.log")):
            print(f"# {log.name}:", *log.read_text().splitlines()[-8:], sep="\n#   ")
        raise
    finally:
        for process in reversed(running):
            process.terminate()
        for process in running:
            process.wait()
        shutil.rmtree(work, ignore_errors=True)
    print(f"1..{count}")


main()
