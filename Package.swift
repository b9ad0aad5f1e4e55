// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "dailymetricd",
  platforms: [.macOS(.v15), .iOS(.v17)],
  products: [
    .library(name: "HealthPayload", targets: ["HealthPayload"]),
    // Apart, so that an app that takes the library alone links none of Apple's frameworks that need a permission.
    .library(name: "HealthPayloadApple", targets: ["HealthPayloadApple"]),
    .executable(name: "dailymetricd", targets: ["dailymetricd"]),
  ],
  targets: [
    .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(name: "CMigrations"),
    .target(name: "HealthPayload", swiftSettings: strict),
    .target(name: "HealthPayloadApple", dependencies: ["HealthPayload"], swiftSettings: strict),
    .target(
      name: "PayloadDecoder", dependencies: ["HealthPayload"],
      // The scanner borrows the payload's bytes for as long as it lives, and the compiler proves it.
      swiftSettings: strict + [.enableExperimentalFeature("Lifetimes")]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .target(name: "AppleExport", dependencies: ["CExpat"], swiftSettings: strict),
    .target(name: "ProviderFormats", dependencies: ["HealthPayload", "PayloadDecoder"], swiftSettings: strict),
    .target(name: "Postgres", dependencies: ["CLibPQ"], swiftSettings: strict),
    .target(
      name: "MetricStore",
      dependencies: ["CMigrations", "HealthPayload", "PayloadDecoder", "Postgres"],
      swiftSettings: strict),
    .target(
      name: "MetricDaemon",
      dependencies: ["HealthPayload", "PayloadDecoder", "MetricStore"],
      swiftSettings: strict),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .target(
      name: "MetricEndpoint", dependencies: ["CMicroHTTPD", "HealthPayload", "MetricDaemon", "PayloadDecoder"],
      swiftSettings: strict),
    .target(name: "MetricPictures", dependencies: ["HealthPayload"], swiftSettings: strict),
    .executableTarget(
      name: "dailymetricd",
      dependencies: [
        "HealthPayload", "AppleExport", "PayloadDecoder", "ProviderFormats", "MetricStore", "MetricDaemon",
        "MetricEndpoint",
        "MetricPictures",
      ],
      swiftSettings: strict),
    .executableTarget(name: "DemoData", dependencies: ["HealthPayload"], swiftSettings: strict),
    .executableTarget(
      name: "Benchmarks", dependencies: ["HealthPayload", "PayloadDecoder", "MetricStore", "Postgres"],
      path: "bench/Benchmarks", swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["Postgres"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "HealthPayloadTests", dependencies: ["HealthPayload"], exclude: ["fixtures"], swiftSettings: strict),
    .testTarget(
      name: "PayloadDecoderTests", dependencies: ["HealthPayload", "PayloadDecoder"],
      exclude: ["fixtures"], swiftSettings: strict),
    .testTarget(name: "AppleExportTests", dependencies: ["AppleExport", "ProviderFormats"], swiftSettings: strict),
    .testTarget(
      name: "ProviderFormatsTests",
      dependencies: ["HealthPayload", "PayloadDecoder", "ProviderFormats", "TestSupport"],
      exclude: ["fixtures"], swiftSettings: strict),
    .testTarget(name: "PostgresTests", dependencies: ["Postgres", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "MetricPicturesTests", dependencies: ["HealthPayload", "MetricPictures", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "MetricStoreTests",
      dependencies: [
        "HealthPayload", "MetricStore", "PayloadDecoder", "Postgres", "ProviderFormats", "TestSupport",
      ],
      exclude: ["cases", "transitions.txt"], swiftSettings: strict),
    .testTarget(
      name: "MetricDaemonTests", dependencies: ["MetricDaemon", "MetricStore", "Postgres", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "MetricEndpointTests",
      dependencies: [
        "HealthPayload", "MetricDaemon", "MetricEndpoint", "MetricStore", "PayloadDecoder", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests", dependencies: ["dailymetricd", "HealthPayload", "Postgres", "TestSupport"],
      path: "Tests/EndToEnd", swiftSettings: strict),
    .testTarget(name: "RoomTests", path: "Tests/Rooms", swiftSettings: strict),
  ]
)
