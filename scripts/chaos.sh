#!/usr/bin/env bash
# Four services on one queue, in calm and in a storm: killed, cut off, frozen, their server crashed; then compares what
# they made with what one worker makes alone. The whole size; make test does a minute of it.
#   scripts/chaos.sh
# CHAOS_SEED, CHAOS_PAYLOADS and the other variables below change it; the first line printed repeats a run.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

scripts/setup.sh test
export CHAOS_SEED=${CHAOS_SEED:-$((RANDOM << 15 | RANDOM))}
export CHAOS_PAYLOADS=${CHAOS_PAYLOADS:-20000} CHAOS_PEOPLE=${CHAOS_PEOPLE:-300} CHAOS_BATCH=${CHAOS_BATCH:-25}
export CHAOS_KILLS=${CHAOS_KILLS:-60} CHAOS_TERMINATIONS=${CHAOS_TERMINATIONS:-60}
export CHAOS_RESTARTS=${CHAOS_RESTARTS:-6} CHAOS_FREEZES=${CHAOS_FREEZES:-3}
exec swift test --disable-xctest --filter ChaosTests
