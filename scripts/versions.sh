#!/usr/bin/env bash
# The tests in SQL and Swift on each version of Postgres that can be had: those of /usr/lib/postgresql, and where a Python package index can
# be reached 16 and 18 from there, and the one that POSTGRES_BIN names. Prints a table; ends with 1 if a version has failed. Takes ten minutes for each.
#   scripts/versions.sh [VERSION...]      only these, such as 16 18

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
forget_callers_database
scripts/setup.sh test

readonly venv=.build/postgres-versions
declare -A servers=()

# A server without pgTAP gets Debian's, which is nothing but SQL.
add_pgtap() {
  local share
  share=$("$1/pg_config" --sharedir)/extension
  [[ -e $share/pgtap.control ]] || cp /usr/share/postgresql/*/extension/pgtap* "$share/"
}

collect() {
  local bin version
  if ! [[ -e $venv/ready ]]; then
    mkdir -p .build
    if quietly "$venv.log" python3 -m venv --clear "$venv" &&
      quietly "$venv.log" "$venv/bin/pip" install --disable-pip-version-check --requirement scripts/versions-requirements.txt; then
      touch "$venv/ready"
    else
      say "Only installed servers are tried (log: $venv.log)."
    fi
  fi
  for bin in "$PWD/$venv"/lib/python3*/site-packages/*/pginstall*/bin /usr/lib/postgresql/*/bin ${POSTGRES_BIN:-}; do
    [[ -e $bin/initdb ]] || continue
    [[ $bin != *site-packages* ]] || chmod +x "$bin"/*
    version=$("$bin/initdb" --version | grep -oE '[0-9]+' | head -n 1)
    # Of two of a version the one with more extensions, which is Debian's if there is one.
    [[ -n ${servers[$version]:-} && ! -e $("$bin/pg_config" --sharedir)/extension/dblink.control ]] || servers[$version]=$bin
  done
}

# Prints what the tests came to on the server that POSTGRES_BIN names, as one line of the table.
try_version() {
  local log=.build/versions-$1.log tap=passed swift=passed without='' files=(Tests/sql/*.sql)
  if ! [[ -e $("$POSTGRES_BIN/pg_config" --sharedir)/extension/dblink.control ]]; then
    mapfile -t files < <(grep -L 'CREATE EXTENSION dblink' Tests/sql/*.sql)
    without=" (without the files that want dblink, which this server lacks)"
  fi
  local -x PATH=$POSTGRES_BIN:$PATH                # pg_dump refuses servers that are newer than itself
  scripts/pgtap.sh "${files[@]}" >"$log" 2>&1 || tap=FAILED
  SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=8 swift test --skip-build --disable-xctest >>"$log" 2>&1 || swift=FAILED
  say "$("$POSTGRES_BIN/initdb" --version | sed 's/initdb //'): pgTAP $tap$without, Swift tests $swift: $(grep -E 'Test run with' "$log" | tail -n 1 | sed 's/^[^T]*//'); log: $log"
  [[ $tap$swift == passedpassed ]]
}

collect
swift build --build-tests
(($#)) || mapfile -t wanted < <(printf '%s\n' "${!servers[@]}" | sort -n)
(($# == 0)) || wanted=("$@")
code=0
for version in "${wanted[@]}"; do
  [[ -n ${servers[$version]:-} ]] || fail "$EX_UNAVAILABLE" "there is no Postgres $version in /usr/lib/postgresql or in $venv"
  export POSTGRES_BIN=${servers[$version]}
  add_pgtap "$POSTGRES_BIN"
  try_version "$version" || code=1
done
exit "$code"
