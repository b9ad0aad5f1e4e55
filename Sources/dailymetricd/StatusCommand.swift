import FoundationEssentials
import HealthPayload
import MetricDaemon
import MetricStore

/// How the queue is doing.
enum StatusCommand: Command {
  static let page = CommandPage(
    name: "status",
    summary: "say how the queue is doing, and whether that is healthy",
    text: """
      Prints how many payloads wait and for how long, when the last one was merged,
      the dead letters by code, the entries in quarantine and the re-checks that are
      due.

      It is unhealthy, with a sentence for each reason, if intake is paused, if the
      oldest payload waits for too long, if too large a share of the last day's
      payloads went to the dead letters (of at least 20 payloads), or if the schema
      is not the one that this build works with.
      """,
    settings: [.json, .asOf, .oldestAgeLimit, .deadLetterShare] + Setting.connection,
    exitCodes: ExitCode.rows(
      .success, .negative, .usage, .unavailable, .internalError, .configuration,
      replacing: [
        .success: "healthy", .negative: "unhealthy; the reasons are printed", .configuration: "a setting is wrong",
      ]),
    examples: [
      .init("a look", "dailymetricd status"),
      .init("for a monitor: more than five minutes is too long", "dailymetricd status --json --oldest-age 300"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let limits = try call.setting { (values) throws(SettingError) in
      QueueHealth.Limits(
        oldestAge: try values.duration(.oldestAgeLimit), deadLetterShare: try values.number(.deadLetterShare))
    }
    let now = try call.asOf() ?? WallClock.now()
    let report = try await call.withSession { (session) async throws(StoreError) in
      try await look(session, limits, now)
    }
    if call.values.isOn(.json) { try Terminal.out(json: report) } else { Terminal.out(report.text) }
    return report.healthy ? .success : .negative
  }

  /// A schema that does not fit is an answer; there is no queue to look at then.
  private static func look(
    _ session: StoreSession, _ limits: QueueHealth.Limits, _ now: Instant
  ) async throws(StoreError) -> StatusReport {
    do throws(StoreError) {
      _ = try await session.checkSchema()
    } catch {
      guard error.kind == .schema else { throw error }
      return StatusReport(status: nil, complaints: [error.message], now: now)
    }
    let status = try await session.queueStatus(asOf: now)
    let health = QueueHealth(
      depth: status.depth, oldestAge: status.oldestReceivedAt.map { StatusReport.seconds(from: $0, to: now) },
      mergedLastDay: status.mergedToday, deadLettersLastDay: status.deadToday)
    let pause = status.pause.map { [$0.sentence] } ?? []
    return StatusReport(status: status, complaints: pause + health.complaints(limits), now: now)
  }
}

/// What `status` prints. Its properties are the keys of --json; what is not known is left out there.
struct StatusReport: Encodable {
  let healthy: Bool
  /// One sentence each; empty if healthy.
  let complaints: [String]
  let depth: Int?
  let oldestAgeSeconds: Double?
  let lastSuccess: String?
  let mergedLastDay: Int?
  let deadLettersLastDay: Int?
  let deadLetters: [String: Int]?
  let quarantinedEntries: Int?
  let dueDays: Int?
  let pausedSince: String?
  let pausedBecause: String?

  init(status: QueueStatus?, complaints: [String], now: Instant) {
    healthy = complaints.isEmpty
    self.complaints = complaints
    depth = status?.depth
    oldestAgeSeconds = status?.oldestReceivedAt.map { StatusReport.seconds(from: $0, to: now) }
    lastSuccess = status?.lastSuccess?.description
    mergedLastDay = status?.mergedToday
    deadLettersLastDay = status?.deadToday
    deadLetters = status?.deadLetters
    quarantinedEntries = status?.quarantined
    dueDays = status?.dueDays
    pausedSince = status?.pause?.since.description
    pausedBecause = status?.pause?.because
  }

  static func seconds(from start: Instant, to end: Instant) -> Double {
    Double(end.microseconds - start.microseconds) / 1_000_000
  }

  var text: String {
    var rows: [(String, String)] = []
    if let depth {
      let age = oldestAgeSeconds.map { ", the oldest for \(Text.age($0))" }
      rows.append(("queue", Text.count(depth, "payload") + (age ?? "")))
      rows.append(("last success", lastSuccess ?? "never"))
    }
    if let mergedLastDay, let deadLettersLastDay {
      rows.append(
        (
          "last 24 hours",
          "\(Text.number(mergedLastDay)) merged, \(Text.number(deadLettersLastDay)) to the dead letters"
        ))
    }
    if let deadLetters {
      let codes = deadLetters.sorted { $0.key < $1.key }.map { "\(Text.number($0.value)) \($0.key)" }
      rows.append(("dead letters", codes.isEmpty ? "none" : codes.joined(separator: ", ")))
    }
    if let quarantinedEntries { rows.append(("quarantine", Text.count(quarantinedEntries, "entry", "entries"))) }
    if let dueDays { rows.append(("re-checks due", Text.count(dueDays, "user-day"))) }
    let table = rows.map { name, value in name + String(repeating: " ", count: 16 - name.count) + value }
    let reasons = complaints.map { "  \($0.onOneLine)" }
    return ([healthy ? "healthy" : "UNHEALTHY"] + reasons + table).joined(separator: "\n")
  }
}
