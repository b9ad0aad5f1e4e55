#!/usr/bin/env bash
# What each shape of payloads costs at 0, one million and ten million cells, with one worker and with two: Benchmarks grid on a Postgres
# that writes safely. Takes three quarters of an hour, and 10 GB of disk.
#   scripts/grid.sh [FILE]       FILE: the measurements as JSON too
#   scripts/grid.sh --short      a fiftieth of the people, once around: whether the benchmark works, in less than half a minute
# GRID_CELLS="0 1000000", GRID_ROUNDS=1 and GRID_SHARE=10 change what is measured.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

if [[ ${1:-} == --short ]]; then
  # Its times say nothing, so it need not be built with optimisation, nor write safely.
  swift build --product Benchmarks
  export GRID_CELLS=${GRID_CELLS:-0 5000} GRID_ROUNDS=1 GRID_SHARE=${GRID_SHARE:-50}
  exec scripts/throwaway-postgres.sh .build/debug/Benchmarks grid
fi
swift build -c release --product Benchmarks
DURABLE=1 scripts/throwaway-postgres.sh .build/release/Benchmarks ${1:+--json "$1"} grid
