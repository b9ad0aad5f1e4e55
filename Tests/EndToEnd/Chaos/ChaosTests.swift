import Foundation
import Postgres
import TestSupport
import Testing

/// Four services on one queue, in calm and in a storm, and always the same tables as one worker makes alone.
@Suite(.serialized) struct ChaosTests {
  /// The input, and what one worker made of it in one go.
  private struct Replay {
    let size: ChaosSize
    let input: ChaosInput
    let database: ChaosDatabase
  }

  private static let replay = Task { () throws -> Replay in
    let size = try ChaosSize()
    print("chaos: \(size.command)")
    let input = ChaosInput(size)
    let database = try await ChaosDatabase("replay")
    let connection = try await database.connect()
    let rows = input.deliveries.map { position in
      let payload = input.payloads[position]
      return CopyText.row([payload.user.uuidString, payload.text, payload.receivedAt])
    }
    try await connection.copyIn("COPY intake.sync_payload (user_id, payload, received_at) FROM STDIN", rows)
    await connection.close()
    try await finish(database, size, workers: 1)
    return Replay(size: size, input: input, database: database)
  }

  /// Merges what is still queued.
  private static func finish(_ database: ChaosDatabase, _ size: ChaosSize, workers: Int) async throws {
    let result = try await database.dailymetricd("drain", "--workers", String(workers), "--as-of", size.asOf)
    guard result.status == 0 else { throw ChaosFailure("drain ended with \(result.status): \(result.stderr)") }
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
      try await Self.finish(database, size, workers: 2)
      let lost = try await run.ledger.differences()
      #expect(lost == [], "position, payload, times sent, in receipt, dead: \(size.command)")
      let unsent = report.neverSent
      #expect(unsent == [], "acknowledged and not there: \(size.command)")
      try await expectSameTables(replay.database, database, size)
    } catch {
      Issue.record("\(error)\n\(size.command)")
    }
  }

  private func expectSameTables(_ replay: ChaosDatabase, _ database: ChaosDatabase, _ size: ChaosSize) async throws {
    let comparison = ChaosComparison(expected: replay, actual: database)
    let evidence = try await comparison.differencesOfEvidence()
    #expect(evidence.isEmpty, "\(evidence.joined(separator: "\n"))\n\(size.command)")
    for each in [replay, database] {
      let result = try await each.dailymetricd("recheck", "--as-of", size.asOf)
      #expect(result.status == 0, "\(result.stderr)")
    }
    let cells = try await comparison.differencesOfCells()
    #expect(cells.isEmpty, "\(cells.joined(separator: "\n"))\n\(size.command)")
  }
}
