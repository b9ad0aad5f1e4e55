public import FoundationEssentials
internal import HealthPayload
internal import PayloadDecoder
internal import Postgres

/// A payload that took longer than the server allows although it was the only one of its batch.
public struct LoneTimeout: Sendable, Hashable {
  /// The person of the queue row.
  public let user: UUID
  /// Its number in the queue.
  public let number: Int
  /// How often that has happened while others were merged in between.
  public let attempts: Int
  /// After how many it is parked.
  public let attemptsUntilParked: Int
  /// Whether others were merged since the attempt before: else it may as well be the server that is slow.
  public let isCounted: Bool

  /// A timeout of a payload that was alone.
  public init(user: UUID, number: Int, attempts: Int, attemptsUntilParked: Int, isCounted: Bool) {
    self.user = user
    self.number = number
    self.attempts = attempts
    self.attemptsUntilParked = attemptsUntilParked
    self.isCounted = isCounted
  }
}

/// The only payload of a batch, as the queue names it.
struct LonePayload: Sendable {
  let user: UUID
  let number: Int

  /// nil: it is not alone.
  init?(_ rows: [QueueRow]) {
    guard rows.count == 1, let number = rows[0].id else { return nil }
    user = rows[0].userID
    self.number = number
  }
}

extension StoreSession {
  /// Notes that a payload took too long alone. Returns a report of its dead letter once it has been tried often enough.
  ///
  /// - Throws: before that, the error that it met, with what was noted.
  func noteTimeout(
    of payload: LonePayload, _ error: StoreError, _ asOf: Instant
  ) async throws(StoreError) -> BatchReport {
    let doing = "noting a payload that took too long"
    let rows = try await run(
      Statements.noteTimeout, [.uuid(payload.user), .int(Int64(payload.number)), .timestamp(asOf.microseconds)], doing)
    let (timeout, isParked) = try await storing(doing) { () throws(PostgresError) in
      let row = try rows.one()
      let timeout = try row.optionalInt("attempts").map { (attempts) throws(PostgresError) in
        LoneTimeout(
          user: payload.user, number: payload.number, attempts: attempts,
          attemptsUntilParked: try row.int("attempts_until_parked"), isCounted: try row.bool("is_counted"))
      }
      return (timeout, try row.bool("is_parked"))
    }
    guard isParked else { throw StoreError(error, of: timeout) }
    var report = BatchReport()
    report.payloads = 1
    report.deadLetters = 1
    report.deadLettersByCode = [.timedOut: 1]
    report.loneTimeout = timeout
    return report
  }
}
