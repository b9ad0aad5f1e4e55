#!/usr/bin/env bash
# What the documents say is what the product does: the example payload is fine, and a table that has gone stale is found.

source "$(dirname "${BASH_SOURCE[0]}")/support/tap.sh"
copy=$(mktemp -d)
trap 'rm -rf "$DAILYMETRICD_STATE" "$copy"' EXIT

example_is_accepted() { scripts/check-docs.sh example | .build/debug/dailymetricd validate -; }

copied() {
  rm -rf "${copy:?}"/*
  cp -r ./*.md docs catalogue migrations monitoring packaging schema scripts Sources Tests bench "$copy"
}
passes() { copied && "$copy/scripts/check-docs.sh"; }

# stale FILE SED-SCRIPT: a copy of the project in which the file was edited like this does not pass.
stale() {
  copied && sed -i -E "$2" "$copy/$1" && ! "$copy/scripts/check-docs.sh"
}

ok 'the example payload of the README is fine, down to the last entry' example_is_accepted
ok 'the documents are what the code has' passes
ok 'a code of the catalogue that no page explains is found' stale catalogue/codes.csv 's/^(quarantine),unknown_metric,/\1,new_code,/'
ok 'a platform error that leads elsewhere is found' stale catalogue/platform_errors.csv 's/^(HKError.7),.*/\1,provider_error,/'
ok 'an exit code that the README does not have is found' stale Sources/dailymetricd/ExitCode.swift 's/(case data) = 65/\1 = 99/'
ok 'a file that is not there is found' stale docs/laws.md 's/05_time.sql/05_tide.sql/'
done_testing
