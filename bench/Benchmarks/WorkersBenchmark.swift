import Foundation

/// How much sooner two workers empty a queue than one, on queues that take seconds: in a short one most of what there is to see is
/// that one of them takes the last batch alone.
enum WorkersBenchmark {
  private static let people = 6_000
  private static let rounds = 5

  static func run() async throws -> [Goal] {
    let database = try await ScratchDatabase(try ScratchDatabase.cluster())
    var costs: [Int: [Cost]] = [:]
    for round in 0..<rounds {
      for (place, workers) in order(round).enumerated() {
        let turn = 2 * round + place
        let corpus = DrainCorpus(people: people, first: turn * people, change: 0, read: 0)
        let cost = try await Drain(database, workers: workers).work(
          corpus, after: { .others(like: corpus, part: 2 * turn + $0) })
        costs[workers, default: []].append(cost)
      }
    }
    try await database.drop()
    guard let one = costs[1], let two = costs[2] else { throw BenchmarkFailure("nobody has worked") }
    let pairs = zip(one, two)
    return [
      Goal("2 workers / 1 worker, wall, \(people) payloads", atLeast: 1.65, pairs.map { $0.seconds / $1.seconds }),
      Goal(beside: "2 workers / 1 worker, CPU per cell", pairs.map { $1.perCell / $0.perCell }),
      Goal(beside: "cores that 1 worker and its servers keep busy", one.map { ($0.client + $0.server) / $0.seconds }),
      Goal(
        beside: "cores that 2 workers and their servers keep busy", two.map { ($0.client + $0.server) / $0.seconds }),
    ]
  }

  /// Nobody is always the first.
  private static func order(_ round: Int) -> [Int] { round.isMultiple(of: 2) ? [1, 2] : [2, 1] }
}
