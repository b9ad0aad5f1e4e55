import Foundation
import Postgres
import TestSupport
import Testing

/// Whatever a payload says, it changes nothing of another person than the one of its queue row.
@Suite struct IsolationTests {
  private static let victim = Sample.id(1)
  private static let sender = Sample.id(2)

  /// One line for each row of the victim, in every table that has rows of persons.
  private func held(_ program: Program) async throws -> String {
    let tables = try await program.value(
      "SELECT string_agg(relation::text, ' ' ORDER BY place) FROM intake.tables_of_persons()")
    let parts = tables.split(separator: " ").map {
      "SELECT '\($0) ' || to_jsonb(t)::text AS row FROM \($0) t WHERE t.user_id = '\(Self.victim)'"
    }
    #expect(parts.count > 20)
    return try await program.value(
      "SELECT string_agg(row, E'\\n' ORDER BY row) FROM (\(parts.joined(separator: " UNION ALL "))) x")
  }

  @Test func `payloads that name another person in every way reach none of that person's rows`() async throws {
    let program = try await Program.prepared()
    let document = try Forgery.document()
    let own = try Forgery.text(of: document, replacing: ["user_id": Self.victim])
    try await enqueue([own, Sample.payload(user: 1, number: 8, steps: ["5", "6"])], for: Self.victim, program)
    #expect(try await program("drain").status == 0)
    let before = try await held(program)
    #expect(
      before.contains("daily_metric") && before.contains("evidence.record_id") && before.contains("intake.receipt"))

    let seed = UInt64.random(in: 0...UInt64.max)
    var forger = Forgery(seed: seed, victim: Self.victim, sender: Self.sender)
    let forged = try (1...600).map { try forger.payload(from: document, number: $0) }
    try await enqueue(forged, for: Self.sender, program)
    // Most of a batch cannot be used, on purpose; one person's garbage pauses nothing.
    #expect(try await program("drain").status == 0)
    // A day of the victim that was made due would be a change too.
    let after = try await held(program)
    let changes = Set(after.split(separator: "\n")).symmetricDifference(before.split(separator: "\n"))
    #expect(changes == [], "seed \(seed)")
    let used = try await program.value("SELECT count(*) FROM intake.receipt WHERE user_id = '\(Self.sender)'")
    let refused = try await program.value("SELECT count(*) FROM intake.dead_letter WHERE code = 'user_mismatch'")
    #expect(
      try #require(Int(used)) > 50 && #require(Int(refused)) > 20, "seed \(seed): \(used) merged, \(refused) refused")
    #expect(
      try await program.value(
        "SELECT string_agg(DISTINCT user_id::text, ' ') FROM daily_metric WHERE user_id <> '\(Self.victim)'")
        == Self.sender)
  }

  private func enqueue(_ payloads: [String], for user: String, _ program: Program) async throws {
    let connection = try await program.database.connect()
    let id = try #require(UUID(uuidString: user))
    for payload in payloads {
      _ = try await connection.execute("SELECT enqueue_sync_payload($1, $2)", [.uuid(id), .text(payload)])
    }
    await connection.close()
  }
}

/// Makes payloads out of one that has every field, with the ids of somebody else in random places.
private struct Forgery {
  private var numbers: SeededNumbers
  private let victim: String
  private let sender: String

  init(seed: UInt64, victim: String, sender: String) {
    numbers = SeededNumbers(seed: seed)
    (self.victim, self.sender) = (victim, sender)
  }

  /// The payload with every field.
  static func document() throws -> [String: Any] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../PayloadDecoderTests/fixtures/every-field.json").standardized
    let parsed = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    return try #require(parsed as? [String: Any])
  }

  static func text(of document: [String: Any], replacing members: [String: Any]) throws -> String {
    let whole = document.merging(members) { $1 }
    return String(decoding: try JSONSerialization.data(withJSONObject: whole, options: [.sortedKeys]), as: UTF8.self)
  }

  /// Its own id is the sender's mostly, and now and then one that the victim has used.
  mutating func payload(from document: [String: Any], number: Int) throws -> String {
    var forged = try #require(changed(document, depth: 0) as? [String: Any])
    forged["schema"] = document["schema"]
    forged["payload_id"] = numbers.chance(80) ? Sample.id(1000 + number) : document["payload_id"]
    forged["user_id"] = numbers.chance(85) ? sender : victim
    return try Self.text(of: forged, replacing: [:])
  }

  private mutating func changed(_ value: Any, depth: Int) -> Any {
    if let object = value as? [String: Any] {
      var result: [String: Any] = [:]
      for (key, member) in object.sorted(by: { $0.key < $1.key }) { result[key] = changed(member, depth: depth + 1) }
      if depth > 0, numbers.chance(10) { result[numbers.pick(["user_id", "person", "owner", "id"])] = victim }
      return result
    }
    if let list = value as? [Any] {
      var result: [Any] = []
      for element in list { result.append(changed(element, depth: depth + 1)) }
      return result
    }
    // Device names, record ids, stores, loads: anything that is a name.
    return value is String && numbers.chance(3) ? victim : value
  }
}
