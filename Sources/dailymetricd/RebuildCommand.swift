import FoundationEssentials
import HealthPayload
import MetricDaemon
import MetricStore

/// Whether daily_metric is what the evidence amounts to.
enum RebuildCommand: Command {
  static let page = CommandPage(
    name: "rebuild",
    summary: "compare every cell with its evidence, and repair what differs",
    text: """
      Derives every cell again from the evidence, compares it with daily_metric, and
      derives those anew that differ; what they showed goes to the history. With
      --check it only reports. There is nothing to find unless somebody edited
      daily_metric or the evidence by hand, or a part of it was lost.

      Each cell that differs is one line: user, metric, day, and the names of the
      columns that differ. Values are not printed. When a row was computed and when
      it is checked next are no differences, nor is what still waits for a re-check.

      It works beside running services: up to 100 days of one user at a time, each
      in a transaction of its own, users in the order of their ids. It can be ended
      and begun again at any time.
      """,
    settings: [.check, .owner, .asOf] + Setting.connection,
    exitCodes: ExitCode.rows(
      .success, .negative, .usage, .unavailable, .internalError, .configuration,
      replacing: [.success: "nothing differs, or all of it is repaired", .negative: "--check: cells differ"]),
    examples: [
      .init("is everything as the evidence says?", "dailymetricd rebuild --check"),
      .init("repair one user", "dailymetricd rebuild --user 7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let only = try call.setting { (values) throws(SettingError) in try values.uuid(.owner) }
    let asOf = try call.asOf() ?? WallClock.now()
    let isCheck = call.values.isOn(.check)
    var rebuild = Rebuild(isCheck: isCheck, asOf: asOf)
    try await call.withSession { (session) async throws(StoreError) in
      _ = try await session.checkSchema()
      if let only {
        try await rebuild.work(on: only, session)
      } else {
        var user: UUID?
        while let next = try await session.nextPerson(after: user) {
          try await rebuild.work(on: next, session)
          user = next
        }
      }
    }
    Terminal.out(rebuild.summary)
    return isCheck && rebuild.differing > 0 ? .negative : .success
  }
}

/// What a rebuild has seen so far.
private struct Rebuild {
  let isCheck: Bool
  let asOf: Instant
  private var users = 0
  private var days = 0
  private(set) var differing = 0

  init(isCheck: Bool, asOf: Instant) {
    self.isCheck = isCheck
    self.asOf = asOf
  }

  mutating func work(on user: UUID, _ session: StoreSession) async throws(StoreError) {
    var day: LocalDate?
    users += 1
    while true {
      let batch = try await batch(of: user, after: day, session)
      for cell in batch.differing {
        Terminal.out("\(cell.user.uuidString.lowercased()) \(cell.metric) \(cell.day): \(cell.finding)")
      }
      days += batch.days
      differing += batch.differing.count
      guard let last = batch.lastDay else { return }
      day = last
    }
  }

  /// Services that hold the user, and deadlocks with them, pass.
  private func batch(
    of user: UUID, after day: LocalDate?, _ session: StoreSession
  ) async throws(StoreError) -> RebuildBatch {
    var attempts = 0
    while true {
      do throws(StoreError) {
        return try await session.rebuild(user, after: day, repairing: !isCheck, asOf: asOf)
      } catch {
        attempts += 1
        guard error.isRetryable, attempts < 10 else { throw error }
      }
    }
  }

  var summary: String {
    let verb = isCheck ? (differing == 1 ? " differs" : " differ") : " repaired"
    let found = differing == 0 ? "no cell differs" : Text.count(differing, "cell") + verb
    return "\(Text.count(days, "user-day")) of \(Text.count(users, "user")) compared; \(found)"
  }
}
