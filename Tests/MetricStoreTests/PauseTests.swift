import Foundation
import HealthPayload
import PayloadDecoder
import Postgres
import TestSupport
import Testing

@testable import MetricStore

/// A bad release must not empty the queue into the dead letters; one person's garbage must not stop everybody.
@Suite struct CircuitBreakerTests {
  private func refused(_ count: Int, users: Int, _ code: DeadLetterCode = .notJSON) -> [RefusedPayload] {
    let people = (0..<users).map { _ in UUID() }
    return (0..<count).map { RefusedPayload(user: people[$0 % users], id: $0 + 1, code: code) }
  }

  @Test func `half of a batch, of ten persons, is a breach`() {
    let breach = CircuitBreaker.breach(refused(10, users: 10), among: 20)
    #expect(breach?.newest == 10)
    #expect(
      breach?.because.hasPrefix("10 of a batch of 20 payloads, of 10 persons, cannot be used (10 not_json)") == true)
  }

  @Test func `less than half, or fewer persons, is none`() {
    #expect(CircuitBreaker.breach(refused(10, users: 10), among: 21) == nil)
    #expect(CircuitBreaker.breach(refused(200, users: 9), among: 200) == nil)
    #expect(CircuitBreaker.breach([], among: 0) == nil)
  }

  @Test(arguments: DeadLetterCode.allCases)
  func `only what was not understood counts`(_ code: DeadLetterCode) {
    let aboutHistory: Set<DeadLetterCode> = [.payloadIDReused, .loadAbandoned, .massDeletion, .crashed, .timedOut]
    #expect((CircuitBreaker.breach(refused(20, users: 20, code), among: 20) == nil) == aboutHistory.contains(code))
  }

  @Test func `the reason counts each code`() {
    let mixed = refused(7, users: 7) + refused(5, users: 5, .unsupportedSchema)
    let reason = CircuitBreaker.breach(mixed, among: 12)?.because
    #expect(reason?.contains("(7 not_json, 5 unsupported_schema)") == true)
  }
}

@Suite struct PauseTests {
  private static let now = "2026-11-29T08:00:00Z"

  private static func id(_ number: Int) -> String {
    "00000000-0000-8000-8000-" + String(repeating: "0", count: 12 - String(number).count) + String(number)
  }

  /// A payload that is fine.
  private static func good(_ number: Int) -> EnqueuedLine {
    let text = """
      {"schema": "dailymetricd.sync/1", "payload_id": "\(id(number))", "user_id": "\(id(number))",
       "origin": {"platform": "health_connect"}, "read": {"read_at": "2026-11-29T07:00:00Z"},
       "days": [{"metric": "steps", "local_date": "2026-11-28", "outcome": "value", "value": 31337, "sources": ["watch"]}]}
      """
    return EnqueuedLine(user: UUID(uuidString: id(number)), text: text)
  }

  /// The same as a bad release writes it.
  private static func bad(_ number: Int, user: Int) -> EnqueuedLine {
    let text = good(number).text.replacing("dailymetricd.sync/1", with: "dailymetricd.sync/x")
    return EnqueuedLine(user: UUID(uuidString: id(user)), text: text)
  }

  private static func worker(_ lines: [EnqueuedLine]) async throws -> (Worker, Connection) {
    let database = try await freshDatabase(from: .migrated)
    let worker = try await Worker(database)
    try await worker.store.enqueue(lines, receivedAt: instant(now))
    return (worker, try await database.connect())
  }

  private static func ingest(_ worker: Worker) async throws -> BatchReport {
    var cursor: UUID?
    return try await worker.store.ingestBatch(
      decoder: worker.decoder, limits: BatchLimits(), cursor: &cursor, asOf: instant(now))
  }

  private static func counts(_ connection: Connection) async throws -> [String?] {
    let tables = ["intake.sync_payload", "intake.dead_letter", "intake.receipt"]
    return try await connection.list(tables.map { "(SELECT count(*) FROM \($0))" }.joined(separator: " UNION ALL "))
  }

  @Test func `while intake is paused nothing is taken, and the report says so`() async throws {
    let (worker, connection) = try await Self.worker([Self.good(1)])
    let (pause, isNew) = try await worker.store.pause(because: "release 7", asOf: instant(Self.now))
    #expect(isNew)
    #expect(pause == IntakePause(since: try instant(Self.now), because: "release 7"))
    let report = try await Self.ingest(worker)
    #expect(report.payloads == 0)
    #expect(report.pause == pause)
    #expect(!report.queueIsEmpty)
    #expect(try await worker.store.queueStatus(asOf: instant(Self.now)).pause == pause)
    #expect(try await worker.store.resume())
    #expect(try await Self.ingest(worker).payloads == 1)
    #expect(try await Self.ingest(worker).pause == nil)
    #expect(try await Self.counts(connection) == ["0", "0", "1"])
  }

  @Test func `a bad release pauses the intake and leaves the queue as it is`() async throws {
    let (worker, connection) = try await Self.worker(
      (1...12).map { Self.bad($0, user: $0) } + (101...105).map(Self.good))
    let report = try await Self.ingest(worker)
    #expect(report.payloads == 0)
    #expect(report.deadLetters == 0)
    let reason = try #require(report.pause).because
    #expect(reason.contains("12 of a batch of 17 payloads, of 12 persons, cannot be used (12 unsupported_schema)"))
    #expect(!reason.contains("31337"))
    #expect(try await Self.counts(connection) == ["17", "0", "0"])
    #expect(try await connection.list("SELECT count(*) FROM daily_metric") == ["0"])
  }

  @Test func `what was accepted by a resume dies without another pause, what came later does not`() async throws {
    let (worker, connection) = try await Self.worker((1...12).map { Self.bad($0, user: $0) })
    #expect(try await Self.ingest(worker).pause != nil)
    #expect(try await worker.store.resume())
    #expect(try await Self.ingest(worker).deadLetters == 12)
    try await worker.store.enqueue((21...32).map { Self.bad($0, user: $0) }, receivedAt: instant(Self.now))
    #expect(try await Self.ingest(worker).pause != nil)
    #expect(try await Self.counts(connection) == ["12", "12", "0"])
  }

  @Test func `accepted payloads hide none that came later`() async throws {
    let (worker, connection) = try await Self.worker((1...60).map { Self.bad($0, user: $0) })
    #expect(try await Self.ingest(worker).pause != nil)
    #expect(try await worker.store.resume())
    try await worker.store.enqueue((101...112).map { Self.bad($0, user: $0) }, receivedAt: instant(Self.now))
    // 12 of 72 are new: few of the batch, but all of what has not been accepted.
    #expect(try await Self.worker([]).0.store.queueStatus(asOf: instant(Self.now)).depth == 0)
    var cursor: UUID?
    let report = try await worker.store.ingestBatch(
      decoder: worker.decoder, limits: BatchLimits(users: 100), cursor: &cursor, asOf: instant(Self.now))
    #expect(report.pause?.because.contains("12 of a batch of 12 payloads") == true)
    #expect(try await Self.counts(connection) == ["72", "0", "0"])
  }

  @Test func `one person's garbage pauses nothing`() async throws {
    let (worker, connection) = try await Self.worker((1...25).map { Self.bad($0, user: 7) } + [Self.good(1)])
    let report = try await Self.ingest(worker)
    #expect(report.deadLetters == 25)
    #expect(report.pause == nil)
    #expect(try await Self.counts(connection) == ["0", "25", "1"])
  }

  @Test func `what the database refuses of everybody pauses too`() async throws {
    let (worker, connection) = try await Self.worker((1...12).map(Self.good))
    try await connection.script("ALTER TABLE public.daily_metric ADD CONSTRAINT moon CHECK (value <> 31337)")
    let reason = try #require(try await Self.ingest(worker).pause).because
    #expect(reason.contains("12 rejected_by_database") && !reason.contains("31337"))
    #expect(try await Self.counts(connection) == ["12", "0", "0"])
  }

  @Test func `what an operator tries again pauses nothing`() async throws {
    let (worker, connection) = try await Self.worker((1...12).map { Self.bad($0, user: $0) })
    #expect(try await Self.ingest(worker).pause != nil)
    #expect(try await worker.store.resume())
    #expect(try await Self.ingest(worker).deadLetters == 12)
    let letters = try await worker.store.deadLetterNumbers(RefusalFilter(code: "unsupported_schema"))
    #expect(try await worker.store.retryDeadLetters(letters, asOf: instant(Self.now)).count == 12)
    #expect(try await Self.ingest(worker).deadLetters == 12)
    #expect(try await Self.counts(connection) == ["0", "12", "0"])
  }
}
