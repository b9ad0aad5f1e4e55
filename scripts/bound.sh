#!/usr/bin/env bash
# How near the daemon is to what its own SQL allows, and how far workers in Python are: Benchmarks bound on a Postgres that writes
# safely, with the peers of bench/peers if a Python package index can be reached. Takes a quarter of an hour.
#   scripts/bound.sh [FILE]      FILE: the measurements as JSON too
# BOUND_CELLS="0 1000000 10000000" and BOUND_ROUNDS=3 change what is measured.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=scripts/peers.sh
source scripts/peers.sh

find_peers
swift build -c release --product Benchmarks
DURABLE=1 scripts/throwaway-postgres.sh .build/release/Benchmarks ${1:+--json "$1"} bound
