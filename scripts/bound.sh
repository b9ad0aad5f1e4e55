#!/usr/bin/env bash
# How near the daemon is to what its own SQL allows, and how far workers in Python are: Benchmarks bound on a Postgres that writes
# safely, with the peers of bench/peers if a Python package index can be reached. Takes a quarter of an hour.
#   scripts/bound.sh [FILE]      FILE: the measurements as JSON too
# BOUND_CELLS="0 1000000 10000000" and BOUND_ROUNDS=3 change what is measured.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

readonly peers=.build/bench-peers
if ! [[ -x $peers/bin/python ]] || ! "$peers/bin/python" -c 'import psycopg' 2>/dev/null; then
  mkdir -p .build
  # psycopg's own part in C is built here: pg_config and a C compiler are there wherever the daemon can be built.
  if ! quietly .build/bench-peers.log python3 -m venv --clear "$peers" ||
    ! quietly .build/bench-peers.log "$peers/bin/pip" install --disable-pip-version-check --requirement bench/peers/requirements.txt; then
    say "The peers are left out (log: .build/bench-peers.log)."
  fi
fi
if "$peers/bin/python" -c 'import psycopg' 2>/dev/null; then
  export BOUND_PEERS=$peers/bin/python
fi
swift build -c release --product Benchmarks
DURABLE=1 scripts/throwaway-postgres.sh .build/release/Benchmarks ${1:+--json "$1"} bound
