public import Foundation
public import HealthPayload
public import PayloadDecoder
internal import Postgres

/// How much one transaction may take out of the queue.
public struct BatchLimits: Sendable, Hashable {
  /// Payloads in all.
  public var payloads: Int
  /// Payloads of one person, so that a long history delays nobody.
  public var perUser: Int
  /// Persons, each of whom is locked.
  public var users: Int
  /// Bytes of text in all; one payload is always taken.
  public var bytes: Int
  /// Day entries of one statement; the transaction goes on with another one. A payload is never cut.
  public var entries: Int

  /// Limits; by default 200 payloads of 64 persons, at most 25 of each, 8 MiB, statements of 5,000 entries.
  public init(payloads: Int = 200, perUser: Int = 25, users: Int = 64, bytes: Int = 8 << 20, entries: Int = 5_000) {
    self.payloads = payloads
    self.perUser = perUser
    self.users = users
    self.bytes = bytes
    self.entries = entries
  }
}

/// What one transaction did.
public struct BatchReport: Sendable, Hashable {
  /// Payloads taken out of the queue.
  public var payloads = 0
  /// Day entries that were merged.
  public var entries = 0
  /// Rows of daily_metric that were written.
  public var cells = 0
  /// Payloads that were parked.
  public var deadLetters = 0
  /// Entries that were refused.
  public var quarantined = 0
  /// Payloads that had been taken before.
  public var repeated = 0
  /// Whether nothing is left in the queue, also nothing that another session holds.
  public var queueIsEmpty = false
  /// Why nothing was taken although there may be something; nil: intake works.
  public var pause: IntakePause?
  /// The parked payloads one by one, for the breaker.
  var refused: [RefusedPayload] = []

  /// A report of nothing.
  public init() {}

  static func + (left: BatchReport, right: BatchReport) -> BatchReport {
    var sum = left
    sum.entries += right.entries
    sum.cells += right.cells
    sum.deadLetters += right.deadLetters
    sum.quarantined += right.quarantined
    sum.repeated += right.repeated
    sum.refused += right.refused
    return sum
  }
}

extension StoreSession {
  /// Takes payloads out of the queue, merges them and derives what they change: one transaction, all or nothing.
  ///
  /// - Parameters:
  ///   - cursor: the last person of the batch before; round and round, so that everybody has a turn. nil begins anew.
  ///   - asOf: the instant taken for now.
  /// - Returns: what was done; nothing if intake is paused. A batch of which most cannot be used is put back and pauses
  ///   the intake.
  /// - Throws: after an error nothing has happened and all payloads are back in the queue. Payloads that cannot be used
  ///   are no error: they are parked and counted.
  public func ingestBatch(
    decoder: PayloadDecoder, limits: BatchLimits, cursor: inout UUID?, asOf: Instant
  ) async throws(StoreError) -> BatchReport {
    let start = cursor
    let batch = try await transaction(keeping: { $0.breach == nil }) { () async throws(StoreError) in
      var rows = try await claim(limits, after: start)
      if rows.isEmpty, start != nil { rows = try await claim(limits, after: nil) }
      guard !rows.isEmpty else { return Batch(report: try await nothingTaken()) }
      var report = try await merge(rows, limits, decoder, asOf)
      report.payloads = rows.count
      let breach = try await breach(of: rows, report.refused)
      return Batch(report: report, last: rows.map(\.userID).max { $0.uuidString < $1.uuidString }, breach: breach)
    }
    if let breach = batch.breach {
      _ = try await pause(breach.because, asOf, newest: breach.newest)
      return try await nothingTaken()
    }
    cursor = batch.last
    return batch.report
  }

  /// A transaction's outcome before it is known whether it is committed.
  private struct Batch: Sendable {
    var report: BatchReport
    var last: UUID?
    var breach: CircuitBreaker.Breach?
  }

  /// A claim took nothing, or put all of it back.
  private func nothingTaken() async throws(StoreError) -> BatchReport {
    let state = try await queueState()
    var report = BatchReport()
    report.queueIsEmpty = !state.hasWork
    report.pause = state.pause
    return report
  }

  private func claim(_ limits: BatchLimits, after user: UUID?) async throws(StoreError) -> [QueueRow] {
    let doing = "claiming payloads"
    let rows = try await run(
      Statements.claim,
      [
        .uuid(user), .int(Int64(limits.payloads)), .int(Int64(limits.perUser)), .int(Int64(limits.users)),
        .int(Int64(limits.bytes)),
      ], doing)
    return try await storing(doing) { () throws(PostgresError) in
      var claimed: [QueueRow] = []
      for row in rows { claimed.append(try QueueRow(row: row)) }
      return claimed
    }
  }

  /// Decodes and merges in parts of bounded size, so that neither memory nor a statement grows with a long history.
  private func merge(
    _ rows: [QueueRow], _ limits: BatchLimits, _ decoder: PayloadDecoder, _ asOf: Instant
  ) async throws(StoreError) -> BatchReport {
    var report = BatchReport()
    var part: [ClaimedPayload] = []
    var entries = 0
    for (index, row) in rows.enumerated() {
      let claimed = ClaimedPayload(row, decoder: decoder)
      part.append(claimed)
      if let decoded = claimed.decoded { entries += decoded.days.count }
      guard entries >= limits.entries || index == rows.count - 1 else { continue }
      report = report + (try await merge(part[...], decoder, asOf))
      part = []
      entries = 0
    }
    return report
  }

  /// Merges all of them; if the database refuses one, finds it by halving and parks it, so that its neighbours pass.
  private func merge(
    _ batch: ArraySlice<ClaimedPayload>, _ decoder: PayloadDecoder, _ asOf: Instant
  ) async throws(StoreError) -> BatchReport {
    try await run(Statements.savepoint, [], "setting a savepoint")
    do throws(StoreError) {
      let report = try await apply(Array(batch), decoder, asOf)
      try await run(Statements.releaseSavepoint, [], "releasing a savepoint")
      return report
    } catch {
      guard error.kind == .data, connection.isOpen else { throw error }
      try await run(Statements.rollbackToSavepoint, [], "rolling back to a savepoint")
      try await run(Statements.releaseSavepoint, [], "releasing a savepoint")
      guard batch.count > 1 else { return try await park(batch, error, asOf) }
      let middle = batch.startIndex + batch.count / 2
      let left = try await merge(batch[..<middle], decoder, asOf)
      return left + (try await merge(batch[middle...], decoder, asOf))
    }
  }

  private func park(
    _ batch: ArraySlice<ClaimedPayload>, _ error: StoreError, _ asOf: Instant
  ) async throws(StoreError) -> BatchReport {
    let letters = batch.map { claimed in
      DeadLetter(claimed.row, payloadID: claimed.decoded?.payload.payloadID, .rejectedByDatabase, "", error.message)
    }
    try await bury(letters, asOf)
    var report = BatchReport()
    report.deadLetters = letters.count
    report.refused = letters.compactMap(RefusedPayload.init)
    return report
  }

  private func apply(
    _ batch: [ClaimedPayload], _ decoder: PayloadDecoder, _ asOf: Instant
  ) async throws(StoreError) -> BatchReport {
    let understood = batch.filter { $0.decoded != nil }
    var sorted = SortedBatch(batch, zip(understood, try await takeReceipts(understood, asOf)))
    var report = BatchReport()
    report.repeated = sorted.repeated
    report.quarantined = try await quarantine(sorted.singles + sorted.pages, asOf)
    let (late, complete) = try await hold(sorted.pages, decoder, asOf)
    sorted.letters += late
    for load in complete { sorted.add(load) }
    report.deadLetters = sorted.letters.count
    report.refused = sorted.letters.compactMap(RefusedPayload.init)
    try await bury(sorted.letters, asOf)
    try await keepDeferred(sorted.singles + complete.flatMap(\.payloads))
    try await end(complete, asOf)
    guard !sorted.merged.isEmpty else { return report }
    let writer = EvidenceWriter(session: self, catalogue: decoder.catalogue, asOf: asOf)
    report.entries = sorted.merged.reduce(0) { $0 + $1.days.count }
    report.cells = try await writer.write(sorted.merged)
    return report
  }
}

/// A batch by what is to become of its payloads.
private struct SortedBatch {
  /// New payloads that stand alone, abandoned ones among them: their refused entries are kept too.
  var singles: [(ClaimedPayload, DecodedPayload)] = []
  /// New pages of loads.
  var pages: [(ClaimedPayload, DecodedPayload)] = []
  /// What is merged.
  var merged: [DecodedPayload] = []
  /// What is parked instead of merged.
  var letters: [DeadLetter] = []
  /// How many had been taken before.
  var repeated = 0

  init(_ batch: [ClaimedPayload], _ verdicts: some Sequence<(ClaimedPayload, StoreSession.Verdict)>) {
    for claimed in batch {
      if case .dead(let fault) = claimed.result { letters.append(DeadLetter(claimed.row, fault: fault)) }
    }
    for (claimed, verdict) in verdicts {
      guard let decoded = claimed.decoded else { continue }
      switch verdict {
      case .repeated: repeated += 1
      case .reused:
        letters.append(
          DeadLetter(
            claimed.row, payloadID: decoded.payload.payloadID, .payloadIDReused, "/payload_id",
            "Another payload came with this payload_id before; give each payload an id of its own."))
      case .new: accept(claimed, decoded)
      }
    }
  }

  private mutating func accept(_ claimed: ClaimedPayload, _ decoded: DecodedPayload) {
    if decoded.isPage { return pages.append((claimed, decoded)) }
    singles.append((claimed, decoded))
    guard decoded.abandoned else { return merged.append(decoded) }
    letters.append(
      DeadLetter(
        claimed.row, payloadID: decoded.payload.payloadID, .loadAbandoned, "/days",
        "A day of this all-or-nothing payload failed, so none of it counts; load it again as a whole."))
  }

  mutating func add(_ load: DecidedLoad) {
    if load.isApplied {
      merged += load.payloads.map(\.1)
    } else {
      letters += load.letters("A day of this load failed, so none of its pages counts; load it again as a whole.")
    }
  }
}
