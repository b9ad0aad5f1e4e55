#!/usr/bin/env bash
# Pictures of the pictures, to be looked at: charts in every format, and reports in a real browser, on a desk, on a phone,
# by night and on paper. Of made-up people, on a throwaway Postgres. They go to .build/screenshots.
#   scripts/screenshots.sh

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
if [[ -z ${DAILYMETRICD_TEST_CLUSTER:-} ]]; then
  scripts/setup.sh test
  for product in dailymetricd DemoData; do
    swift build --product "$product"
  done
  exec scripts/throwaway-postgres.sh "$0" "$@"
fi
require_postgres

readonly programs=.build/debug pictured=dailymetric_screenshots out=$root/.build/screenshots
browser=$(command -v chromium chromium-browser google-chrome | head -n 1)
dsn="$DAILYMETRICD_TEST_CLUSTER dbname=$pictured"
export DAILYMETRICD_DSN=$dsn

# page NAME FILE WIDTH HEIGHT SCALE [OPTION...]: what the browser shows of a file. A window is at least 500 wide where it
# has an edge, but a screenshot is not.
page() {
  local name=$1 file=$2 width=$3 height=$4 scale=$5
  shift 5
  quietly "$out/browser.log" "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars \
    --no-first-run --user-data-dir="$profile" --window-size="$width,$height" --force-device-scale-factor="$scale" "$@" \
    "file://$file"
  say "  $name"
}

# The people with the most metrics, the most zeros, gaps and dashed lines.
people() {
  on_test_cluster "$pictured" <<'SQL'
SELECT user_id FROM daily_metric GROUP BY 1 ORDER BY count(DISTINCT metric) DESC, count(*) DESC, 1 LIMIT 1;
SELECT user_id FROM daily_metric WHERE metric = 'steps' GROUP BY 1
ORDER BY count(DISTINCT unknown_reason) DESC, count(*) FILTER (WHERE value = 0) DESC, 1 LIMIT 1;
SELECT user_id FROM daily_metric WHERE metric = 'weight' GROUP BY 1 ORDER BY count(value) DESC, 1 LIMIT 1;
SQL
}

# portray NUMBER USER
portray() {
  local report=$out/person$1.html metric
  "$programs/dailymetricd" report --user "$2" --output "$report"
  page "person$1-desk.png" "$report" 1100 2400 1 --screenshot="$out/person$1-desk.png"
  page "person$1-phone.png" "$report" 390 2400 2 --screenshot="$out/person$1-phone.png"
  page "person$1-night.png" "$report" 1100 2400 1 --blink-settings=preferredColorScheme=0 --screenshot="$out/person$1-night.png"
  page "person$1-paper.pdf" "$report" 1100 2400 1 --no-pdf-header-footer --print-to-pdf="$out/person$1-paper.pdf"
  for metric in steps weight vo2max; do
    "$programs/dailymetricd" chart --user "$2" --metric "$metric" --output "$out/person$1-$metric.txt"
    "$programs/dailymetricd" chart --user "$2" --metric "$metric" --format png --output "$out/person$1-$metric-gnuplot.png"
    "$programs/dailymetricd" chart --user "$2" --metric "$metric" --format svg --output "$out/person$1-$metric.svg"
    page "person$1-$metric-svg.png" "$out/person$1-$metric.svg" 760 520 1 --screenshot="$out/person$1-$metric-svg.png"
  done
}

rm -rf "$out"
mkdir -p "$out"
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
migrated_database "$pictured"
"$programs/DemoData" --seed 20261128 --until "$(date --utc --date='2 days ago' +%F)" --out "$out" 2>/dev/null
"$programs/dailymetricd" enqueue "$out/payloads.ndjson"
"$programs/dailymetricd" drain
"$programs/dailymetricd" recheck
number=0
while read -r user; do
  number=$((number + 1))
  portray "$number" "$user"
done < <(people)
rm -f "$out"/*.ndjson "$out"/truth* "$out/browser.log"
say "They are in $out."
