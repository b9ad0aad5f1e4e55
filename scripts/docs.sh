#!/usr/bin/env bash
# Builds the documentation of HealthPayload into .build/docs; a link that leads nowhere is an error.
#   scripts/docs.sh            then: python3 -m http.server --directory .build/docs, and /documentation/healthpayload
# Uses docc and swift-symbolgraph-extract of the toolchain. Who has not built the library yet has it built here.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

readonly catalogue=Sources/HealthPayload/HealthPayload.docc
# Of a build elsewhere, if there is one: a test has just built it.
readonly modules=${HEALTHPAYLOAD_MODULES:-.build/debug/Modules}
readonly graphs=.build/symbol-graphs

for tool in docc swift-symbolgraph-extract; do
  command -v "$tool" >/dev/null || fail "$EX_UNAVAILABLE" "no $tool in PATH; it comes with the Swift toolchain of swift.org"
done
[[ -e $modules/HealthPayload.swiftmodule ]] || swift build --target HealthPayload

triple=$(swift -print-target-info | sed -nE 's/^ *"unversionedTriple": "(.*)",?$/\1/p')
rm -rf "$graphs"
mkdir -p "$graphs"
swift-symbolgraph-extract -module-name HealthPayload -I "$modules" -target "$triple" -minimum-access-level public \
  -output-dir "$graphs"
docc convert "$catalogue" --additional-symbol-graph-dir "$graphs" --output-path .build/docs --warnings-as-errors \
  --fallback-display-name HealthPayload --fallback-bundle-identifier dailymetricd.HealthPayload
say "The documentation is in .build/docs."
