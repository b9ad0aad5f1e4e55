import FoundationEssentials
import Glibc
import HealthPayload
import MetricDaemon
import MetricPictures
import MetricStore

/// A picture of one metric.
enum ChartCommand: Command {
  static let page = CommandPage(
    name: "chart",
    summary: "draw one metric of one user",
    text: """
      Draws what is known of a metric, day by day, and what is not. A line breaks
      where a day is unknown: such days are a marked band, and the legend says why. A
      measured zero has a mark of its own; an open mark is a lower bound, read before
      the day was over. Metrics that are measured now and then, such as weight, are
      joined by a dashed line. The left edge names the earliest day that is held, and
      why there is nothing before it. Nothing is filled in.

      text and svg need no other program; png is drawn by gnuplot (Debian's package is
      gnuplot-nox). The picture holds health values; a file of
      --output can be read by its owner only.
      """,
    needed: [.person, .metric], settings: [.from, .to, .format, .output] + Setting.connection,
    exitCodes: ExitCode.rows(
      .success, .usage, .data, .unavailable, .internalError, .cannotCreate, .configuration,
      replacing: [
        .data: "nothing is held of the user, or there is no such metric",
        .unavailable: "the database cannot be reached, or gnuplot is missing",
      ]),
    examples: [
      .init(
        "steps in the terminal", "dailymetricd chart --user 7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa --metric steps"),
      .init(
        "for a page",
        "dailymetricd chart --user \"$user\" --metric weight --from 2026-01-01 \\\n    --format svg --output weight.svg"
      ),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let request = try PictureRequest(call)
    let name = try PictureRequest.needed(
      .metric, try call.setting { (values) throws(SettingError) in try values.text(.metric) })
    let format = try call.setting { (values) throws(SettingError) in try values.word(.format) }
    if format == "png" { try refuseTerminal(call) }
    let (all, held) = try await call.withSession { (session) async throws(StoreError) in
      (try await session.describedMetrics(of: nil), try await session.span(of: request.user))
    }
    let metric = try find(name, in: all)
    let days = try request.days(held: held)
    let (stored, meanings) = try await call.withSession { (session) async throws(StoreError) in
      (
        try await session.series(of: metric.code, user: request.user, days: days), try await session.reasonMeanings()
      )
    }
    let series = try Series(stored, of: metric, meanings: meanings)
    switch format {
    case "svg": try call.deliver(Data(SVGPicture(series).document.utf8))
    case "png": try call.deliver(try Gnuplot(environment: call.environment).draw(GnuplotScript(series).text))
    default: try call.deliver(Data(TextPicture(series, isASCII: !isUTF8(call.environment)).text.utf8))
    }
    return .success
  }

  private static func find(_ name: String, in metrics: [DescribedMetric]) throws(Failure) -> DescribedMetric {
    if let metric = metrics.first(where: { $0.code == name }) { return metric }
    let close = Spelling.closest(to: name, among: metrics.map(\.code))
    throw Failure(
      code: .data,
      message: "there is no metric \(name.onOneLine)"
        + (close.map { "; did you mean \($0)?" } ?? "; the table metric lists them."))
  }

  private static func refuseTerminal(_ call: Call) throws(Failure) {
    let path = try call.setting { (values) throws(SettingError) in try values.text(.output) }
    guard path == nil, isatty(STDOUT_FILENO) == 1 else { return }
    throw Failure(code: .usage, message: "png is not for terminals: name a file with --output, or use --format text")
  }

  /// Whether the terminal shows more than ASCII, as its locale says.
  private static func isUTF8(_ environment: [String: String]) -> Bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"]
    let locale = names.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
    return locale.lowercased().replacing("-", with: "").contains("utf8")
  }
}
