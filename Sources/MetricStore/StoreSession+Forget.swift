public import FoundationEssentials
public import HealthPayload
internal import Postgres

/// What is kept of somebody who was forgotten: when, and how much. Holds no health data.
public struct ForgettingProof: Sendable, Hashable {
  /// When it was asked for.
  public var forgottenAt: Instant
  /// When nothing was left; nil: it is not over.
  public var erasedAt: Instant?
  /// When payloads about them were allowed again; nil: they are refused.
  public var allowedAgainAt: Instant?
  /// How many rows were erased in all.
  public var rowsErased: Int
  /// How many payloads arrived since and were let go of.
  public var payloadsRefused: Int
}

/// What one transaction of an erasure did.
public struct ErasureStep: Sendable, Hashable {
  /// How many rows were erased.
  public var erased: Int
  /// Whether nothing is left.
  public var isOver: Bool
}

/// What became of the wish to take payloads about somebody again.
public enum AllowedAgain: String, Sendable {
  /// From now on they are taken.
  case allowed
  /// They were taken all the time: nobody has had the person forgotten.
  case notForgotten = "not_forgotten"
  /// Somebody has allowed it before.
  case allowedBefore = "allowed_before"
  /// What is there of the person is still being erased.
  case beingErased = "being_erased"
}

extension StoreSession {
  /// Refuses payloads about a person from now on, and begins to erase them. Waits for the batch that has them in hand.
  public func beginToForget(_ user: UUID, asOf: Instant) async throws(StoreError) {
    try await run(Statements.forgetBegin, [.uuid(user), .timestamp(asOf.microseconds)], "beginning to forget a user")
  }

  /// Erases some more rows of a person whom `beginToForget` was called for. One transaction; it may be the last of its process.
  ///
  /// - Parameter rows: at most so many.
  public func forget(_ user: UUID, rows limit: Int, asOf: Instant) async throws(StoreError) -> ErasureStep {
    let doing = "erasing a user"
    let rows = try await run(
      Statements.forgetStep, [.uuid(user), .int(Int64(limit)), .timestamp(asOf.microseconds)], doing)
    return try await storing(doing) { () throws(PostgresError) in
      let row = try rows.one()
      return ErasureStep(erased: try row.int("erased"), isOver: try row.bool("is_over"))
    }
  }

  /// Takes payloads about a forgotten person again.
  public func allowAgain(_ user: UUID, asOf: Instant) async throws(StoreError) -> AllowedAgain {
    let doing = "allowing payloads about a user again"
    let rows = try await run(Statements.allowAgain, [.uuid(user), .timestamp(asOf.microseconds)], doing)
    return try await storing(doing) { () throws(PostgresError) in
      guard let answer = AllowedAgain(rawValue: try rows.one().text(0)) else {
        throw PostgresError(.decoding, "allow_again gave an answer that this build does not know")
      }
      return answer
    }
  }

  /// The proof that somebody was forgotten; nil: nobody has had them forgotten.
  public func proof(of user: UUID) async throws(StoreError) -> ForgettingProof? {
    let doing = "looking for the proof"
    let rows = try await run(Statements.proof, [.uuid(user)], doing)
    return try await storing(doing) { () throws(PostgresError) in
      guard let row = rows.first else { return nil }
      return ForgettingProof(
        forgottenAt: Instant(microseconds: try row.timestamp("forgotten_at")),
        erasedAt: try row.optionalTimestamp("erased_at").map { Instant(microseconds: $0) },
        allowedAgainAt: try row.optionalTimestamp("allowed_again_at").map { Instant(microseconds: $0) },
        rowsErased: try row.int("rows_erased"), payloadsRefused: try row.int("payloads_refused"))
    }
  }

  /// Counts payloads about people who are forgotten. They have left the queue with this transaction, and nothing is kept.
  func refuse(_ rows: [QueueRow], _ asOf: Instant) async throws(StoreError) {
    guard !rows.isEmpty else { return }
    try await run(
      Statements.noteRefused, [.uuidArray(rows.map(\.userID)), .timestamp(asOf.microseconds)],
      "counting refused payloads")
  }
}
