# shellcheck shell=bash
# Tests of the scripts speak TAP, which prove counts. Sourced by each of them.

set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.." || exit 1
# What a test starts must not touch the developer's own demo, nor meet the cluster of the test run.
DAILYMETRICD_STATE=$(mktemp -d "${TMPDIR:-/tmp}/dailymetricd-state.XXXXXX")
export DAILYMETRICD_STATE
chmod 755 "$DAILYMETRICD_STATE"
unset DAILYMETRICD_TEST_CLUSTER

count=0

# ok SENTENCE COMMAND...: the test passes if the command does; its output is shown if it does not.
ok() {
  local sentence=$1 output code=0
  shift
  count=$((count + 1))
  output=$("$@" 2>&1) || code=$?
  if ((code == 0)); then
    echo "ok $count - $sentence"
  else
    echo "not ok $count - $sentence"
    printf '%s\n' "exit code $code" "$output" | sed 's/^/# /'
  fi
}

# ok_unless REASON SENTENCE COMMAND...: with a reason the test is left out, and the reason printed.
ok_unless() {
  if [[ -z $1 ]]; then
    ok "${@:2}"
  else
    count=$((count + 1))
    echo "ok $count - $2 # SKIP $1"
  fi
}

# fails_with CODE COMMAND...
fails_with() {
  local wanted=$1 code=0
  shift
  "$@" || code=$?
  ((code == wanted))
}

# prints TEXT COMMAND...: the command succeeds and its output contains the text.
prints() {
  local text=$1 output
  shift
  output=$("$@" 2>&1) || return
  printf '%s\n' "$output"
  [[ $output == *"$text"* ]]
}

done_testing() { echo "1..$count"; }
