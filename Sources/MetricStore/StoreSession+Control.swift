public import HealthPayload
internal import Postgres

/// Since when nothing is taken out of the queue, and why.
public struct IntakePause: Sendable, Hashable {
  /// Since when.
  public var since: Instant
  /// Why, in a sentence. It holds nothing of a payload.
  public var because: String

  /// A pause.
  public init(since: Instant, because: String) {
    self.since = since
    self.because = because
  }
}

/// What a claim that took nothing wants to know.
struct QueueState: Sendable {
  /// Whether there is anything in the queue, whoever has it in hand.
  let hasWork: Bool
  /// nil: intake works.
  let pause: IntakePause?
  /// Payloads up to this one may die in any number.
  let acceptedUpTo: Int
}

extension StoreSession {
  /// Stops all workers of the database from taking payloads; batches in hand are finished. Re-checks go on.
  ///
  /// - Returns: the pause that holds now, and whether it is this one; false: intake was paused before, and that stays.
  public func pause(because: String, asOf: Instant) async throws(StoreError) -> (pause: IntakePause?, isNew: Bool) {
    let isNew = try await pause(because, asOf, newest: nil)
    return (try await queueState().pause, isNew)
  }

  /// Lets the workers go on. What is queued by now may die in any number without another pause.
  ///
  /// - Returns: whether intake was paused.
  public func resume() async throws(StoreError) -> Bool {
    let rows = try await run(Statements.resume, [], "resuming")
    return try await storing("resuming") { () throws(PostgresError) in try rows.one().bool(0) }
  }

  func pause(_ because: String, _ asOf: Instant, newest: Int?) async throws(StoreError) -> Bool {
    let rows = try await run(
      Statements.pause, [.text(because), .timestamp(asOf.microseconds), .int(newest.map(Int64.init))], "pausing")
    return try await storing("pausing") { () throws(PostgresError) in try rows.one().bool(0) }
  }

  func queueState() async throws(StoreError) -> QueueState {
    let doing = "looking at the queue"
    let rows = try await run(Statements.queueState, [], doing)
    return try await storing(doing) { () throws(PostgresError) in
      let row = try rows.one()
      var pause: IntakePause?
      if let since = try row.optionalTimestamp("paused_at") {
        pause = IntakePause(since: Instant(microseconds: since), because: try row.text("paused_because"))
      }
      return QueueState(
        hasWork: try row.bool("has_work"), pause: pause, acceptedUpTo: try row.int("accepted_up_to"))
    }
  }

  /// Why a batch must not be committed, or nil. What an operator has accepted or tries again does not count.
  func breach(of rows: [QueueRow], _ refused: [RefusedPayload]) async throws(StoreError) -> CircuitBreaker.Breach? {
    // Nearly always the answer is no, and needs no round trip.
    guard CircuitBreaker.breach(refused, among: refused.count) != nil else { return nil }
    let accepted = try await queueState().acceptedUpTo
    let fresh = rows.count { row in !row.isRetry && row.id.map { $0 > accepted } == true }
    return CircuitBreaker.breach(refused.filter { $0.id > accepted }, among: fresh)
  }
}
