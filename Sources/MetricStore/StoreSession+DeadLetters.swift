public import FoundationEssentials
public import HealthPayload
internal import Postgres

/// Which dead letters or quarantined entries are meant; nil stands for all.
public struct RefusalFilter: Sendable, Hashable {
  /// Only those with this code.
  public var code: String?
  /// Only those of this person.
  public var user: UUID?
  /// Only those of payloads that name this platform, or a format that stands for it.
  public var platform: String?
  /// Only those that were refused at this instant or later.
  public var since: Instant?
  /// Only those that were refused before this instant.
  public var until: Instant?

  /// A filter; by default all pass.
  public init(
    code: String? = nil, user: UUID? = nil, platform: String? = nil, since: Instant? = nil, until: Instant? = nil
  ) {
    self.code = code
    self.user = user
    self.platform = platform
    self.since = since
    self.until = until
  }

  /// $1 to $5 of the statements that take one.
  var parameters: [Parameter] {
    [
      .text(code), .uuid(user), .text(platform), .timestamp(since?.microseconds), .timestamp(until?.microseconds),
    ]
  }
}

/// A payload that could not be used, without its text.
public struct DeadLetterReport: Sendable, Hashable {
  /// Its number.
  public var id: Int
  /// The person of the queue row.
  public var user: UUID
  /// The producer's id of the payload; nil where it could not be read.
  public var payloadID: UUID?
  /// The format that a delivery names; nil: it is none.
  public var format: String?
  /// The platform that the payload names, as it stands there, or for which its format stands; nil: none was found.
  public var platform: String?
  /// Why.
  public var code: String
  /// JSON pointer to the place; empty: the whole.
  public var pointer: String
  /// The place in bytes; nil: no single place.
  public var byteOffset: Int?
  /// A sentence more; nil: none.
  public var detail: String?
  /// When it had been enqueued first.
  public var receivedAt: Instant
  /// When it was parked.
  public var diedAt: Instant
  /// The load that was parked as a whole, whose pages are retried and dropped together; nil: it stands alone.
  public var loadID: String?
  /// Length of its text in bytes.
  public var bytes: Int
}

extension StoreSession {
  /// The newest dead letters, and how many there are in all.
  ///
  /// - Parameters:
  ///   - filter: which ones; by default all.
  ///   - limit: at most so many.
  public func deadLetters(
    _ filter: RefusalFilter = RefusalFilter(), limit: Int
  ) async throws(StoreError) -> (letters: [DeadLetterReport], count: Int) {
    let doing = "looking for dead letters"
    let total = try await count(Statements.countDeadLetters, filter.parameters, doing)
    let rows = try await run(Statements.listDeadLetters, filter.parameters + [.int(Int64(limit))], doing)
    let letters = try await storing(doing) { () throws(PostgresError) in
      var letters: [DeadLetterReport] = []
      for row in rows { letters.append(try DeadLetterReport(row: row)) }
      return letters
    }
    return (letters, total)
  }

  /// The numbers of the dead letters that pass, in ascending order.
  public func deadLetterNumbers(_ filter: RefusalFilter) async throws(StoreError) -> [Int] {
    try await numbers(Statements.deadLetterNumbers, filter.parameters, "looking for dead letters")
  }

  /// One dead letter with its text as it was sent; nil: there is none with this number. The text holds health values.
  public func deadLetter(_ id: Int) async throws(StoreError) -> (letter: DeadLetterReport, text: String)? {
    let doing = "looking for the dead letter"
    let rows = try await run(Statements.deadLetter, [.int(Int64(id))], doing)
    return try await storing(doing) { () throws(PostgresError) in
      for row in rows { return (try DeadLetterReport(row: row), try row.text("payload")) }
      return nil
    }
  }

  /// Puts dead letters back into the queue with the time of their first arrival, where no receipt stands against them.
  ///
  /// - Parameters:
  ///   - ids: their numbers.
  ///   - consent: whether they may delete as much as they say.
  /// - Returns: the numbers of those that were there.
  public func retryDeadLetters(
    _ ids: [Int], consent: Bool = false, asOf: Instant
  ) async throws(StoreError) -> [Int] {
    try await numbers(
      Statements.retryDeadLetters,
      [.int8Array(ids.map { Int64($0) }), .bool(consent), .timestamp(asOf.microseconds)],
      "retrying dead letters")
  }

  /// Deletes dead letters for good. Returns the numbers of those that were there.
  public func dropDeadLetters(_ ids: [Int]) async throws(StoreError) -> [Int] {
    try await numbers(Statements.dropDeadLetters, [.int8Array(ids.map { Int64($0) })], "dropping dead letters")
  }

  private func numbers(_ sql: String, _ parameters: [Parameter], _ doing: String) async throws(StoreError) -> [Int] {
    let rows = try await run(sql, parameters, doing)
    return try await storing(doing) { () throws(PostgresError) in
      var numbers: [Int] = []
      for row in rows { numbers.append(try row.int("id")) }
      return numbers
    }
  }
}

extension DeadLetterReport {
  fileprivate init(row: Row) throws(PostgresError) {
    self.init(
      id: try row.int("id"), user: try row.uuid("user_id"), payloadID: try row.optionalUUID("payload_id"),
      format: try row.optionalText("format"), platform: try row.optionalText("platform"), code: try row.text("code"),
      pointer: try row.text("pointer"),
      byteOffset: try row.optionalInt("byte_offset"),
      detail: try row.optionalText("detail"), receivedAt: Instant(microseconds: try row.timestamp("received_at")),
      diedAt: Instant(microseconds: try row.timestamp("died_at")), loadID: try row.optionalText("load_id"),
      bytes: try row.int("bytes"))
  }
}
