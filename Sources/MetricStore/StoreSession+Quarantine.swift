public import FoundationEssentials
public import HealthPayload
internal import Postgres

/// A payload of which some entries were refused, as the database names it.
public struct RefusedEntries: Sendable, Hashable {
  /// The person.
  public var user: UUID
  /// The producer's id of the payload.
  public var payloadID: UUID
  /// How many entries; nil: they were not counted.
  public var entries: Int?
}

/// An entry that was refused, without its text.
public struct QuarantineReport: Sendable, Hashable {
  /// The person.
  public var user: UUID
  /// The payload that it came with.
  public var payloadID: UUID
  /// JSON pointer to what is wrong.
  public var pointer: String
  /// Why.
  public var code: String
  /// The platform of the payload.
  public var platform: String
  /// The store of its origin; empty: the platform has one.
  public var store: String
  /// The read time that was used.
  public var readAt: Instant
  /// When it was refused.
  public var quarantinedAt: Instant
}

extension StoreSession {
  /// The newest refused entries, and how many there are in all.
  public func quarantinedEntries(
    _ filter: RefusalFilter, limit: Int
  ) async throws(StoreError) -> (entries: [QuarantineReport], count: Int) {
    let doing = "looking for quarantined entries"
    let total = try await count(Statements.countEntries, filter.parameters, doing)
    let rows = try await run(Statements.listEntries, filter.parameters + [.int(Int64(limit))], doing)
    let entries = try await storing(doing) { () throws(PostgresError) in
      var entries: [QuarantineReport] = []
      for row in rows { entries.append(try QuarantineReport(row: row)) }
      return entries
    }
    return (entries, total)
  }

  /// The payloads that have a refused entry which passes the filter, the oldest refusals first.
  ///
  /// - Parameter ids: only these payloads; nil: all.
  public func refusedPayloads(_ filter: RefusalFilter, ids: [UUID]?) async throws(StoreError) -> [RefusedEntries] {
    let doing = "looking for quarantined entries"
    // An array parameter is never NULL: an empty one of the filter's own stands for all.
    let only = ids.map { Parameter.uuidArray($0) } ?? .text(nil)
    let rows = try await run(Statements.refusedPayloads, filter.parameters + [only], doing)
    return try await storing(doing) { () throws(PostgresError) in
      var payloads: [RefusedEntries] = []
      for row in rows {
        payloads.append(.init(user: try row.uuid("user_id"), payloadID: try row.uuid("payload_id"), entries: nil))
      }
      return payloads
    }
  }

  /// All refused entries of a payload with their texts, which hold health values.
  public func quarantinedEntries(
    of payload: RefusedEntries
  ) async throws(StoreError) -> [(report: QuarantineReport, text: String)] {
    let doing = "looking for quarantined entries"
    let rows = try await run(Statements.entriesOfPayload, [.uuid(payload.user), .uuid(payload.payloadID)], doing)
    return try await storing(doing) { () throws(PostgresError) in
      var entries: [(report: QuarantineReport, text: String)] = []
      for row in rows { entries.append((try QuarantineReport(row: row), try row.text("entry"))) }
      return entries
    }
  }

  /// Puts the refused entries of these payloads back into the queue, those of one payload together.
  ///
  /// - Returns: what was put back. What is held, parked or abandoned as a whole is not, nor are ranges that were looked at.
  public func retryEntries(
    of payloads: [RefusedEntries], asOf: Instant
  ) async throws(StoreError) -> [RefusedEntries] {
    try await entries(
      Statements.retryEntries, keys(payloads) + [.timestamp(asOf.microseconds)], "retrying quarantined entries")
  }

  /// Deletes the refused entries of these payloads for good. Returns what there was.
  public func dropEntries(of payloads: [RefusedEntries]) async throws(StoreError) -> [RefusedEntries] {
    try await entries(Statements.dropEntries, keys(payloads), "dropping quarantined entries")
  }

  private func keys(_ payloads: [RefusedEntries]) -> [Parameter] {
    [.uuidArray(payloads.map(\.user)), .uuidArray(payloads.map(\.payloadID))]
  }

  private func entries(
    _ sql: String, _ parameters: [Parameter], _ doing: String
  ) async throws(StoreError) -> [RefusedEntries] {
    let rows = try await run(sql, parameters, doing)
    return try await storing(doing) { () throws(PostgresError) in
      var found: [RefusedEntries] = []
      for row in rows {
        found.append(
          .init(user: try row.uuid("user_id"), payloadID: try row.uuid("payload_id"), entries: try row.int("entries")))
      }
      return found
    }
  }
}

extension QuarantineReport {
  fileprivate init(row: Row) throws(PostgresError) {
    self.init(
      user: try row.uuid("user_id"), payloadID: try row.uuid("payload_id"), pointer: try row.text("pointer"),
      code: try row.text("code"), platform: try row.text("platform"), store: try row.text("store"),
      readAt: Instant(microseconds: try row.timestamp("read_at")),
      quarantinedAt: Instant(microseconds: try row.timestamp("quarantined_at")))
  }
}
