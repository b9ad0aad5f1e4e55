#!/usr/bin/env bash
# The files of monitoring/ are true: what is made of others is up to date, Prometheus understands its part, the alerts fire
# when they should, and each query of the exporters answers, as an analyst, with the columns that it promises.
#   scripts/monitoring.sh check      all of that; exits with 1 if something is wrong
#   scripts/monitoring.sh update     write what is made of others anew

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

readonly python=.venv/bin/python
generate() { "$python" -B monitoring/generate.py "$@"; }

# Something of everything: people with a yesterday, a payload that waits, dead letters, an alert, a snapshot that is held.
fill() {
  on_test_cluster monitoring <<'SQL'
UPDATE monitoring_setting SET least_users = 2;
UPDATE intake.control SET paused_at = now(), paused_because = 'a test';
SELECT enqueue_sync_payload('00000000-0000-4000-8000-000000000009', '{}');
INSERT INTO intake.dead_letter (user_id, payload, code, pointer, received_at, died_at)
  SELECT '00000000-0000-4000-8000-000000000009', '{}', 'not_json', '', now() - interval '2 days', now() - interval '2 days';
INSERT INTO coverage_sum (local_date, platform, metric, users, sources, heard, heard_sources, measured, zero, unknown, summed_at)
  SELECT current_date - g, 'garmin', 'steps', 30, CASE g WHEN 1 THEN 10 ELSE 60 END, 30, CASE g WHEN 1 THEN 10 ELSE 60 END, 20, 5,
    '{"no_source_coverage": 10}', now() FROM generate_series(1, 12) g;
INSERT INTO coverage_day (local_date, summed_at) SELECT current_date - 1, now();
SQL
}

# As somebody who may read what an exporter's role may. The answer of each must have rows, and numbers where it promises them.
ask() {
  local line name columns labels sql answer failed=0
  while IFS= read -r line; do
    name=$(jq -r .name <<<"$line")
    sql=$(jq -r .sql <<<"$line")
    columns=$(jq -r '.columns | sort | join(",")' <<<"$line")
    labels=$(jq -c .labels <<<"$line")
    answer=$(on_test_cluster monitoring -c 'SET ROLE watcher' \
      -c "SELECT json_agg(row_to_json(q)) FROM ($sql) q") || answer=null
    jq -e --arg columns "$columns" --argjson labels "$labels" '
      length > 0 and all(.[]; (keys | join(",")) == $columns
        and all(to_entries[]; .key as $key | if $labels | index($key) then .value | type == "string" else .value | type == "number" end))
      ' >/dev/null <<<"$answer" || {
      say "$name: the answer is not as promised ($columns): $answer"
      failed=1
    }
    # No query may name a person.
    ! grep -qE '[0-9a-f]{8}-[0-9a-f]{4}-' <<<"$answer" || {
      say "$name: the answer names a person: $answer"
      failed=1
    }
  done < <(generate queries)
  return "$failed"
}

# What the dashboard asks Prometheus must be in its language.
check_dashboard() {
  local rules code=0
  rules=$(mktemp)
  generate rules >"$rules"
  "$1/promtool" check rules --lint-fatal "$rules" || code=1
  rm "$rules"
  return "$code"
}

check_queries() {
  require_postgres
  migrated_database monitoring
  PGOPTIONS='-c client_min_messages=warning' on_test_cluster monitoring -c 'DROP ROLE IF EXISTS watcher' -c 'CREATE ROLE watcher' \
    -c 'GRANT dailymetric_analyst, pg_read_all_stats TO watcher'
  fill >/dev/null
  # Holds a snapshot until its input ends.
  coproc HOLDER { on_test_cluster monitoring; }
  local writer=${HOLDER[1]} reader=${HOLDER[0]} code=0
  printf '%s\n' 'BEGIN ISOLATION LEVEL REPEATABLE READ;' 'SELECT 1;' >&"$writer"
  read -r _ <&"$reader"
  ask || code=1
  exec {writer}>&-
  wait "$HOLDER_PID" || true
  on_test_cluster postgres -c 'DROP DATABASE monitoring WITH (FORCE)' -c 'DROP ROLE watcher'
  return "$code"
}

check() {
  local programs failed=0
  programs=$(prometheus_bin) || fail "$EX_UNAVAILABLE" "promtool is missing; run scripts/setup.sh, or: $prometheus_line"
  generate check || failed=1
  "$programs/promtool" check config --lint=all monitoring/prometheus.yml || failed=1
  "$programs/promtool" test rules monitoring/alerts.test.yml || failed=1
  check_dashboard "$programs" || failed=1
  check_queries || failed=1
  return "$failed"
}

[[ -x $python ]] || fail "$EX_UNAVAILABLE" "$python is missing; run scripts/setup.sh"
case ${1:-} in
update) generate update ;;
check)
  [[ -n ${DAILYMETRICD_TEST_CLUSTER:-} ]] || exec scripts/throwaway-postgres.sh "$0" check
  check
  ;;
*) fail "$EX_USAGE" "use check or update" ;;
esac
