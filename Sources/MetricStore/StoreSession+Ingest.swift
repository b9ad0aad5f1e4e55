public import FoundationEssentials
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
  /// Bytes of text in all, held pages of loads included; one payload is always taken, alone if it is larger. Everybody in a
  /// batch waits for the whole of it: this bounds for how long.
  public var bytes: Int
  /// Day entries, days that were looked at, records and deletions of one statement; the transaction goes on with another
  /// one. A payload is never cut.
  public var entries: Int
  /// From where on a payload deletes too much to be believed.
  public var massDeletion: MassDeletionLimits

  /// Limits; by default 200 payloads of 64 persons, at most 25 of each, 512 KiB, statements of 5,000 entries.
  public init(
    payloads: Int = 200, perUser: Int = 25, users: Int = 64, bytes: Int = 512 << 10, entries: Int = 5_000,
    massDeletion: MassDeletionLimits = MassDeletionLimits()
  ) {
    self.payloads = payloads
    self.perUser = perUser
    self.users = users
    self.bytes = bytes
    self.entries = entries
    self.massDeletion = massDeletion
  }
}

/// What one transaction did.
public struct BatchReport: Sendable, Hashable {
  /// Payloads taken out of the queue.
  public var payloads = 0
  /// Payloads that were merged. A page of a load counts when its load does.
  public var merged = 0
  /// Day entries, records and days seen empty that were merged.
  public var entries = 0
  /// Rows of daily_metric that were written.
  public var cells = 0
  /// Payloads that were parked.
  public var deadLetters = 0
  /// Entries that were refused.
  public var quarantined = 0
  /// Payloads that had been taken before.
  public var repeated = 0
  /// Payloads about people who are forgotten, which were let go of unread.
  public var forgotten = 0
  /// Whether nothing is left in the queue, also nothing that another session holds.
  public var queueIsEmpty = false
  /// Why nothing was taken although there may be something; nil: intake works.
  public var pause: IntakePause?
  /// The payload that was parked because it took too long alone; nil: none was.
  public internal(set) var loneTimeout: LoneTimeout?
  /// The parked payloads by code; a code that is not there has none.
  public internal(set) var deadLettersByCode: [DeadLetterCode: Int] = [:]
  /// How long it took to take them out of the queue; nil: nothing was taken.
  public internal(set) var claimTook: Duration?
  /// The parked payloads one by one, for the breaker.
  var refused: [RefusedPayload] = []

  /// A report of nothing.
  public init() {}

  static func + (left: BatchReport, right: BatchReport) -> BatchReport {
    var sum = left
    sum.merged += right.merged
    sum.entries += right.entries
    sum.cells += right.cells
    sum.deadLetters += right.deadLetters
    sum.quarantined += right.quarantined
    sum.repeated += right.repeated
    sum.forgotten += right.forgotten
    sum.refused += right.refused
    sum.deadLettersByCode.merge(right.deadLettersByCode, uniquingKeysWith: +)
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
    let batch: Batch
    var lone: LonePayload?
    do throws(StoreError) {
      batch = try await transaction(keeping: { $0.breach == nil }) { () async throws(StoreError) in
        try await take(BatchRules(decoder: decoder, limits: limits, asOf: asOf), after: start, &lone)
      }
    } catch {
      if let hand, !isOpen { await hand.journal.lost(hand, withoutAWord: error.endedWithoutAWord) }
      guard let lone, error.isTimeout, isOpen else { throw error }
      return try await noteTimeout(of: lone, error, asOf)
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

  private func take(
    _ rules: BatchRules, after user: UUID?, _ lone: inout LonePayload?
  ) async throws(StoreError) -> Batch {
    let began = ContinuousClock.now
    var rows = try await claim(rules.limits, after: user)
    if rows.isEmpty, user != nil { rows = try await claim(rules.limits, after: nil) }
    guard !rows.isEmpty else { return Batch(report: try await nothingTaken()) }
    let claimTook = ContinuousClock.now - began
    let last = rows.map(\.userID).max()
    let forgotten = rows.filter(\.isForgotten)
    rows.removeAll(where: \.isForgotten)
    try await refuse(forgotten, rules.asOf)
    // Nobody who is forgotten is named in the journal either.
    if let hand, !rows.isEmpty { try await hand.journal.note(rows, of: hand, at: rules.asOf) }
    lone = LonePayload(rows)
    var report = try await merge(rows, rules)
    report.payloads = rows.count + forgotten.count
    report.forgotten += forgotten.count
    report.claimTook = claimTook
    return Batch(report: report, last: last, breach: try await breach(of: rows, report.refused))
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
  private func merge(_ rows: [QueueRow], _ rules: BatchRules) async throws(StoreError) -> BatchReport {
    var report = BatchReport()
    var part: [ClaimedPayload] = []
    var entries = 0
    for row in rows {
      let claimed = ClaimedPayload(row, decoder: rules.decoder)
      // What it would delete is seen only by what the payloads before it have left.
      let isAlone = claimed.decoded.map { rules.limits.massDeletion.mayApply(to: [$0]) } ?? false
      if isAlone, !part.isEmpty {
        report = report + (try await merge(part[...], rules))
        part = []
      }
      part.append(claimed)
      // What cannot be used is one dead letter.
      if let decoded = claimed.decoded { entries += decoded.rowCount } else { entries += 1 }
      guard isAlone || entries >= rules.limits.entries else { continue }
      report = report + (try await merge(part[...], rules))
      part = []
      entries = 0
    }
    guard !part.isEmpty else { return report }
    return report + (try await merge(part[...], rules))
  }

  /// Merges all of them; if the database refuses one, finds it by halving and parks it, so that its neighbours pass.
  private func merge(
    _ batch: ArraySlice<ClaimedPayload>, _ rules: BatchRules
  ) async throws(StoreError) -> BatchReport {
    let outcome = try await unlessRefused { () async throws(StoreError) in try await apply(Array(batch), rules) }
    switch outcome {
    case .success(let report): return report
    case .failure(let error):
      guard batch.count > 1 else { return try await park(batch, error, rules.asOf) }
      let middle = batch.startIndex + batch.count / 2
      let left = try await merge(batch[..<middle], rules)
      return left + (try await merge(batch[middle...], rules))
    }
  }

  private func park(
    _ batch: ArraySlice<ClaimedPayload>, _ error: StoreError, _ asOf: Instant
  ) async throws(StoreError) -> BatchReport {
    let letters = batch.map { claimed in
      DeadLetter(claimed.row, payloadID: claimed.decoded?.payload.payloadID, .rejectedByDatabase, "", error.message)
    }
    return BatchReport(letters, refused: try await bury(letters, asOf))
  }

  private func apply(_ batch: [ClaimedPayload], _ rules: BatchRules) async throws(StoreError) -> BatchReport {
    let understood = batch.filter { $0.decoded != nil }
    let verdicts = try await takeReceipts(understood, rules.asOf)
    var sorted = SortedBatch(batch, zip(understood, verdicts))
    let quarantined = try await quarantine(
      sorted.singles + sorted.pages, rules.decoder.catalogue, rules.asOf)
    let (late, complete) = try await hold(sorted.pages, rules.decoder, rules.asOf)
    for page in late { sorted.abandon(page.letter, page.decoded) }
    if batch.count == 1, let letter = try await massDeletion(of: sorted, batch[0].row, rules) { sorted.park(letter) }
    // What a load deletes is judged by what the payloads beside it have left.
    let judged = complete.filter { $0.isJudged(by: rules.limits.massDeletion) }
    let others = complete.filter { !$0.isJudged(by: rules.limits.massDeletion) }
    for load in others { sorted.add(load) }
    var report = try await write(sorted, ending: others, rules)
    report.repeated = sorted.repeated
    report.quarantined = quarantined
    for load in judged { report = report + (try await settle(load, rules)) }
    return report
  }

  /// Parks, merges and derives what a batch was sorted into, and ends these loads, which are parts of it.
  func write(
    _ sorted: SortedBatch, ending loads: [DecidedLoad], _ rules: BatchRules
  ) async throws(StoreError) -> BatchReport {
    var report = BatchReport(sorted.letters, refused: try await bury(sorted.letters, rules.asOf))
    try await end(loads, rules.asOf)
    report.merged = sorted.merged.count
    report.entries = sorted.merged.reduce(0) { $0 + $1.statementCount }
    report.cells = try await rules.writer(self).write(sorted.merged, deletionsOf: sorted.abandoned)
    return report
  }
}

/// By what a batch is taken in.
struct BatchRules: Sendable {
  let decoder: PayloadDecoder
  let limits: BatchLimits
  let asOf: Instant

  /// What writes by these rules.
  func writer(_ session: StoreSession) -> EvidenceWriter {
    EvidenceWriter(session: session, catalogue: decoder.catalogue, asOf: asOf)
  }
}

extension BatchReport {
  /// A report of these dead letters and nothing else.
  ///
  /// - Parameter refused: how many of them were not kept, because they name somebody who is forgotten.
  init(_ letters: [DeadLetter], refused: Int) {
    deadLetters = letters.count - refused
    forgotten = refused
    self.refused = letters.compactMap(RefusedPayload.init)
    // These count too: whatever became of the text, its code is what is wrong with a producer.
    deadLettersByCode = letters.reduce(into: [:]) { counts, letter in counts[letter.code, default: 0] += 1 }
  }
}
