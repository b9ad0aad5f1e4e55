# shellcheck shell=bash
# shellcheck disable=SC2154  # lib.sh sets root
# The Python of the peers beside which the benchmarks measure the daemon. Sourced, never run, after lib.sh.

# Makes .build/bench-peers from bench/peers/requirements.txt, or says why there are no peers. Sets BOUND_PEERS if there are.
find_peers() {
  local place=.build/bench-peers log=.build/bench-peers.log wanted
  wanted=$(echo "$root" && cat bench/peers/requirements.txt)
  if [[ ! -f $place/installed || $(<"$place/installed") != "$wanted" ]]; then
    mkdir -p .build
    # psycopg's own part in C is built here: pg_config and a C compiler are there wherever the daemon can be built.
    if ! quietly "$log" python3 -m venv --clear "$place" ||
      ! quietly "$log" "$place/bin/pip" install --disable-pip-version-check --requirement bench/peers/requirements.txt; then
      say "The peers are left out (log: $log)."
      return 0
    fi
    echo "$wanted" >"$place/installed"
  fi
  export BOUND_PEERS=$place/bin/python
}
