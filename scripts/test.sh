#!/usr/bin/env bash
# Everything that must pass, in the order in which a mistake shows soonest. A step that fails does not stop the others;
# the last line counts the tests of all steps, and the exit code is 1 if one failed.
#   scripts/test.sh

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
if [[ -z ${DAILYMETRICD_TEST_CLUSTER:-} ]]; then
  scripts/setup.sh test
  exec scripts/throwaway-postgres.sh "$0" "$@"
fi

readonly logs=.build/test-logs
mkdir -p "$logs"
passed=0
failed=0
summary=()

# How many tests a step had, and how many of them failed, by the kind of its output.
count_plain() { echo 1 0; }

# prove: "Files=2, Tests=31, ..." and, for each bad file, "(Wstat: 0 Tests: 3 Failed: 1)".
count_tap() {
  awk '
    match($0, /Tests=[0-9]+/) { tests = substr($0, RSTART + 6, RLENGTH - 6) }
    match($0, /Failed: [0-9]+\)/) { wrong += substr($0, RSTART + 8, RLENGTH - 9) }
    END { print tests + 0, wrong + 0 }' "$1"
}

# swift test: the sums stand in its report, <testsuite ... tests="14" failures="0">.
count_swift() {
  cat .build/swift-tests*.xml 2>/dev/null | awk '
    /<testsuite / && match($0, / tests="[0-9]+"/) { tests = substr($0, RSTART + 8, RLENGTH - 9) }
    /<testsuite / && match($0, / failures="[0-9]+"/) { wrong = substr($0, RSTART + 11, RLENGTH - 12) }
    END { print tests + 0, wrong + 0 }'
}

# step KIND NAME COMMAND...
step() {
  local kind=$1 name=$2 log=$logs/${2// /-}.log started=$SECONDS code=0 tests wrong verdict=passed
  shift 2
  headline "$name"
  "$@" 2>&1 | tee "$log" || code=$?
  read -r tests wrong < <("count_$kind" "$log")
  # Whatever was counted: what ended badly has failed, and what had no tests has tested nothing.
  ((code == 0 && tests > 0)) || wrong=$((wrong > 0 ? wrong : 1))
  tests=$((tests > wrong ? tests : wrong))
  passed=$((passed + tests - wrong))
  failed=$((failed + wrong))
  ((wrong == 0)) || verdict=FAILED
  summary+=("$(printf '%-7s %-16s %4d passed, %d failed %6d s' "$verdict" "$name" "$((tests - wrong))" "$wrong" \
    "$((SECONDS - started))")")
  ((wrong == 0))
}

finish() {
  headline summary
  printf '%s\n' "${summary[@]}"
  say "$passed passed, $failed failed"
  ((failed == 0))
}

# The payloads that the Swift tests compare the decoder with, and what it said to them.
readonly corpus=$logs/schema-corpus.ndjson

# Eight at a time keep two processors busy; all at once keep each other waiting. (An older Swift does not know the variable.)
# Hides the lines which say that a test begins; there are thousands.
swift_tests() {
  rm -f .build/swift-tests*.xml "$corpus"
  SCHEMA_CORPUS=$PWD/$corpus SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8 swift test --skip-build --disable-xctest --xunit-output .build/swift-tests.xml 2>&1 | grep --line-buffered -v '^◇'
}

for linter in swift sql shell hygiene secrets docs; do
  step plain "lint $linter" scripts/lint.sh "$linter" || true
done
step plain build swift build --build-tests || {
  finish
  exit 1
}
step swift "swift test" swift_tests || true
step plain "payload schema" .venv/bin/python scripts/check-schema.py "$corpus" || true
step plain "schema snapshot" scripts/snapshot.sh compare || true
step plain pages scripts/pages.sh check || true
step plain monitoring scripts/monitoring.sh check || true
step plain benchmark scripts/grid.sh --short || true
step tap pgTAP scripts/pgtap.sh || true
step tap scripts prove --failures --comments Tests/scripts/*.sh || true
finish
