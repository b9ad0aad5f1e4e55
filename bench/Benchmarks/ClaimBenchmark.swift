import Foundation
import Postgres

/// One claim from a queue that is full of dead rows: somebody's old snapshot keeps vacuum from giving back what was deleted.
enum ClaimBenchmark {
  private static let dead = 200_000
  private static let live = 2_000
  private static let people = 1_000

  static func run() async throws -> [Goal] {
    let database = try await ScratchDatabase(try ScratchDatabase.cluster())
    let holder = try await Connection.connect(database.options("holder"))
    try await holder.script("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM public.platform LIMIT 1")
    let worker = try await Connection.connect(database.options("worker"))
    // As the daemon's sessions do: compiling took longer than the claim.
    try await worker.script("SET jit = off")
    // Its plans are those for an empty queue.
    for _ in 0..<10 { try await worker.execute(claim, [.uuid(nil)]) }
    try await fill(worker)
    print("a queue of \(live) payloads of \(people) people among \(dead) dead rows that an old snapshot holds")
    print("claim", "payloads", "ms", "ms CPU", "buffers", separator: "\t")
    var times: [Double] = []
    for round in 1...5 {
      try await worker.script("BEGIN")
      var answer = ""
      let cost = try await database.measure(cells: 1, of: "worker") {
        answer = try await worker.execute(
          "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) " + claim, [.uuid(nil)]
        ).one().text(0)
      }
      try await worker.script("ROLLBACK")
      let plan = try JSONDecoder().decode([Explained].self, from: Data(answer.utf8))
      guard let plan = plan.first else { throw BenchmarkFailure("EXPLAIN said nothing") }
      times.append(plan.milliseconds)
      print(
        round, Int(plan.root.rows), String(format: "%.1f\t%.1f", plan.milliseconds, cost.server * 1_000),
        plan.root.hit + plan.root.read, separator: "\t")
    }
    await worker.close()
    await holder.close()
    try await database.drop()
    return [Goal("claim among \(dead) dead rows, ms", atMost: 10, times)]
  }

  private static func fill(_ worker: Connection) async throws {
    try await worker.script(
      """
      INSERT INTO intake.sync_payload (user_id, payload)
      SELECT md5('p' || n % \(people))::uuid, repeat('x', 3000) FROM generate_series(1, \(dead)) n;
      DELETE FROM intake.sync_payload;
      INSERT INTO intake.sync_payload (user_id, payload)
      SELECT md5('p' || n % \(people))::uuid, repeat('x', 3000) FROM generate_series(1, \(live)) n;
      """)
    try await worker.script("VACUUM ANALYZE intake.sync_payload")
  }

  private static let claim = "SELECT id FROM intake.claim($1, 200, 25, 64, 524288)"
}

/// What is looked at of EXPLAIN's answer.
private struct Explained: Decodable {
  let root: Node
  let milliseconds: Double

  struct Node: Decodable {
    let rows: Double
    let hit: Int
    let read: Int

    private enum CodingKeys: String, CodingKey {
      case rows = "Actual Rows"
      case hit = "Shared Hit Blocks"
      case read = "Shared Read Blocks"
    }
  }

  private enum CodingKeys: String, CodingKey {
    case root = "Plan"
    case milliseconds = "Execution Time"
  }
}
