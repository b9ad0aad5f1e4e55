"""Writes the files of this folder that are made of others, or says which of them are not what they would be.

    .venv/bin/python monitoring/generate.py update      writes exporters/sql_exporter.yml and grafana/dashboards/dailymetricd.json
    .venv/bin/python monitoring/generate.py check       exits with 1 if one of them differs, or if a name is unknown
    .venv/bin/python monitoring/generate.py rules       prints the dashboard's expressions as rules, for promtool to read
    .venv/bin/python monitoring/generate.py queries     prints each query of the exporters as JSON: name, columns, labels, sql
"""

import json
import pathlib
import re
import sys

import yaml

import dashboard

HERE = pathlib.Path(__file__).parent
QUERIES = HERE / "exporters" / "postgres_exporter.yml"
SQL_EXPORTER = HERE / "exporters" / "sql_exporter.yml"
DASHBOARD = HERE / "grafana" / "dashboards" / "dailymetricd.json"

SQL_EXPORTER_HEAD = """\
# What is in the database, for Debian's prometheus-sql-exporter:  prometheus-sql-exporter -config.file sql_exporter.yml
# Made of postgres_exporter.yml by scripts/monitoring.sh update; what stands there about roles and rows holds here too.
# monitoring/prometheus.yml says how its metrics get the other exporter's names.
"""


def queries():
    """Name, columns in order, labels among them, help and SQL of each query."""
    for name, query in yaml.safe_load(QUERIES.read_text()).items():
        columns = [(column, what) for entry in query["metrics"] for column, what in entry.items()]
        yield {
            "name": name,
            "columns": [column for column, _ in columns],
            "labels": [column for column, what in columns if what["usage"] == "LABEL"],
            "help": " ".join(what["description"] for _, what in columns if what["usage"] != "LABEL"),
            "sql": query["query"].strip(),
        }


def sql_exporter():
    text = SQL_EXPORTER_HEAD + "jobs:\n  - name: dailymetric\n    interval: 1m\n    connections:\n"
    text += '      - "postgres://watcher@/dailymetric?host=/run/postgresql&sslmode=disable"\n    queries:\n'
    for query in queries():
        values = [column for column in query["columns"] if column not in query["labels"]]
        text += f"      - name: {query['name']}\n        help: {json.dumps(query['help'])}\n"
        text += f"        labels: {json.dumps(query['labels'])}\n        values: {json.dumps(values)}\n"
        # Else it would go on showing the rows of before, and what is not known any more would look measured.
        text += "        allow_zero_rows: true\n        query: |\n"
        text += "".join(f"          {line.strip()}\n" for line in query["sql"].splitlines())
    return text


def rules():
    """The dashboard's expressions, with what Grafana would put in for its variables."""
    panels = json.loads(DASHBOARD.read_text())["panels"]
    expressions = [target["expr"] for panel in panels for target in panel.get("targets", [])]
    filled = [e.replace("$__rate_interval", "1m").replace("$instance", ".*") for e in expressions]
    return {"groups": [{"name": "dashboard", "rules": [{"record": f"panel:{n}", "expr": e} for n, e in enumerate(filled)]}]}


def unknown_names():
    """Names of the database's metrics that alerts or the dashboard use and no query makes."""
    known = {f"{q['name']}_{c}" for q in queries() for c in q["columns"] if c not in q["labels"]}
    known.add("dailymetric_analyst")  # A role.
    for path in [HERE / "alerts.yml", HERE / "alerts.test.yml", DASHBOARD]:
        for name in sorted(set(re.findall(r"\bdailymetric_[a-z_]+", path.read_text())) - known):
            yield f"{path.relative_to(HERE)} uses {name}, which no query makes"


def broken_promises():
    """Panels that would draw through a gap or show an old number as the latest one, and alerts that no test names."""
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        if panel["type"] == "row":
            continue
        defaults = panel["fieldConfig"]["defaults"]
        if defaults.get("noValue") != "unknown":
            yield f"the panel {panel['title']} does not say unknown"
        if panel["type"] == "timeseries" and defaults["custom"].get("spanNulls") is not False:
            yield f"the panel {panel['title']} draws through gaps"
        if panel["type"] == "stat" and panel["options"]["reduceOptions"]["calcs"] != ["last"]:
            yield f"the panel {panel['title']} shows old numbers"
    tests = (HERE / "alerts.test.yml").read_text()
    for group in yaml.safe_load((HERE / "alerts.yml").read_text())["groups"]:
        for rule in group["rules"]:
            if not re.search(rf"\b{rule['alert']}\b", tests):
                yield f"the alert {rule['alert']} has no test"


def main(action):
    made = {SQL_EXPORTER: sql_exporter(), DASHBOARD: dashboard.text()}
    if action == "update":
        for path, text in made.items():
            path.write_text(text)
        return []
    if action == "rules":
        print(json.dumps(rules()))
        return []
    if action == "queries":
        for query in queries():
            print(json.dumps(query))
        return []
    stale = [f"{path.relative_to(HERE)} is not up to date" for path, text in made.items() if path.read_text() != text]
    return stale + list(unknown_names()) + list(broken_promises())


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in ("update", "check", "rules", "queries"):
        sys.exit(__doc__)
    problems = main(sys.argv[1])
    print("\n".join(problems), end="\n" if problems else "")
    sys.exit(1 if problems else 0)
