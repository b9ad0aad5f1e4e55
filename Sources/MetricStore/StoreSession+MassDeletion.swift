internal import Foundation
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

  /// Whether a payload names enough to be worth a look. An interval may hold anything.
  func mayApply(to claimed: ClaimedPayload) -> Bool {
    guard let deletions = claimed.decoded?.payload.deletions, !deletions.isEmpty, !claimed.row.isConsented else {
      return false
    }
    return deletions.count >= min(records, cells) || deletions.contains(where: \.isInterval)
  }
}

/// What a payload takes from a person, net of what it adds itself.
struct Loss: Sendable {
  let cells: Int
  let records: Int
  /// Measured cells of the person before it.
  let measured: Int

  func isMass(_ limits: MassDeletionLimits) -> Bool {
    cells * 100 > limits.share * measured && (records >= limits.records || cells >= limits.cells)
  }
}

extension StoreSession {
  /// Parks a payload that would delete too much. Nil: it does not.
  func parkMassDeletion(_ claimed: ClaimedPayload, _ rules: BatchRules) async throws(StoreError) -> BatchReport? {
    guard let decoded = claimed.decoded, rules.limits.massDeletion.mayApply(to: claimed) else { return nil }
    let loss = try await loss(by: decoded, rules)
    guard loss.isMass(rules.limits.massDeletion) else { return nil }
    let payload = decoded.payload
    let letter = DeadLetter(
      claimed.row, payloadID: payload.payloadID, .massDeletion, "/deletions",
      "It would delete \(loss.records) records and \(loss.cells) of \(loss.measured) measured cells; nothing of it counts. "
        + "If that is meant: dailymetricd dead retry --consent")
    try await run(
      Statements.noteMassDeletion, [.uuid(payload.userID), .uuid(payload.payloadID)], "noting a mass deletion")
    try await bury([letter], rules.asOf)
    var report = BatchReport([letter])
    report.quarantined = try await quarantine([(claimed, decoded)], rules.asOf)
    return report
  }

  /// Merges the payload alone, looks at what is left, and undoes it: nothing else knows what a deletion costs.
  private func loss(by decoded: DecodedPayload, _ rules: BatchRules) async throws(StoreError) -> Loss {
    let user = decoded.payload.userID
    let writer = EvidenceWriter(session: self, catalogue: rules.decoder.catalogue, asOf: rules.asOf)
    try await run(Statements.savepoint, [], "setting a savepoint")
    let touched =
      decoded.abandoned
      ? try await writer.merge([], deletionsOf: [decoded]) : try await writer.merge([decoded])
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

extension Deletion {
  fileprivate var isInterval: Bool {
    if case .interval = target { true } else { false }
  }
}
