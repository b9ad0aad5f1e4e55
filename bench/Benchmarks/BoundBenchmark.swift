import Foundation
import MetricStore
import Postgres

/// How near the daemon is to what its own SQL allows, and how far both are from the floor: a COPY of the finished rows.
///
/// All ways take turns in one run, each in a database of its own, empty or with a million cells of other people, and go through
/// the same reads of the same people. What they leave in daily_metric must be equal, to the last column. All have made their plans
/// before, over payloads of others: a service that runs makes them once.
/// `BOUND_CELLS` names other sizes, `BOUND_ROUNDS` another number of rounds, `BOUND_PEERS` a Python with psycopg 3.
enum BoundBenchmark {
  static let people = 1_000
  static var cells: Int { people * DrainCorpus.cellsPerPayload }

  /// The reads, in this order; the last is the very payload of the one before.
  enum Read: String, CaseIterable, Codable {
    case new, changed
    case again = "changed again"
    case later = "same, read later"
    case identical

    var corpus: DrainCorpus {
      switch self {
      case .new: DrainCorpus(people: people, change: 0, read: 0)
      case .changed: DrainCorpus(people: people, change: 1, read: 1)
      case .again: DrainCorpus(people: people, change: 2, read: 2)
      case .later, .identical: DrainCorpus(people: people, change: 2, read: 3)
      }
    }
  }

  /// Prints all of it. - Returns: the ratios.
  @discardableResult
  static func run(json: String?) async throws -> [Goal] {
    let environment = ProcessInfo.processInfo.environment
    let sizes = environment["BOUND_CELLS"]?.split(separator: " ").compactMap { Int($0) }
    let rounds = environment["BOUND_ROUNDS"].flatMap { Int($0) } ?? 5
    let ways = BoundWay.all(peers: environment["BOUND_PEERS"])
    var results = BoundResults(rounds: rounds, payloads: people, cellsPerPayload: DrainCorpus.cellsPerPayload)
    for size in sizes ?? [0, 1_000_000] {
      let template = try await template(size)
      let floor = try await BoundWay.rows(of: template)
      for round in 0..<rounds {
        for place in ways.indices {
          // Nobody is always the first.
          let way = ways[(place + round) % ways.count]
          try await measure(way, round, size, template, floor, &results)
        }
      }
      try await template.drop()
    }
    print(results.table)
    print(results.goalTable())
    if let json { try Report.write(results, to: json) }
    return results.goals
  }

  private static func template(_ size: Int) async throws -> ScratchDatabase {
    let database = try await ScratchDatabase(try ScratchDatabase.cluster())
    try await FilledTables.fill(database, cells: size)
    return database
  }

  private static func measure(
    _ way: BoundWay, _ round: Int, _ size: Int, _ template: ScratchDatabase, _ floor: [UInt8],
    _ results: inout BoundResults
  ) async throws {
    let database = try await ScratchDatabase(copyOf: template)
    let watcher = try await Connection.connect(database.options("watcher"))
    for read in way.reads {
      var before = Writes()
      let cost = try await way.work(read, database, floor) { before = try await Writes.soFar(watcher) }
      try await database.waitUntilGone("worker", watcher)
      let writes = try await Writes.soFar(watcher) - before
      let seen = Measurement(way: way.name, read: read, size: size, round: round, cost: cost, writes: writes)
      try results.add(seen, try await outcome(watcher))
    }
    await watcher.close()
    try await database.drop()
  }

  /// What is known of the people of the corpus, in one word.
  private static func outcome(_ watcher: Connection) async throws -> String {
    let users = DrainCorpus(people: people, change: 0, read: 0)
    return try await watcher.execute(
      """
      SELECT md5(string_agg(d::text, '' ORDER BY d.user_id, d.metric, d.local_date)) FROM public.daily_metric d
      WHERE d.user_id = ANY ($1)
      """, [.uuidArray((0..<people).map { users.user($0) })]
    ).one().text(0)
  }
}
