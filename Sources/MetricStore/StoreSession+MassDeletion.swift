internal import FoundationEssentials
internal import HealthPayload
internal import PayloadDecoder
internal import Postgres

/// From where on a payload deletes too much to be believed: more than the share of a person's measured cells, and at least
/// so many records or cells. Such a payload waits among the dead letters until somebody consents.
public struct MassDeletionLimits: Sendable, Hashable {
  /// Percent of the person's measured cells; 100 lets everything pass.
  public var share: Int
  /// Records that it would delete and not add again.
  public var records: Int
  /// Measured cells that would be unknown after it.
  public var cells: Int

  /// Limits; by default more than 20 percent, and at least 500 records or 50 cells.
  public init(share: Int = 20, records: Int = 500, cells: Int = 50) {
    self.share = share
    self.records = records
    self.cells = cells
  }

  /// Whether payloads that are taken together name enough to be worth a look. An interval may hold anything.
  func mayApply(to payloads: [DecodedPayload]) -> Bool {
    let deletions = payloads.lazy.flatMap(\.payload.deletions)
    return deletions.count >= max(1, min(records, cells)) || deletions.contains(where: \.isInterval)
  }
}

/// What payloads take from a person, net of what they add themselves.
struct Loss: Sendable, CustomStringConvertible {
  let cells: Int
  let records: Int
  /// Measured cells of the person before them.
  let measured: Int

  var description: String {
    "\(counted(records, "record")) and \(cells) of \(counted(measured, "measured cell"))"
  }

  func isMass(_ limits: MassDeletionLimits) -> Bool {
    cells * 100 > limits.share * measured && (records >= limits.records || cells >= limits.cells)
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
    try await run(Statements.savepoint, [], "setting a savepoint")
    let touched =
      isApplied ? try await writer.merge(payloads) : try await writer.merge([], deletionsOf: payloads)
    _ = try await writer.derive(touched)
    let after = try await holdings(user, touched.days)
    try await rollBackToSavepoint()
    let before = try await holdings(user, touched.days)
    let measured = try await count(Statements.measuredCells, [.uuid(user)], "counting measured cells")
    return Loss(cells: before.cells - after.cells, records: before.records - after.records, measured: measured)
  }

  private func holdings(_ user: UUID, _ days: Set<UserDay>) async throws(StoreError) -> (cells: Int, records: Int) {
    let doing = "counting what a deletion leaves"
    let rows = try await run(
      Statements.holdings, [.uuid(user), .dateArray(days.sorted().map(\.date.daysSince1970))], doing)
    return try await storing(doing) { () throws(PostgresError) in
      let row = try rows.one()
      return (try row.int("cells"), try row.int("records"))
    }
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
