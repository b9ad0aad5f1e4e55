#!/usr/bin/env bash
# Each misfortune on a server of its own, with producers and services at work; afterwards every payload must have been
# applied exactly once and all tables must equal those of one undisturbed worker. Prints what was seen as a table.
#   scripts/drills.sh [FILTER]      FILTER: a regular expression for the names of tests, such as 'disk|clock'
# As root it also fills up small disks and takes memory away; with Debian's faketime it also turns clocks. DRILL_KILLS (200) and CHAOS_PAYLOADS
# (3000) change the size, DRILL_OTHER_DAEMON names another build to work beside this one. The table is left in
# .dailymetricd/drills.tsv.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

scripts/setup.sh test
[[ -e /usr/lib/$(uname -m)-linux-gnu/faketime/libfaketime.so.1 ]] ||
  say "Clocks are left alone, for want of libfaketime: sudo apt-get install -y --no-install-recommends faketime"
((EUID == 0)) || say "Disks and memory are left alone: only root may mount small ones and make control groups."

mkdir -p "$state"
export DRILLS_REPORT=$state/drills.tsv
: >"$DRILLS_REPORT"
code=0
swift test --disable-xctest --filter "Drills/.*(${1:-.})" 2>&1 | grep --line-buffered -v '^◇' || code=$?

headline "what was seen"
awk -F'\t' '
  function wrapped(text, width,   words, count, i, line, out) {
    count = split(text, words, " ")
    for (i = 1; i <= count; i++) {
      if (line != "" && length(line " " words[i]) > width) { out = out line "\n"; line = words[i] }
      else line = line (line == "" ? "" : " ") words[i]
    }
    return out line
  }
  BEGIN { printf "%-26s %-10s %s\n", "drill", "recovered", "what it does, and what was seen" }
  {
    count = split(wrapped($2 ":\n" $3, 82), lines, "\n")
    for (i = 1; i <= count; i++) printf "%-26s %-10s %s\n", i == 1 ? $1 : "", i == 1 ? $4 : "", lines[i]
  }' "$DRILLS_REPORT"
exit "$code"
