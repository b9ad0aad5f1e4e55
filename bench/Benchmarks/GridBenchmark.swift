import Foundation
import MetricStore
import Postgres

/// What each shape of payloads costs at each size, with one worker and with two.
///
/// `GRID_CELLS` names other sizes than 0, one million and ten million cells of other people, `GRID_ROUNDS` another number of rounds
/// than three, `GRID_SHARE=20` a twentieth of the people, and `GRID_SHAPES="sync trickle"` some of the shapes.
enum GridBenchmark {
  struct Plan {
    var sizes = [0, 1_000_000, 10_000_000]
    var shapes = GridShape.allCases
    var workers = [1, 2]
    var rounds = 3
    var share = 1

    init() {
      let environment = ProcessInfo.processInfo.environment
      if let text = environment["GRID_CELLS"] { sizes = text.split(separator: " ").compactMap { Int($0) } }
      if let number = environment["GRID_ROUNDS"].flatMap({ Int($0) }) { rounds = number }
      if let names = environment["GRID_SHAPES"]?.split(separator: " ") {
        shapes = shapes.filter { names.contains("\($0)") }
      }
      if let number = environment["GRID_SHARE"].flatMap({ Int($0) }) { share = number }
    }
  }

  static func run(json: String?) async throws {
    let results = try await measure(Plan())
    print(results.table)
    print("\n" + Goal.table(results.ratios))
    if let json { try Report.write(results, to: json) }
  }

  /// How much more a cell costs at the greatest size than in an empty database.
  static func growth() async throws -> [Goal] {
    var plan = Plan()
    plan.sizes = [plan.sizes.min() ?? 0, plan.sizes.max() ?? 10_000_000]
    plan.shapes = [.sync]
    plan.workers = [1]
    plan.rounds = 5
    let results = try await measure(plan)
    print(results.table)
    return results.growth(.sync)
  }

  /// Sizes take turns too, so that all of a round is measured under what the machine does meanwhile.
  static func measure(_ plan: Plan) async throws -> GridResults {
    var results = GridResults()
    var grounds: [GridGround] = []
    for size in plan.sizes { grounds.append(try await GridGround(size, isCopied: plan.share == 1 && size < 5_000_000)) }
    var person = 0
    for round in 0..<plan.rounds {
      for shape in plan.shapes {
        for workers in plan.workers {
          for ground in grounds {
            let count = max(2, shape.people / plan.share)
            let people = person..<person + count
            person += count
            results.measurements += try await measure(shape, people, workers, ground, round)
          }
        }
      }
    }
    for ground in grounds { try await ground.drop() }
    return results
  }

  private static func measure(
    _ shape: GridShape, _ people: Range<Int>, _ workers: Int, _ ground: GridGround, _ round: Int
  ) async throws -> [GridMeasurement] {
    let database = try await ground.database()
    let watcher = try await Connection.connect(database.options("watcher"))
    var measurements: [GridMeasurement] = []
    for read in shape.reads {
      let corpus = GridCorpus(shape: shape, people: people, read: read)
      let before = (writes: try await Writes.soFar(watcher), bytes: try await bytes(watcher))
      var drain = Drain(database, workers: workers)
      drain.limits = shape.limits
      let cost = try await drain.work(corpus)
      try await database.waitUntilGone("worker", watcher)
      let writes = try await Writes.soFar(watcher) - before.writes
      let bytes = try await bytes(watcher) - before.bytes
      try await check(corpus, watcher)
      measurements.append(
        GridMeasurement(
          shape: shape, read: read, size: ground.size, workers: workers, round: round, payloads: people.count,
          cost: cost, writes: writes, bytes: bytes))
    }
    await watcher.close()
    try await ground.release(database)
    return measurements
  }

  private static func bytes(_ watcher: Connection) async throws -> Int {
    try await watcher.execute("SELECT pg_database_size(current_database())").one().int(0)
  }

  /// Whatever it cost, it must have been done.
  private static func check(_ corpus: GridCorpus, _ watcher: Connection) async throws {
    let seen = try await watcher.execute(
      """
      SELECT count(*) AS rows, count(*) FILTER (WHERE d.status = 'measured') AS measured
      FROM public.daily_metric d WHERE d.user_id = ANY ($1)
      """, [.uuidArray(corpus.users)]
    ).one()
    let (rows, measured) = (try seen.int("rows"), try seen.int("measured"))
    let left = try await watcher.execute(
      "SELECT (SELECT count(*) FROM intake.sync_payload) + (SELECT count(*) FROM intake.dead_letter)"
    ).one().int(0)
    guard rows == corpus.rows, measured == rows, left == 0 else {
      throw BenchmarkFailure(
        "\(corpus.shape.rawValue), \(corpus.read.rawValue): \(rows) cells, \(measured) of them measured, instead of \(corpus.rows); \(left) payloads not merged"
      )
    }
  }
}

/// A database of some size. A small one is copied for each measurement; a great one is used as it is, because its own growth is
/// small, and so is one for few people.
struct GridGround {
  let size: Int
  let isCopied: Bool
  private let template: ScratchDatabase

  init(_ size: Int, isCopied: Bool) async throws {
    self.size = size
    self.isCopied = isCopied
    template = try await ScratchDatabase(try ScratchDatabase.cluster())
    try await FilledTables.fill(template, cells: size)
  }

  func database() async throws -> ScratchDatabase {
    isCopied ? try await ScratchDatabase(copyOf: template) : template
  }

  func release(_ database: ScratchDatabase) async throws {
    if isCopied { try await database.drop() }
  }

  func drop() async throws { try await template.drop() }
}
