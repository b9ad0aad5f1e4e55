import MetricDaemon

/// Which build this is.
enum VersionCommand: Command {
  static let page = CommandPage(
    name: "version",
    summary: "print the version and the schema that it works with",
    text: """
      Prints the version of this build and the newest migration that it was made with:
      the schema that run and drain want to find. It needs no database.
      """,
    settings: [.json],
    exitCodes: ExitCode.rows(.success, .usage),
    examples: [
      .init("for people", "dailymetricd version"),
      .init("for scripts", "dailymetricd version --json"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let schema = ProductVersion.schema
    if call.values.isOn(.json) {
      Terminal.out(#"{"version":"\#(ProductVersion.text)","schema":"\#(schema)"}"#)
    } else {
      Terminal.out("dailymetricd \(ProductVersion.text), schema \(schema)")
    }
    return .success
  }
}

/// The version of the product as a whole.
enum ProductVersion {
  static let text = "0.1.0"
  static let schema = "none"
}
