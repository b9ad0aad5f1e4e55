import FoundationEssentials
import HealthPayload
import MetricDaemon
import MetricPictures
import MetricStore

/// All metrics of a user on one page.
enum ReportCommand: Command {
  static let page = CommandPage(
    name: "report",
    summary: "write all metrics of a user as one page of HTML",
    text: """
      Writes one page with every metric that is held of a user: the average with the
      number of days that it is over, a picture of the days, a calendar of what is
      known, what can be done about the gaps, and all days as a table. The page needs
      no network and no scripts, fits phones and paper, and has a text for each
      picture. It holds health values: treat the file like the database. A file of
      --output can be read by its owner only.
      """,
    needed: [.person], settings: [.from, .to, .output] + Setting.connection,
    exitCodes: ExitCode.rows(
      .success, .usage, .data, .unavailable, .internalError, .cannotCreate, .configuration,
      replacing: [.data: "nothing is held of the user"]),
    examples: [
      .init("the last 90 days", "dailymetricd report --user \"$user\" > report.html"),
      .init(
        "one month",
        "dailymetricd report --user \"$user\" --from 2026-10-01 --to 2026-10-31 \\\n    --output october.html"),
    ])

  /// What the database knows.
  private struct Answers: Sendable {
    let meanings: [String: String]
    let actions: [ClientAction]
    var metrics: [(metric: DescribedMetric, series: StoredSeries)] = []
  }

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let request = try PictureRequest(call)
    let user = request.user
    let held = try await call.withSession { (session) async throws(StoreError) in try await session.span(of: user) }
    let days = try request.days(held: held)
    let answers = try await call.withSession { (session) async throws(StoreError) in
      var answers = Answers(
        meanings: try await session.reasonMeanings(), actions: try await session.clientActions(of: user, days: days))
      for metric in try await session.describedMetrics(of: user) {
        answers.metrics.append((metric, try await session.series(of: metric.code, user: user, days: days)))
      }
      return answers
    }
    var chapters: [Chapter] = []
    for (metric, stored) in answers.metrics {
      let gaps = answers.actions.filter { $0.metric == metric.code }.map {
        Gap(days: $0.days, platform: $0.platform, action: $0.action, message: $0.message)
      }
      chapters.append(Chapter(series: try Series(stored, of: metric, meanings: answers.meanings), gaps: gaps))
    }
    let page = ReportPage(user: user.uuidString.lowercased(), days: days, chapters: chapters)
    try call.deliver(Data(page.html.utf8))
    return .success
  }
}
