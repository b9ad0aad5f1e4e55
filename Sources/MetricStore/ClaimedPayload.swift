internal import FoundationEssentials
internal import HealthPayload
internal import PayloadDecoder
internal import Postgres

/// A row of the queue, taken out of it within the running transaction.
struct QueueRow: Sendable {
  /// Its number in the queue; nil for a page of a load, which has left the queue before.
  let id: Int?
  let userID: UUID
  let receivedAt: Instant
  /// Whether an operator tries a dead letter again.
  let isRetry: Bool
  /// Whether the operator lets it delete as much as it says.
  let isConsented: Bool
  /// Whether its person is forgotten: then its text was not given out, and it is let go of.
  let isForgotten: Bool
  let text: [UInt8]

  init(row: Row) throws(PostgresError) {
    try self.init(
      row: row, id: try row.int("id"), isRetry: try row.bool("is_retry"), isConsented: try row.bool("is_consented"),
      isForgotten: try row.bool("is_forgotten"))
  }

  /// A page of a load that was held until now.
  init(page row: Row) throws(PostgresError) {
    try self.init(row: row, id: nil, isRetry: false, isConsented: try row.bool("is_consented"), isForgotten: false)
  }

  private init(
    row: Row, id: Int?, isRetry: Bool, isConsented: Bool, isForgotten: Bool
  ) throws(PostgresError) {
    self.id = id
    self.isRetry = isRetry
    self.isConsented = isConsented
    self.isForgotten = isForgotten
    userID = try row.uuid("user_id")
    receivedAt = Instant(microseconds: try row.timestamp("received_at"))
    text = try row.utf8("payload")
  }
}

/// A payload on its way through one transaction: the queue's row, and what the boundary made of it.
struct ClaimedPayload: Sendable {
  let row: QueueRow
  let result: DecodeResult
  let contentHash: [UInt8]

  init(_ row: QueueRow, decoder: PayloadDecoder) {
    self.row = row
    result = decoder.decode(row.text, queueUser: row.userID, arrivedAt: row.receivedAt, parts: .judgedDays)
    contentHash = ContentHash.of(row.text.span)
  }

  /// What was decoded; nil if nothing of it can be used.
  var decoded: DecodedPayload? {
    if case .payload(let payload) = result { payload } else { nil }
  }
}

extension DecodedPayload {
  /// How much of it is merged: day entries, records and days that were seen empty.
  var statementCount: Int { days.count { $0.kind != .looked } + hours.count + records.count }

  /// How many rows it sends to the server.
  var rowCount: Int { days.count + hours.count + records.count + payload.deletions.count }
}

/// A payload that is parked instead of merged.
struct DeadLetter: Sendable {
  let row: QueueRow
  let payloadID: UUID?
  let code: DeadLetterCode
  let pointer: String
  let byteOffset: Int?
  let detail: String

  init(_ row: QueueRow, fault: PayloadFault) {
    self.init(row, payloadID: fault.payloadID, fault.code, fault.pointer, byteOffset: fault.byteOffset, fault.detail)
  }

  init(
    _ row: QueueRow, payloadID: UUID?, _ code: DeadLetterCode, _ pointer: String, byteOffset: Int? = nil,
    _ detail: String
  ) {
    self.row = row
    self.payloadID = payloadID
    self.code = code
    self.pointer = pointer
    self.byteOffset = byteOffset
    self.detail = detail
  }
}
