public import FoundationEssentials
public import HealthPayload
internal import Postgres

/// One payload to be enqueued.
public struct EnqueuedLine: Sendable, Hashable {
  /// The person; nil goes under the nil UUID, where the boundary will park it.
  public var user: UUID?
  /// The payload's text, as it was sent.
  public var text: String

  /// Bytes of the longest text that the queue takes; the constraint sync_payload_is_not_too_large says the same.
  public static let longestText = 64 << 20

  /// A payload to be enqueued.
  public init(user: UUID?, text: String) {
    self.user = user
    self.text = text
  }
}

extension StoreSession {
  /// Puts payloads into the queue, all or none, and wakes a daemon. One COPY.
  ///
  /// - Parameter receivedAt: when they arrived.
  /// - Throws: `data` if a text is larger than the queue takes.
  public func enqueue(_ lines: [EnqueuedLine], receivedAt: Instant) async throws(StoreError) {
    let nobody = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    let time = receivedAt.description
    let rows = lines.map { CopyText.row([($0.user ?? nobody).uuidString, $0.text, time]) }
    try await sendWaiting()
    try await storing("enqueueing payloads") { () async throws(PostgresError) in
      try await connection.copyIn(Statements.enqueueCopy, rows)
    }
    try await run(Statements.wake, [], "waking the daemon")
  }

  /// Derives user-days again that are due: what payloads made due, and with `includeScheduled` also what is due by its
  /// reason's schedule, what a change of the catalogues affects, and the silent days that have closed.
  ///
  /// - Returns: the number of user-days; 0: nothing is due. A step that only looked for cells that a change of the
  ///   catalogues affects, and found none yet, counts as 1.
  public func deriveDue(limit: Int, asOf: Instant, includeScheduled: Bool) async throws(StoreError) -> Int {
    let bounds: [Parameter] = [.timestamp(asOf.microseconds), .int(Int64(limit))]
    let due = try await count(Statements.recheckDue, bounds + [.bool(includeScheduled)], "re-checking due days")
    guard includeScheduled else { return due }
    let looked = try await count(Statements.spreadChanges, bounds, "looking for cells that the catalogue changes")
    let cells = try await count(Statements.recheckCells, bounds, "re-checking cells that the catalogue changes")
    let silent = try await count(Statements.recheckSilent, bounds, "filling silent days")
    return max(due + cells + silent, min(looked, 1))
  }

  /// A small step of what is done beside the work: sums a day's coverage for the monitoring views, or lets go of old changes of the feed.
  ///
  /// - Returns: for how many of these there was something to do; 0: nothing for now.
  public func keepUp(asOf: Instant) async throws(StoreError) -> Int {
    try await count(Statements.keepUp, [.timestamp(asOf.microseconds)], "summing coverage")
  }

  func count(_ sql: String, _ parameters: [Parameter], _ doing: String) async throws(StoreError) -> Int {
    let rows = try await run(sql, parameters, doing)
    return try await storing(doing) { () throws(PostgresError) in try rows.one().int(0) }
  }
}
