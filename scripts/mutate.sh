#!/usr/bin/env bash
# Puts a default number into each place of the decoder where a value may be missing, one at a time in a copy of the project,
# and runs the decoder's tests: each mutation of scripts/mutations.txt must turn at least one of them red.
#   scripts/mutate.sh [PART OF A NAME]      all mutations by default
# Exits with 1 if a mutation survives, no longer applies or does not compile. Takes about half a minute for each.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

wanted=${1:-}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R Package.swift Sources Tests catalogue schema fuzz "$copy"
cd "$copy"

# Only the decoder's rooms, so that nothing else is built.
cat >Package.swift <<'SWIFT'
// swift-tools-version: 6.2
import PackageDescription
let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableExperimentalFeature("Lifetimes")]
let package = Package(
  name: "mutants", platforms: [.macOS(.v15)],
  targets: [
    .target(name: "HealthPayload", swiftSettings: settings),
    .target(name: "PayloadDecoder", dependencies: ["HealthPayload"], swiftSettings: settings),
    .testTarget(
      name: "HealthPayloadTests", dependencies: ["HealthPayload"], exclude: ["fixtures"], swiftSettings: settings),
    .testTarget(
      name: "PayloadDecoderTests", dependencies: ["HealthPayload", "PayloadDecoder"], exclude: ["fixtures"],
      swiftSettings: settings),
  ])
SWIFT

# The random bytes and the schema's corpus take long and know no laws; the grep for default numbers would kill every mutant
# by its spelling alone.
run_tests() {
  swift build --build-tests >build.log 2>&1 || return 2
  swift test --skip-build --disable-xctest --skip 'any bytes' --skip SchemaTests --skip 'nowhere in the decoder' >test.log 2>&1
}

run_tests || fail 1 "the tests fail without any mutation; mend them first (see swift test)"

survivors=0
count=0
while IFS= read -r name; do
  [[ -n $name && $name != \#* ]] || continue
  IFS= read -r file
  IFS= read -r substitution
  [[ $name == *"$wanted"* ]] || continue
  count=$((count + 1))
  cp "$file" original
  perl -0pi -e "$substitution" "$file"
  code=0
  if cmp -s original "$file"; then
    verdict='DOES NOT APPLY'
  else
    run_tests || code=$?
    case $code in
      0) verdict=SURVIVED ;;
      2) verdict='DOES NOT COMPILE' ;;
      *) verdict="killed by $(grep -c '^✘ Test "' test.log || true)" ;;
    esac
  fi
  [[ $verdict == killed* ]] || survivors=$((survivors + 1))
  say "$(printf '%-16s %s' "$verdict" "$name")"
  mv original "$file"
done <"$root/scripts/mutations.txt"

say "$count mutations, $survivors not killed"
((count > 0 && survivors == 0))
