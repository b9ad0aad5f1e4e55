import HealthPayload
import MetricDaemon

/// The parts of the documentation that the program itself knows best.
enum ManualCommand: Command {
  static let page = CommandPage(
    name: "manual",
    summary: "print a manual page, or a file of settings with everything in it",
    text: """
      Prints what packages and web pages need, made from the same tables as --help:
      dailymetricd.8 and dailymetricd.conf.5, manual pages; dailymetricd.conf, a file
      of settings in which each is explained and none is set; settings.md, the
      settings as a table in Markdown.
      """,
    arguments: [.init("PART", Manual.parts.joined(separator: ", "))],
    settings: [],
    exitCodes: ExitCode.rows(.success, .usage),
    examples: [
      .init("read it", "dailymetricd manual dailymetricd.8 | man -l -"),
      .init("a file to begin with", "dailymetricd manual dailymetricd.conf > dailymetricd.conf"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let name = call.arguments[0]
    let manual = Manual(
      commands: Program.commands.map { $0.page }, exitCodes: ExitCode.all, version: ProductVersion.text)
    guard let part = manual.part(name) else {
      throw Failure(
        code: .usage, message: "there is no part \(name.onOneLine); there are \(Manual.parts.joined(separator: ", "))")
    }
    print(part, terminator: "")
    return .success
  }
}
