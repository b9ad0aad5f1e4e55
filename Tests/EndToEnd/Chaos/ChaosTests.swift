import Foundation
import Postgres
import TestSupport
import Testing

/// Four services on one queue, in calm and in a storm, and always the same tables as one worker makes alone.
@Suite(.serialized) struct ChaosTests {
  private static let replay = Task { () throws -> ChaosReplay in
    let size = try ChaosSize()
    print("chaos: \(size.command)")
    return try await ChaosReplay(size, "replay")
  }

  @Test(.timeLimit(.minutes(60)))
  func `four services beside busy producers make what one worker makes of the same deliveries`() async throws {
    try await expectEquality("calm", faults: [:])
  }

  @Test(.timeLimit(.minutes(60)))
  func `no kill, lost connection, crash of the server or frozen service changes what comes out`() async throws {
    let replay = try await Self.replay.value
    try await expectEquality("storm", faults: replay.size.faults)
  }

  @Test func `the deliveries hold every kind of statement, refusal and load`() async throws {
    let database = try await Self.replay.value.database
    func list(_ sql: String) async throws -> Set<String> { Set(try await database.ask(sql).compactMap { $0[0] }) }
    #expect(try await list("SELECT DISTINCT slot FROM evidence.reading").count == 10, "every slot is in use")
    #expect(try await list("SELECT DISTINCT outcome FROM intake.receipt") == ["merged", "held", "load_abandoned"])
    #expect(try await list("SELECT DISTINCT state FROM intake.load") == ["open", "applied", "abandoned"])
    let letters = try await list("SELECT DISTINCT code FROM intake.dead_letter")
    #expect(letters == ["load_abandoned", "not_json", "unsupported_schema"])
    let refusals = try await list("SELECT DISTINCT code FROM intake.quarantined_entry")
    #expect(refusals.isSuperset(of: ["out_of_range", "impossible_zero", "not_a_number", "never_read"]))
    let reasons = try await list("SELECT DISTINCT unknown_reason FROM daily_metric")
    #expect(reasons.count >= 8, "\(reasons)")
  }

  private func expectEquality(_ name: String, faults: [Fault: Int]) async throws {
    let replay = try await Self.replay.value
    let size = replay.size
    do {
      let database = try await ChaosDatabase(name)
      let run = ChaosRun(database, replay.input, size)
      let report = try await run.play(faults)
      print("chaos: \(name): \(report)")
      #expect(report.damage.done == faults.filter { $0.value > 0 }, "\(size.command)")
      #expect(report.serious == [], "\(size.command)")
      #expect(report.deadlocks == 0, "\(size.command)")
      try await ChaosReplay.finish(database, size, workers: 2)
      let lost = try await run.ledger.differences()
      #expect(lost == [], "position, payload, times sent, in receipt, dead: \(size.command)")
      let unsent = report.neverSent
      #expect(unsent == [], "acknowledged and not there: \(size.command)")
      try await replay.expectSame(database)
    } catch {
      Issue.record("\(error)\n\(size.command)")
    }
  }
}
