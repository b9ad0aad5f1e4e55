internal import FoundationEssentials
internal import HealthPayload
internal import PayloadDecoder
internal import Postgres

extension StoreSession {
  /// Whether a payload was taken before.
  enum Verdict: String, Sendable {
    /// It was not.
    case new
    /// It was, with the same content: nothing is to be done.
    case repeated
    /// Its id was, with other content.
    case reused
  }

  /// Writes the receipts of those that are new and says of each, in this order, whether it is.
  func takeReceipts(_ batch: [ClaimedPayload], _ asOf: Instant) async throws(StoreError) -> [Verdict] {
    let known = batch.compactMap { claimed in claimed.decoded.map { (claimed, $0) } }
    guard !known.isEmpty else { return [] }
    let doing = "writing receipts"
    let rows = try await run(
      Statements.takeReceipts,
      [
        .uuidArray(known.map { $0.1.payload.userID }), .uuidArray(known.map { $0.1.payload.payloadID }),
        .byteaArray(known.map { $0.0.contentHash }),
        .timestampArray(known.map { $0.0.row.receivedAt.microseconds }),
        .timestampArray(known.map { $0.1.readAt.microseconds }),
        .textArray(known.map { $0.1.isPage ? "held" : $0.1.abandoned ? "load_abandoned" : "merged" }),
        .int4Array(known.map { $0.1.abandoned ? 0 : Int32($0.1.statementCount) }),
        .int4Array(known.map { Int32($0.1.quarantined.count) }),
        .boolArray(known.map { $0.0.row.isRetry }),
        .timestamp(asOf.microseconds),
      ], doing)
    return try await storing(doing) { () throws(PostgresError) in
      var verdicts: [Verdict] = []
      for row in rows {
        guard let verdict = Verdict(rawValue: try row.text("verdict")) else {
          throw PostgresError(.decoding, "take_receipts gave a verdict that this build does not know")
        }
        verdicts.append(verdict)
      }
      return verdicts
    }
  }

  /// Parks payloads with the reason. The text goes with them; the reason holds no value.
  ///
  /// - Returns: how many were let go of instead, because they name somebody who is forgotten.
  @discardableResult
  func bury(_ letters: [DeadLetter], _ asOf: Instant) async throws(StoreError) -> Int {
    guard !letters.isEmpty else { return 0 }
    return try await count(
      Statements.bury,
      [
        .uuidArray(letters.map(\.row.userID)), .uuidArray(letters.map(\.payloadID)),
        .textArray(letters.map(\.code.rawValue)), .textArray(letters.map(\.pointer)),
        .int8Array(letters.map { $0.byteOffset.map(Int64.init) }), .textArray(letters.map(\.detail)),
        .textArray(letters.map { String(decoding: $0.row.text, as: UTF8.self) }),
        .timestampArray(letters.map(\.row.receivedAt.microseconds)), .timestamp(asOf.microseconds),
      ], "parking dead letters")
  }

  /// Keeps the entries that were refused. Returns how many.
  func quarantine(
    _ accepted: [(ClaimedPayload, DecodedPayload)], _ catalogue: Catalogue, _ asOf: Instant
  ) async throws(StoreError) -> Int {
    let entries = accepted.flatMap { claimed, decoded in decoded.quarantined.map { (claimed, decoded, $0) } }
    guard !entries.isEmpty else { return 0 }
    let platforms = Dictionary(uniqueKeysWithValues: catalogue.platforms.map { ($0.name, $0.id) })
    try await run(
      Statements.quarantine,
      [
        .uuidArray(entries.map(\.1.payload.userID)), .uuidArray(entries.map(\.1.payload.payloadID)),
        .textArray(entries.map(\.2.pointer)),
        .textArray(entries.map(\.2.code.rawValue)),
        .textArray(
          entries.map { claimed, _, entry in
            String(decoding: entry.translatedText ?? Array(claimed.row.text[entry.byteRange]), as: UTF8.self)
          }),
        .int2Array(entries.map { platforms[$0.1.payload.origin.platform] }),
        .textArray(entries.map(\.1.payload.origin.store)), .timestampArray(entries.map(\.1.readAt.microseconds)),
        .timestamp(asOf.microseconds),
      ], "keeping refused entries")
    return entries.count
  }
}
