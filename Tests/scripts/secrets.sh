#!/usr/bin/env bash
# The scan for secrets finds one, with its place, and nothing in a clean file.

source "$(dirname "${BASH_SOURCE[0]}")/support/tap.sh"
sample=$(mktemp -d)
trap 'rm -rf "$DAILYMETRICD_STATE" "$sample"' EXIT

finds() {
  local output
  printf 'address = "db.example"\n%s\n' "$1" >"$sample/settings.txt"
  output=$(scripts/secrets.sh "$sample") && return 1
  printf '%s\n' "$output"
  [[ $output == settings.txt:2:* && $output != *"$1"* ]]
}

accepts() {
  printf '%s\n' "$1" >"$sample/settings.txt"
  scripts/secrets.sh "$sample"
}

ok 'a cloud key is found, and not repeated' finds "key = \"AK""IAQYLPMN5HFIQR7XYA\""
ok 'a password in an address is found' finds "$(printf 'url = postgresql://me%scorrect-horse%sdb.example/health' : @)"
ok 'an address without one is none' accepts 'url = postgresql://me@db.example/health'
done_testing
