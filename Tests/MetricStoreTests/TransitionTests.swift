import Foundation
import HealthPayload
import Postgres
import TestSupport
import Testing

@testable import MetricStore

/// Each state of a cell, and what each thing that can come makes of it: the table in `transitions.txt`.
@Suite struct TransitionTests {
  private static let table = BuiltProducts.packageRoot.appending(path: "Tests/MetricStoreTests/transitions.txt")

  private static func lines() throws -> [Transition] {
    try Transition.read(String(decoding: Data(contentsOf: table), as: UTF8.self))
  }

  private static func person(_ number: Int) -> UUID { UUID(9, UInt64(number)) }

  /// The cells of all persons as the table writes them, after the preparation and, if there is one, after what comes.
  private static func play(_ lines: [Transition], arrival: ((Transition, UUID) throws -> String)?) async throws
    -> [String]
  {
    let database = try await freshDatabase(from: .migrated)
    let worker = try await Worker(database)
    let now = try instant("2026-11-29T20:00:00Z")
    var steps = [[EnqueuedLine]](repeating: [], count: 2)
    for (number, line) in lines.enumerated() {
      let person = person(number)
      steps[0] += try line.preparation(person).map { EnqueuedLine(user: person, text: $0) }
      if let arrival { steps[1].append(EnqueuedLine(user: person, text: try arrival(line, person))) }
    }
    for step in steps where !step.isEmpty {
      try await worker.store.enqueue(step, receivedAt: now)
      try await worker.drain(asOf: now)
    }
    let rows = try await database.connect().table(
      """
      SELECT user_id, COALESCE(trim_scale(value)::text, unknown_reason || COALESCE('/' || unknown_detail, ''))
        || CASE WHEN is_final THEN ' final' ELSE ' open' END
      FROM daily_metric WHERE metric = 'steps' AND local_date = '\(Transition.day)'
      """)
    let cells = Dictionary(
      uniqueKeysWithValues: rows.compactMap { row in row[0].flatMap { key in row[1].map { (key, $0) } } })
    return lines.indices.map { cells[person($0).uuidString.lowercased(), default: "none"] }
  }

  @Test func `a cell becomes what the table says, whatever comes in whichever state`() async throws {
    let lines = try Self.lines()
    for (line, cell) in zip(lines, try await Self.play(lines) { try $0.arrival($1) }) {
      #expect(cell == line.after, "\(line.before) | \(line.comes) | \(line.read)")
    }
  }

  @Test func `of two payloads that were read at one instant the lesser id counts as older`() async throws {
    let lines = try Self.lines()
    let equal = lines.filter { $0.read == .equal }
    let cells = try await Self.play(equal) { try $0.arrival($1, withLesserID: true) }
    for (line, cell) in zip(equal, cells) {
      let twin = try #require(lines.first { $0.before == line.before && $0.comes == line.comes && $0.read == .older })
      // A deletion acts on what was read before its instant.
      let expected = line.before == "deleted_at_source" ? line.after : twin.after
      #expect(cell == expected, "\(line.before) | \(line.comes) | equal, lesser id")
    }
  }

  @Test func `the states of the table are what it says that they are`() async throws {
    let text = String(decoding: try Data(contentsOf: Self.table), as: UTF8.self)
    let lines = try Transition.states.map { state in try #require(try Self.lines().first { $0.before == state }) }
    for (line, cell) in zip(lines, try await Self.play(lines, arrival: nil)) {
      #expect(text.contains("# \(line.before) is: \(cell)\n"), "\(line.before) is \(cell)")
    }
  }

  @Test func `the table leaves nothing out: every state, everything that comes, every order of reads`() throws {
    let wanted = Transition.states.flatMap { state in
      Transition.outcomes.flatMap { comes in Transition.Read.allCases.map { "\(state) | \(comes) | \($0)" } }
        + Transition.deletions.flatMap { comes in [Transition.Read.newer, .older].map { "\(state) | \(comes) | \($0)" }
        }
    }
    let got = try Self.lines().map { "\($0.before) | \($0.comes) | \($0.read)" }
    #expect(got.sorted() == wanted.sorted())
  }

  @Test func `every reason is a state of the table`() async throws {
    let reasons = try await freshDatabase(from: .migrated).connect().list("SELECT code FROM unknown_reason")
    #expect(Set(reasons.compactMap(\.self)).subtracting(Transition.states) == [])
  }
}
