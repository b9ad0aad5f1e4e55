import Foundation
import MetricStore
import Postgres

/// A way by which what was read comes into daily_metric.
enum BoundWay {
  /// The finished rows by COPY in binary: what any program must pay.
  case floor
  /// The daemon's own SQL with arrays made before: no queue, no JSON.
  case bound
  /// From the queue to daily_metric.
  case daemon(workers: Int)
  /// A worker that a team may write instead, by its name in bench/peers/worker.py.
  case peer(python: String, name: String)
  /// A library that keeps its queue in Postgres, by its name in bench/peers/queues.py.
  case queue(python: String, name: String)

  static func all(peers python: String?) -> [BoundWay] {
    let own: [BoundWay] = [.floor, .bound, .daemon(workers: 1), .daemon(workers: 2)]
    guard let python else { return own }
    return own + ["unnest", "executemany", "rows"].map { .peer(python: python, name: $0) }
      + ["pgqueuer", "procrastinate", "pgmq"].map { .queue(python: python, name: $0) }
  }

  var name: String {
    switch self {
    case .floor: "floor"
    case .bound: "bound"
    case .daemon(let workers): workers == 1 ? "daemon" : "daemon, \(workers) workers"
    case .peer(_, let name): "peer \(name)"
    case .queue(_, let name): name
    }
  }

  /// A COPY can bring new rows and nothing else; a round trip for each reading takes too long to see more of it.
  var reads: [BoundBenchmark.Read] {
    switch self {
    case .floor, .peer(_, "rows"), .queue: [.new]
    default: BoundBenchmark.Read.allCases
    }
  }

  /// Does it. What makes it ready, such as filling the queue, is not measured; `whenReady` is called after it.
  func work(
    _ read: BoundBenchmark.Read, _ database: ScratchDatabase, _ floor: [UInt8], whenReady: () async throws -> Void
  ) async throws -> Cost {
    switch self {
    case .floor:
      try await whenReady()
      return try await Self.copy(floor, database)
    case .bound: return try await Self.merge(read.corpus, database, whenReady)
    case .daemon(let workers):
      let drain = Drain(database, workers: workers)
      return try await drain.work(read.corpus, after: { .others(like: read.corpus, part: $0) }, whenReady: whenReady)
    case .peer(let python, let name):
      try await Self.enqueue(.others(like: read.corpus), database)
      let process = PeerProcess(python: python, script: "worker.py", name: name, dsn: database.dsn)
      return try await process.work(asOf: read.corpus.readAt) {
        try await Self.enqueue(read.corpus, database)
        try await whenReady()
      }
    case .queue(let python, let name):
      try await Self.enqueue(read.corpus, database)
      let process = PeerProcess(python: python, script: "queues.py", name: name, dsn: database.dsn)
      return try await process.work(asOf: read.corpus.readAt, whenReady: whenReady)
    }
  }

  /// The rows that the first read leaves, as COPY wants them.
  static func rows(of template: ScratchDatabase) async throws -> [UInt8] {
    let database = try await ScratchDatabase(copyOf: template)
    _ = try await merge(BoundBenchmark.Read.new.corpus, database) {}
    let reader = try await Connection.connect(database.options("reader"))
    let users = (0..<BoundBenchmark.people).map { BoundBenchmark.Read.new.corpus.user($0) }
    try await reader.execute(
      "CREATE TEMPORARY TABLE mine AS SELECT d.* FROM public.daily_metric d WHERE d.user_id = ANY ($1)",
      [.uuidArray(users)])
    // The server writes into its own folder and hands the bytes over from there.
    let folder = try await reader.execute("SELECT current_setting('data_directory')").one().text(0)
    let file = "\(folder)/benchmark-rows"
    try await reader.script("COPY mine TO '\(file)' (FORMAT binary)")
    let bytes = try await reader.execute("SELECT pg_read_binary_file('\(file)')").one().bytes(0)
    await reader.close()
    try await database.drop()
    return bytes
  }

  private static func copy(_ rows: [UInt8], _ database: ScratchDatabase) async throws -> Cost {
    let connection = try await Connection.connect(database.options("worker"))
    let cost = try await database.measure(cells: BoundBenchmark.cells, of: "worker") {
      try await connection.copyIn("COPY public.daily_metric FROM STDIN (FORMAT binary)", [rows])
    }
    await connection.close()
    return cost
  }

  private static func merge(
    _ corpus: DrainCorpus, _ database: ScratchDatabase, _ whenReady: () async throws -> Void
  ) async throws -> Cost {
    let connection = try await Connection.connect(database.options("worker"))
    try await connection.script(
      "SET timezone = 'UTC'; SET search_path = public; SET jit = off")
    let ids = try await PreparedCorpus.Numbers(connection)
    let payloads = BatchLimits().users
    for batch in try PreparedCorpus(.others(like: corpus), payloadsPerBatch: payloads, ids: ids).batches {
      try await run(batch, connection)
    }
    try await connection.execute("SELECT pg_stat_force_next_flush()")
    let prepared = try PreparedCorpus(corpus, payloadsPerBatch: payloads, ids: ids)
    try await whenReady()
    let cost = try await database.measure(cells: BoundBenchmark.cells, of: "worker") {
      for batch in prepared.batches { try await run(batch, connection) }
    }
    await connection.close()
    return cost
  }

  private static func run(_ batch: [PreparedCorpus.Statement], _ connection: Connection) async throws {
    try await connection.execute("BEGIN")
    for statement in batch { try await connection.execute(statement.sql, statement.parameters) }
    try await connection.execute("COMMIT")
  }

  private static func enqueue(_ corpus: DrainCorpus, _ database: ScratchDatabase) async throws {
    let feeder = try await StoreSession.open(database.options("feeder"))
    try await feeder.enqueue(corpus.lines, receivedAt: corpus.readAt)
    await feeder.close()
  }
}
