import Foundation
import HealthPayload
import MetricStore
import Postgres
import TestSupport

/// A way for the payloads of sets to arrive and to be worked through.
struct Arrival: Sendable {
  let name: String
  var sessions = 1
  /// Whether payloads come in another order, and some of them again.
  var isShuffled = true
  /// Whether everything that is due is derived again in between, while some days are not over.
  var hasRecheck = false
  /// Only the first few sets: it takes its time.
  var isForFew = false
  /// The limits of one transaction.
  let limits: @Sendable (inout SeededNumbers) -> BatchLimits

  private static let oneOfEach: @Sendable (inout SeededNumbers) -> BatchLimits = { _ in
    BatchLimits(payloads: 600, perUser: 1, users: 600)
  }

  /// The first is what the others are compared with. Persons do not know of each other, so a transaction that takes one
  /// payload of each is, for each of them, one payload per transaction.
  static let all = [
    Arrival(name: "in order, one by one", isShuffled: false, limits: oneOfEach),
    Arrival(name: "shuffled, one by one, with a re-check in between", hasRecheck: true, limits: oneOfEach),
    Arrival(name: "shuffled, at once") { _ in BatchLimits(payloads: 2000, perUser: 100, users: 600) },
    Arrival(name: "shuffled, split at random, by two sessions", sessions: 2) { random in
      BatchLimits(
        payloads: random.number(20...400), perUser: random.number(1...5), users: random.number(10...200),
        entries: random.pick([300, 5_000]))
    },
    Arrival(name: "shuffled, each in a transaction of its own", isForFew: true) { _ in BatchLimits(payloads: 1) },
  ]

  /// The person of a set in an arrival: what the arrivals make of a set lies side by side in one database.
  static func user(_ arrival: Int, _ set: PayloadSet, _ person: Int) -> UUID {
    UUID(UInt64(arrival + 1) << 32, set.seed << 8 | UInt64(person))
  }

  /// The payloads as they are delivered. A repetition arrives later than what it repeats.
  ///
  /// A set is delivered in the same way whichever others are beside it, so that its seed alone brings a fault back.
  func deliveries(of set: PayloadSet, number: Int) -> [PayloadSet.Payload] {
    guard isShuffled else { return set.payloads }
    var random = SeededNumbers(seed: set.seed << 8 | UInt64(number))
    let (first, rest) = (set.payloads.filter(\.isFirst), set.payloads.filter { !$0.isFirst })
    return [first, rest].flatMap { part in
      var all = part
      for payload in part where random.chance(30) { all.append(payload) }
      return all.shuffled(using: &random)
    }
  }

  /// Works through the deliveries of all sets.
  func play(_ sets: [PayloadSet], number: Int, in database: TestDatabase) async throws {
    let deliveries = sets.map { self.deliveries(of: $0, number: number) }
    let worker = try await Worker(database)
    guard hasRecheck else { return try await deliver(zip(sets, deliveries), number, in: database) }
    let halves = deliveries.map { $0.count / 2 }
    try await deliver(zip(sets, zip(deliveries, halves).map { Array($0.prefix($1)) }), number, in: database)
    try await worker.deriveDue(asOf: instant("2026-11-29T10:00:00Z"), includeScheduled: true)
    try await deliver(zip(sets, zip(deliveries, halves).map { Array($0.dropFirst($1)) }), number, in: database)
  }

  private func deliver(
    _ parts: some Sequence<(PayloadSet, [PayloadSet.Payload])>, _ number: Int, in database: TestDatabase
  ) async throws {
    let arrival = try instant(PayloadSet.arrival).microseconds
    let rows = parts.flatMap { set, payloads in
      payloads.map { payload in
        let user = Self.user(number, set, payload.person)
        let time = Instant(microseconds: arrival + Int64(payload.minute) * 60_000_000).description
        return CopyText.row([user.uuidString, payload.text(of: user), time])
      }
    }
    let connection = try await database.connect()
    try await connection.copyIn("COPY intake.sync_payload (user_id, payload, received_at) FROM STDIN", rows)
    await connection.close()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for session in 1...sessions {
        group.addTask { try await drain(database, session) }
      }
      try await group.waitForAll()
    }
    try await drain(database, 0)
  }

  /// Works until nothing is left that no other session holds.
  private func drain(_ database: TestDatabase, _ session: Int) async throws {
    let worker = try await Worker(database)
    let now = try instant("2026-11-29T09:00:00Z")
    var random = SeededNumbers(seed: UInt64(session))
    var cursor: UUID?
    var report: BatchReport
    repeat {
      report = try await worker.store.ingestBatch(
        decoder: worker.decoder, limits: limits(&random), cursor: &cursor, asOf: now)
    } while report.payloads > 0
    await worker.store.close()
  }
}
