#!/usr/bin/env bash
# Runs the tests in Swift under a sanitizer of the compiler, in a build of its own below .build.
#   scripts/sanitize.sh address|thread [FILTER]      all tests but the long ones by default
# AddressSanitizer watches memory, ThreadSanitizer what two threads touch without agreeing. Both watch the tests, the
# libraries under test and the program that the end-to-end tests start. A finding fails the test in which it happens, or the run.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

kind=${1:-}
[[ $kind == address || $kind == thread ]] || fail "$EX_USAGE" "which sanitizer? scripts/sanitize.sh address|thread [FILTER]"
if [[ -z ${DAILYMETRICD_TEST_CLUSTER:-} ]]; then
  scripts/setup.sh test
  exec scripts/throwaway-postgres.sh "$0" "$@"
fi

readonly build=.build/sanitize-$kind
# LeakSanitizer reports what XCTest's own start leaves behind, which is not ours to free.
export ASAN_OPTIONS=detect_leaks=0:halt_on_error=1
export TSAN_OPTIONS="halt_on_error=1:suppressions=$root/scripts/thread-sanitizer.txt"
export SWIFT_BACKTRACE=enable=no SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4
if [[ $kind == thread ]]; then
  mkdir -p "$build"
  "$(dirname "$(readlink -f "$(command -v swift)")")/clang" -Wall -Wextra -Werror -O1 -shared -fPIC \
    -o "$build/mutex.so" scripts/thread-sanitizer-mutex.c
  preloaded=$root/$build/mutex.so
fi
swift build --build-tests --scratch-path "$build" --sanitize="$kind"
LD_PRELOAD=${preloaded:-} exec swift test --skip-build --scratch-path "$build" --sanitize="$kind" --disable-xctest --filter "${2:-.}"
