// swift-tools-version: 6.2
import PackageDescription

// The decoder and what feeds it, built with other flags than the project; scripts/fuzz.sh puts the sources beside this file.
let flags = ["-sanitize=fuzzer,address"]
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6), .enableExperimentalFeature("Lifetimes"), .unsafeFlags(flags),
]
let package = Package(
  name: "fuzz", platforms: [.macOS(.v15)],
  targets: [
    .target(name: "HealthPayload", swiftSettings: settings),
    .target(name: "PayloadDecoder", dependencies: ["HealthPayload"], swiftSettings: settings),
    .executableTarget(
      name: "FuzzDecode", dependencies: ["HealthPayload", "PayloadDecoder"], swiftSettings: settings,
      linkerSettings: [.unsafeFlags(flags + ["-use-ld=lld"])]),
  ])
