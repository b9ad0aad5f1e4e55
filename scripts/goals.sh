#!/usr/bin/env bash
# Everything that docs/performance.md aims at, measured on one throwaway Postgres that writes safely, and a table of goals and what was
# seen: Benchmarks goals. Takes about 25 minutes on two quiet cores, and 8 GB of disk for ten million cells.
#   scripts/goals.sh [FILE]      FILE: goals and what was seen as JSON too
# BOUND_CELLS, BOUND_ROUNDS, GRID_CELLS and GRID_ROUNDS change what is measured, and PARTS="latency memory" names some parts of it.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=scripts/peers.sh
source scripts/peers.sh

require_postgres
find_peers
# Where pgbench is.
export PATH=$pg_bin:$PATH
export BOUND_CELLS=${BOUND_CELLS:-1000000} GRID_CELLS=${GRID_CELLS:-0 10000000}
swift build -c release --product Benchmarks
swift build -c release --product dailymetricd
read -r -a parts <<<"${PARTS:-goals}"
DURABLE=1 scripts/throwaway-postgres.sh .build/release/Benchmarks ${1:+--json "$1"} "${parts[@]}"
