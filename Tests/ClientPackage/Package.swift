// swift-tools-version: 6.2
import PackageDescription

// An app that takes the product HealthPayload, as one outside of this repository would. Built and run by
// Tests/scripts/client.sh.
let package = Package(
  name: "ClientPackage",
  platforms: [.macOS(.v15), .iOS(.v17)],
  dependencies: [.package(name: "dailymetricd", path: "../..")],
  targets: [
    .executableTarget(
      name: "Client", dependencies: [.product(name: "HealthPayload", package: "dailymetricd")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)
