#!/usr/bin/env bash
# Feeds the decoder damaged payloads with libFuzzer, guided by coverage, under AddressSanitizer.
#   scripts/fuzz.sh [SECONDS]      60 by default
# What was learnt is kept in .build/fuzz/corpus. Exits with another code than 0 if an input breaks what must hold; the input is
# then in .build/fuzz. Needs the fuzzer's library of Swift's toolchain for Linux.

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

seconds=${1:-60}
place=$root/.build/fuzz
mkdir -p "$place/Sources" "$place/corpus"
rm -rf "$place/Sources" "$place/catalogue"
mkdir "$place/Sources"
cp -R Sources/HealthPayload Sources/PayloadDecoder bench/FuzzDecode "$place/Sources"
cp -R catalogue "$place"
cp Tests/PayloadDecoderTests/fixtures/*.json "$place/corpus"
cd "$place"

# A package of its own, because flags that sanitize are not for the others.
cat >Package.swift <<'SWIFT'
// swift-tools-version: 6.2
import PackageDescription
let flags = ["-sanitize=fuzzer,address"]
let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .enableExperimentalFeature("Lifetimes"), .unsafeFlags(flags)]
let package = Package(
  name: "fuzz", platforms: [.macOS(.v15)],
  targets: [
    .target(name: "HealthPayload", swiftSettings: settings),
    .target(name: "PayloadDecoder", dependencies: ["HealthPayload"], swiftSettings: settings),
    .executableTarget(
      name: "FuzzDecode", dependencies: ["HealthPayload", "PayloadDecoder"], swiftSettings: settings,
      linkerSettings: [.unsafeFlags(flags + ["-use-ld=lld"])]),
  ])
SWIFT

swift build -c release --product FuzzDecode
ASAN_OPTIONS=detect_leaks=0 .build/release/FuzzDecode corpus -max_total_time="$seconds" -max_len=4096 -timeout=10 -print_final_stats=1
