import Foundation
import HealthPayload
import Postgres
import TestSupport
import Testing

@testable import MetricStore

/// What is known depends on what was said, and not on the order, the repetition or the company in which it arrived.
@Suite struct OrderTests {
  /// A way for the same payloads to arrive.
  private struct Arrival {
    let name: String
    var limits = BatchLimits()
    var sessions = 1
    /// Puts the payloads into another order, and some of them in twice.
    var arrange: @Sendable ([PayloadSet.Payload], inout SeededNumbers) -> [PayloadSet.Payload] = { payloads, _ in
      payloads
    }
  }

  private static let shuffled: @Sendable ([PayloadSet.Payload], inout SeededNumbers) -> [PayloadSet.Payload] = {
    payloads, random in
    var all = payloads
    for payload in payloads where random.chance(30) { all.append(payload) }
    return all.shuffled(using: &random)
  }
  private static let arrivals = [
    Arrival(name: "in order, at once"),
    Arrival(name: "in reverse, one by one", limits: BatchLimits(payloads: 1)) { payloads, _ in payloads.reversed() },
    Arrival(name: "shuffled, one by one", limits: BatchLimits(payloads: 1), arrange: shuffled),
    Arrival(name: "shuffled, in threes", limits: BatchLimits(payloads: 3), arrange: shuffled),
    Arrival(name: "shuffled, at once", arrange: shuffled),
    Arrival(
      name: "shuffled, in threes, by two sessions", limits: BatchLimits(payloads: 3), sessions: 2, arrange: shuffled),
    Arrival(name: "shuffled, at once, by two sessions", limits: BatchLimits(users: 2), sessions: 2, arrange: shuffled),
  ]

  /// The person of a set in one arrival: what the arrivals make of a set lies side by side in one database.
  private static func user(_ arrival: Int, _ set: PayloadSet, _ person: Int) -> UUID {
    UUID(UInt64(arrival + 1) << 32, set.seed << 8 | UInt64(person))
  }

  private static func enqueue(_ sets: [PayloadSet], _ arrival: Int, _ worker: Worker) async throws {
    var random = SeededNumbers(seed: UInt64(arrival))
    let lines = sets.flatMap { set in
      arrivals[arrival].arrange(set.payloads, &random).map { payload in
        let user = user(arrival, set, payload.person)
        return EnqueuedLine(user: user, text: payload.text.replacing("USER", with: user.uuidString))
      }
    }
    try await worker.store.enqueue(lines, receivedAt: instant("2026-11-30T08:00:00Z"))
  }

  private static func drain(_ arrival: Int, _ database: TestDatabase) async throws {
    let limits = arrivals[arrival].limits
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...arrivals[arrival].sessions {
        group.addTask { try await Worker(database).drain(asOf: instant("2026-11-30T09:00:00Z"), limits: limits) }
      }
      try await group.waitForAll()
    }
  }

  /// The rows of each user, without what only says when they were written, and what was shown in between.
  private static func rows(_ connection: Connection) async throws -> [String: [String]] {
    let table = try await connection.table(
      """
      SELECT user_id, (to_jsonb(d) - 'user_id' - 'computed_at' - 'next_check_at' - 'revision' - 'shown_since')::text FROM daily_metric d
      UNION ALL SELECT user_id, (to_jsonb(r) - 'user_id')::text FROM evidence.reading r
      UNION ALL SELECT user_id, (to_jsonb(r) - 'user_id' - 'chunk')::text FROM evidence.record r
      UNION ALL SELECT user_id, (to_jsonb(r) - 'user_id')::text FROM evidence.deleted_record r
      UNION ALL SELECT user_id, (to_jsonb(r) - 'user_id')::text FROM evidence.deleted_interval r ORDER BY 1, 2
      """)
    return Dictionary(grouping: table.compactMap { row in row[0].flatMap { user in row[1].map { (user, $0) } } }) {
      $0.0
    }
    .mapValues { $0.map(\.1) }
  }

  @Test func `any order, repetition and split of any payloads, by any number of sessions, ends in the same tables`()
    async throws
  {
    let database = try await freshDatabase(from: .migrated)
    let sets = (1...60).map { PayloadSet(seed: $0) }
    let worker = try await Worker(database)
    for arrival in Self.arrivals.indices {
      try await Self.enqueue(sets, arrival, worker)
      try await Self.drain(arrival, database)
    }
    let connection = try await database.connect()
    let rows = try await Self.rows(connection)
    for set in sets {
      for person in Set(set.payloads.map(\.person)) {
        let expected = rows[Self.user(0, set, person).uuidString.lowercased(), default: []]
        for arrival in Self.arrivals.indices.dropFirst() {
          let got = rows[Self.user(arrival, set, person).uuidString.lowercased(), default: []]
          #expect(
            got == expected,
            "seed \(set.seed), person \(person), \(Self.arrivals[arrival].name): \(got.difference(from: expected))")
        }
      }
    }
    try await Self.expectVariety(connection)
  }

  /// Sets that say little would agree about little.
  private static func expectVariety(_ connection: Connection) async throws {
    #expect(try await connection.list("SELECT count(*) FROM intake.dead_letter") == ["0"])
    #expect(try await connection.list("SELECT count(*) FROM intake.sync_payload") == ["0"])
    #expect(
      Set(try await connection.list("SELECT DISTINCT slot FROM evidence.reading")).count == 11, "every slot is in use")
    let states = Set(
      try await connection.list(
        "SELECT DISTINCT COALESCE(unknown_reason, CASE WHEN value = 0 THEN 'zero' ELSE 'value' END) || CASE WHEN is_final THEN ' final' ELSE '' END FROM daily_metric"
      ))
    let wanted: Set = [
      "value", "value final", "zero final", "not_yet_synced", "provider_error", "not_authorized",
      "before_authorized_history",
      "no_source_coverage final", "not_authorized_or_no_data final", "metric_unavailable", "invalid_reading",
      "deleted_at_source",
    ]
    #expect(wanted.subtracting(states.compactMap(\.self)) == [])
  }

  @Test func `other payloads end in other tables`() async throws {
    let database = try await freshDatabase(from: .migrated)
    let worker = try await Worker(database)
    var set = PayloadSet(seed: 1)
    try await Self.enqueue([set], 0, worker)
    set = PayloadSet(seed: 1, without: 0)
    try await Self.enqueue([set], 1, worker)
    try await Self.drain(0, database)
    let rows = try await Self.rows(database.connect())
    let person = set.payloads[0].person
    #expect(
      rows[Self.user(0, set, person).uuidString.lowercased()] != rows[Self.user(1, set, person).uuidString.lowercased()]
    )
  }
}

extension PayloadSet {
  /// The set of a seed without one of its payloads.
  fileprivate init(seed: UInt64, without index: Int) {
    let whole = PayloadSet(seed: seed)
    self.init(seed: seed, payloads: whole.payloads.enumerated().filter { $0.offset != index }.map(\.element))
  }
}
