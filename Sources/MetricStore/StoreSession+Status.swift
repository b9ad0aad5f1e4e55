public import FoundationEssentials
public import HealthPayload
internal import Postgres

/// How the queue is doing.
public struct QueueStatus: Sendable, Hashable {
  /// Payloads that wait.
  public var depth: Int
  /// When the oldest of them arrived; nil: none waits.
  public var oldestReceivedAt: Instant?
  /// When a payload was last merged; nil: never.
  public var lastSuccess: Instant?
  /// Payloads merged within a day before the instant asked about.
  public var mergedToday: Int
  /// Payloads parked within a day before the instant asked about.
  public var deadToday: Int
  /// Parked payloads by code.
  public var deadLetters: [String: Int]
  /// Refused entries.
  public var quarantined: Int
  /// User-days whose re-check is due.
  public var dueDays: Int
  /// Since when nothing is taken out of the queue, and why; nil: intake works.
  public var pause: IntakePause?
}

/// What became of a payload.
public struct PayloadReport: Sendable, Hashable {
  /// What the receipt says.
  public struct Receipt: Sendable, Hashable {
    /// When it first arrived.
    public var firstSeen: Instant
    /// The read time that was used.
    public var readAt: Instant
    /// `merged` or `load_abandoned`.
    public var outcome: String
    /// Day entries that were merged.
    public var cells: Int
    /// Entries that were refused.
    public var quarantined: Int
    /// How many more times it arrived.
    public var repetitions: Int
    /// When it was processed.
    public var processedAt: Instant
  }
  /// An entry that was refused.
  public struct Refusal: Sendable, Hashable {
    /// JSON pointer to what is wrong.
    public var pointer: String
    /// Why.
    public var code: String
  }
  /// A time at which it was parked.
  public struct Death: Sendable, Hashable {
    /// The dead letter's number.
    public var id: Int
    /// Why.
    public var code: String
    /// JSON pointer to the place; empty: the whole.
    public var pointer: String
    /// The place in bytes; nil: no single place.
    public var byteOffset: Int?
    /// A sentence more; nil: none.
    public var detail: String?
    /// When.
    public var diedAt: Instant
  }

  /// When it arrived, once for each time that it still waits in the queue.
  public var queuedAt: [Instant]
  /// The receipt; nil: it was never understood and merged.
  public var receipt: Receipt?
  /// What was refused of it.
  public var refusals: [Refusal]
  /// The times at which it was parked.
  public var deaths: [Death]
}

extension StoreSession {
  /// How the queue is doing. Three round trips.
  ///
  /// - Parameter asOf: the instant taken for now.
  public func queueStatus(asOf: Instant) async throws(StoreError) -> QueueStatus {
    let doing = "looking at the queue"
    let rows = try await run(Statements.queueStatus, [.timestamp(asOf.microseconds)], doing)
    let codes = try await run(Statements.deadLettersByCode, [], doing)
    let pause = try await queueState().pause
    return try await storing(doing) { () throws(PostgresError) in
      let row = try rows.one()
      var letters: [String: Int] = [:]
      for code in codes { letters[try code.text("code")] = try code.int("letters") }
      return QueueStatus(
        depth: try row.int("depth"),
        oldestReceivedAt: try row.optionalTimestamp("oldest").map(Instant.init(microseconds:)),
        lastSuccess: try row.optionalTimestamp("last_success").map(Instant.init(microseconds:)),
        mergedToday: try row.int("merged_today"), deadToday: try row.int("dead_today"), deadLetters: letters,
        quarantined: try row.int("quarantined"), dueDays: try row.int("due_days"), pause: pause)
    }
  }

  /// What became of a payload; nil if nothing is known of it. Four round trips.
  public func payloadReport(user: UUID, payloadID: UUID) async throws(StoreError) -> PayloadReport? {
    let doing = "looking for the payload"
    let keys: [Parameter] = [.uuid(user), .text(payloadID.uuidString.lowercased())]
    let queued = try await run(Statements.queuedPayloads, keys, doing)
    let receipts = try await run(Statements.receipt, keys, doing)
    let refused = try await run(Statements.quarantinedEntries, keys, doing)
    let dead = try await run(Statements.deadLetters, keys, doing)
    let report = try await storing(doing) { () throws(PostgresError) in
      var report = PayloadReport(queuedAt: [], receipt: nil, refusals: [], deaths: [])
      for row in queued { report.queuedAt.append(Instant(microseconds: try row.timestamp(0))) }
      for row in receipts { report.receipt = try PayloadReport.Receipt(row: row) }
      for row in refused { report.refusals.append(.init(pointer: try row.text("pointer"), code: try row.text("code"))) }
      for row in dead { report.deaths.append(try PayloadReport.Death(row: row)) }
      return report
    }
    let isUnknown = report.queuedAt.isEmpty && report.receipt == nil && report.deaths.isEmpty
    return isUnknown ? nil : report
  }
}

extension PayloadReport.Receipt {
  fileprivate init(row: Row) throws(PostgresError) {
    self.init(
      firstSeen: Instant(microseconds: try row.timestamp("first_seen")),
      readAt: Instant(microseconds: try row.timestamp("read_at")),
      outcome: try row.text("outcome"), cells: try row.int("cells"), quarantined: try row.int("quarantined"),
      repetitions: try row.int("repetitions"), processedAt: Instant(microseconds: try row.timestamp("processed_at")))
  }
}

extension PayloadReport.Death {
  fileprivate init(row: Row) throws(PostgresError) {
    self.init(
      id: try row.int("id"), code: try row.text("code"), pointer: try row.text("pointer"),
      byteOffset: try row.optionalInt("byte_offset"), detail: try row.optionalText("detail"),
      diedAt: Instant(microseconds: try row.timestamp("died_at")))
  }
}
