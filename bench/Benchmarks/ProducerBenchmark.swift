import Foundation
import HealthPayload
import MetricStore
import Postgres

/// How many payloads 32 clients of pgbench enqueue while somebody empties the queue as fast as nobody works: by a plain INSERT that
/// calls nobody, by the function that calls only a sleeper, and by an INSERT that calls each time.
///
/// The one who empties the queue sleeps as the service does, whenever it is empty: so the gate opens and closes all the time.
enum ProducerBenchmark {
  private static let clients = 32
  /// Of each client. Not so many seconds: pgbench takes them from SIGALRM, which a child of this process does not get.
  private static let transactions = 400
  private static let rounds = 5

  private enum Way: String, CaseIterable {
    case silent, gated, always

    /// One transaction of a client.
    var script: String {
      let row = "md5(:person::text)::uuid, repeat('0123456789abcdef', 200)"
      let insert = "INSERT INTO intake.sync_payload (user_id, payload) VALUES (\(row));\n"
      let person = "\\set person random(1, 100000)\n"
      switch self {
      case .silent: return person + insert
      case .gated: return person + "SELECT public.enqueue_sync_payload(\(row));\n"
      case .always: return person + "BEGIN;\n" + insert + "SELECT pg_notify('dailymetricd', '');\nCOMMIT;\n"
      }
    }
  }

  static func run() async throws -> [Goal] {
    var rates: [Way: [Double]] = [:]
    for round in 0..<rounds {
      for place in Way.allCases.indices {
        let way = Way.allCases[(place + round) % Way.allCases.count]
        // It takes ten times as long.
        if way == .always, round > 0 { continue }
        rates[way, default: []].append(try await rate(way))
      }
    }
    func ratios(_ way: Way) -> [Double] { zip(rates[way] ?? [], rates[.silent] ?? []).map { $0 / $1 } }
    return [
      Goal("\(clients) producers, gated NOTIFY / none, rate", atLeast: 0.8, ratios(.gated)),
      Goal(beside: "\(clients) producers, NOTIFY each time / none, rate", ratios(.always)),
      Goal(beside: "\(clients) producers without NOTIFY, payloads/s", rates[.silent] ?? []),
    ]
  }

  private static func rate(_ way: Way) async throws -> Double {
    let database = try await ScratchDatabase(try ScratchDatabase.cluster())
    let sleeper = Task { try await emptyQueue(database) }
    let rate = try bench(way, database)
    sleeper.cancel()
    try await sleeper.value
    try await database.drop()
    return rate
  }

  /// Takes what there is, without looking at it, and sleeps until it is called.
  private static func emptyQueue(_ database: ScratchDatabase) async throws {
    let session = try await StoreSession.open(database.options("sleeper"))
    let broom = try await Connection.connect(database.options("broom"))
    try await session.listen()
    while !Task.isCancelled {
      try await broom.execute("DELETE FROM intake.sync_payload")
      _ = try await session.waitForNotification(timeout: .milliseconds(50))
    }
    await broom.close()
    await session.close()
  }

  private static func bench(_ way: Way, _ database: ScratchDatabase) throws -> Double {
    let script = FileManager.default.temporaryDirectory.appending(path: "dailymetricd-producer-\(getpid()).sql")
    try way.script.write(to: script, atomically: true, encoding: .utf8)
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "pgbench", "--no-vacuum", "--protocol=prepared", "--client=\(clients)", "--jobs=2",
      "--transactions=\(transactions)",
      "--file=\(script.path)", database.dsn,
    ]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try FileManager.default.removeItem(at: script)
    let line = text.split(separator: "\n").first { $0.hasPrefix("tps = ") }
    guard process.terminationStatus == 0,
      let rate = line?.split(separator: " ").dropFirst(2).first.flatMap({ Double($0) })
    else { throw BenchmarkFailure("pgbench failed:\n\(text)") }
    return rate
  }
}
