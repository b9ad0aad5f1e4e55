internal import FoundationEssentials
internal import HealthPayload
internal import PayloadDecoder
internal import Postgres

/// From where on a payload deletes too much to be believed: more than the share of what is known of a person, of days, of
/// hours or of workouts, and a large number of these. Such a payload waits among the dead letters until somebody consents.
public struct MassDeletionLimits: Sendable, Hashable {
  /// Percent of the person's measured cells, of the hours with a value, or of the workouts; 100 lets everything pass.
  public var share: Int
  /// Records that it would delete and not add again: enough where the share of the cells is passed.
  public var records: Int
  /// Measured cells that would be unknown after it.
  public var cells: Int
  /// Hours that would have no value after it: a day of them weighs as much as a cell.
  var hours: Int { cells * 24 }
  /// Workouts that would be gone: each weighs as much as five cells, for its four quantities and for itself.
  var workouts: Int { (cells + 4) / 5 }

  /// Limits; by default more than 20 percent, and at least 500 records or 50 cells, 1,200 hours, or 10 workouts.
  public init(share: Int = 20, records: Int = 500, cells: Int = 50) {
    self.share = share
    self.records = records
    self.cells = cells
  }

  /// Whether payloads that are taken together name enough to be worth a look. An interval may hold anything; hours are
  /// taken day by day, so that many of them need as many deletions as cells do.
  func mayApply(to payloads: [DecodedPayload]) -> Bool {
    let deletions = payloads.lazy.flatMap(\.payload.deletions)
    return deletions.count >= max(1, min(records, workouts)) || deletions.contains(where: \.isInterval)
  }
}

/// How much is known of a person, of each kind.
struct Holdings: Sendable {
  let cells: Int
  let hours: Int
  let workouts: Int
}

/// What payloads take from a person, net of what they add themselves.
struct Loss: Sendable, CustomStringConvertible {
  let lost: Holdings
  let records: Int
  /// What is known of the person before them.
  let known: Holdings

  var description: String {
    var parts = ["\(counted(records, "record"))", "\(lost.cells) of \(counted(known.cells, "measured cell"))"]
    if lost.hours > 0 { parts.append("\(lost.hours) of \(counted(known.hours, "hour"))") }
    if lost.workouts > 0 { parts.append("\(lost.workouts) of \(counted(known.workouts, "workout"))") }
    let last = parts.removeLast()
    return "\(parts.joined(separator: ", ")) and \(last)"
  }

  func isMass(_ limits: MassDeletionLimits) -> Bool {
    let kinds = [
      (lost.cells, known.cells, records >= limits.records || lost.cells >= limits.cells),
      (lost.hours, known.hours, lost.hours >= limits.hours),
      (lost.workouts, known.workouts, lost.workouts >= limits.workouts),
    ]
    return kinds.contains { lost, known, isLarge in isLarge && lost * 100 > limits.share * known }
  }
}

extension StoreSession {
  /// The only payload of a batch as a dead letter, if it would delete too much; nil: it does not, or is held.
  func massDeletion(
    of batch: SortedBatch, _ row: QueueRow, _ rules: BatchRules
  ) async throws(StoreError) -> DeadLetter? {
    guard let decoded = batch.merged.first ?? batch.abandoned.first, !row.isConsented else { return nil }
    guard rules.limits.massDeletion.mayApply(to: [decoded]) else { return nil }
    let loss = try await loss(by: [decoded], isApplied: batch.abandoned.isEmpty, rules)
    guard loss.isMass(rules.limits.massDeletion) else { return nil }
    let payload = decoded.payload
    try await run(
      Statements.noteMassDeletion, [.uuid(payload.userID), .uuid(payload.payloadID)], "noting a mass deletion")
    return DeadLetter(
      row, payloadID: payload.payloadID, .massDeletion, "/deletions",
      "It would delete \(loss); nothing of it counts. If that is meant: dailymetricd dead retry --consent")
  }

  /// Parks all pages of a load that would delete too much. Nil: it does not.
  func parkMassDeletion(_ load: DecidedLoad, _ rules: BatchRules) async throws(StoreError) -> BatchReport? {
    guard load.isJudged(by: rules.limits.massDeletion) else { return nil }
    let loss = try await loss(by: load.payloads.map(\.1), isApplied: load.isApplied, rules)
    guard loss.isMass(rules.limits.massDeletion) else { return nil }
    let because =
      "Its load of \(counted(load.pages.count, "page")) would delete \(loss); nothing of it counts. "
      + "If that is meant: dailymetricd dead retry --consent, which takes all of its pages"
    try await run(
      Statements.parkLoad,
      [
        .uuid(load.user), .int(Int64(load.platform)), .text(load.store), .text(load.loadID), .text(because),
        .timestamp(rules.asOf.microseconds),
      ], "parking a load")
    var report = BatchReport()
    report.deadLetters = load.pages.count
    return report
  }

  /// Merges the payloads alone, looks at what is left, and undoes it: nothing else knows what a deletion costs. They are of
  /// one person.
  private func loss(
    by payloads: [DecodedPayload], isApplied: Bool, _ rules: BatchRules
  ) async throws(StoreError) -> Loss {
    let user = payloads[0].payload.userID
    let writer = rules.writer(self)
    let (days, after) = try await trying { () async throws(StoreError) in
      let touched =
        isApplied ? try await writer.merge(payloads) : try await writer.merge([], deletionsOf: payloads)
      _ = try await writer.derive(touched)
      let days = touched.days.union(touched.hours)
      return (days, try await holdings(user, days))
    }
    let before = try await holdings(user, days)
    let known = try await allHoldings(user)
    let lost = Holdings(
      cells: before.known.cells - after.known.cells, hours: before.known.hours - after.known.hours,
      workouts: before.known.workouts - after.known.workouts)
    return Loss(lost: lost, records: before.records - after.records, known: known)
  }

  private func holdings(
    _ user: UUID, _ days: Set<UserDay>
  ) async throws(StoreError) -> (known: Holdings, records: Int) {
    let doing = "counting what a deletion leaves"
    let rows = try await run(
      Statements.holdings, [.uuid(user), .dateArray(days.sorted().map(\.date.daysSince1970))], doing)
    return try await storing(doing) { () throws(PostgresError) in
      let row = try rows.one()
      return (try Holdings(row), try row.int("records"))
    }
  }

  private func allHoldings(_ user: UUID) async throws(StoreError) -> Holdings {
    let doing = "counting what is known of a person"
    let rows = try await run(Statements.allHoldings, [.uuid(user)], doing)
    return try await storing(doing) { () throws(PostgresError) in try Holdings(try rows.one()) }
  }
}

extension DecidedLoad {
  /// Whether it names enough deletions to be worth a look, and nobody has consented to them.
  func isJudged(by limits: MassDeletionLimits) -> Bool {
    !pages.allSatisfy(\.row.isConsented) && limits.mayApply(to: payloads.map(\.1))
  }
}

/// A number with its noun: 1 record, 2 records.
private func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

extension Deletion {
  fileprivate var isInterval: Bool {
    if case .interval = target { true } else { false }
  }
}

extension Holdings {
  fileprivate init(_ row: Row) throws(PostgresError) {
    self.init(cells: try row.int("cells"), hours: try row.int("hours"), workouts: try row.int("workouts"))
  }
}
