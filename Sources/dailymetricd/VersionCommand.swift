import MetricDaemon
import MetricStore

/// Which build this is.
enum VersionCommand: Command {
  static let page = CommandPage(
    name: "version",
    summary: "print the version and the schema that it works with",
    text: """
      Prints the version of this build and the newest migration that it was made
      with: the schema that run and drain want to find. It needs no database.
      """,
    settings: [.json],
    exitCodes: ExitCode.rows(.success, .usage),
    examples: [
      .init("for people", "dailymetricd version"),
      .init("for scripts", "dailymetricd version --json"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    if call.values.isOn(.json) {
      try Terminal.out(json: Version(version: ProductVersion.text, schema: ProductVersion.schema))
    } else {
      Terminal.out("dailymetricd \(ProductVersion.text), schema \(ProductVersion.schema)")
    }
    return .success
  }

  private struct Version: Encodable {
    let version: String
    let schema: String
  }
}

/// The version of the product as a whole.
enum ProductVersion {
  static let text = "0.1.0"

  /// The newest migration of this build, by its file's name without the ending.
  static var schema: String {
    let migrations = EmbeddedFile.all.map(\.name).filter { $0.hasPrefix("migrations/0") }
    guard let newest = migrations.max() else { return "none" }
    return newest.replacing("migrations/", with: "").replacing(".sql", with: "")
  }
}
