import Foundation
import HealthPayload
import MetricStore
import Postgres

/// How long others wait while one person's history and 30,000 payloads are worked off by a real service.
///
/// A sync of somebody else comes every 40 ms, however long those before it take; measured is the time from the end of its
/// enqueueing to the first look at which its cell is there. Looks are 2 ms apart, and each is one probe of an index.
enum FairnessBenchmark {
  private static let samples = 400
  private static let interval = Duration.milliseconds(40)
  private static let look = Duration.milliseconds(2)

  static func run() async throws -> [Goal] {
    let database = try await ScratchDatabase(try ScratchDatabase.cluster())
    let service = try ServiceProcess(database, workers: 2)
    let producer = try await Connection.connect(database.options("producer"))
    let observer = try await Connection.connect(database.options("observer"))
    let warmUp = Board()
    try await enqueue(0, producer, warmUp)
    try await watch(until: 1, observer, warmUp)
    let feeder = try await StoreSession.open(database.options("feeder"))
    // A load that arrived long ago would be given up.
    let now = Instant(microseconds: Int64(Date.now.timeIntervalSince1970 * 1e6))
    try await feeder.enqueue(FairnessCorpus.backlog, receivedAt: now)
    await feeder.close()
    let before = try await depth(observer)
    let board = Board()
    async let watched: Void = watch(until: samples, observer, board)
    let start = ContinuousClock.now
    for number in 0..<samples {
      try await Task.sleep(until: start + interval * number)
      try await enqueue(1 + number, producer, board)
    }
    try await watched
    let after = try await depth(observer)
    try service.end()
    await producer.close()
    await observer.close()
    try await database.drop()
    guard after > 0 else { throw BenchmarkFailure("the backlog was over before the last sample") }
    print(
      "one person: ten years of 8 metrics six times, in ten pages or in one piece, amid \(FairnessCorpus.queued) payloads"
    )
    print("samples", "p50 ms", "p99 ms", "max ms", "backlog at first", "at last", separator: "\t")
    let latencies = await board.latencies.map { $0 / .milliseconds(1) }
    let quantiles = [0.5, 0.99, 1].map { Goal.quantile($0, latencies) }
    let texts = quantiles.map { String(format: "%.1f", $0) }.joined(separator: "\t")
    print(latencies.count, texts, before, after, separator: "\t")
    return [Goal("a sync beside a history and \(FairnessCorpus.queued) payloads, p99, ms", atMost: 250, [quantiles[1]])]
  }

  private static func depth(_ connection: Connection) async throws -> Int {
    try await connection.execute("SELECT count(*) FROM intake.sync_payload").one().int(0)
  }

  private static func enqueue(_ number: Int, _ producer: Connection, _ board: Board) async throws {
    let sync = FairnessCorpus.sync(number)
    await board.expect(FairnessCorpus.person(number))
    try await producer.execute(
      "SELECT public.enqueue_sync_payload($1, $2)", [.uuid(sync.user), .text(sync.text)])
    await board.enqueued(FairnessCorpus.person(number), at: .now)
  }

  private static func watch(until count: Int, _ observer: Connection, _ board: Board) async throws {
    let end = ContinuousClock.now + .seconds(300)
    while await board.latencies.count < count {
      guard ContinuousClock.now < end else { throw BenchmarkFailure("some payloads were not merged within 5 minutes") }
      let pending = await board.pending
      if !pending.isEmpty {
        let rows = try await observer.execute(
          """
          SELECT d.user_id FROM unnest($1::uuid[]) AS n (user_id) CROSS JOIN LATERAL (
            SELECT m.user_id FROM public.daily_metric m
            WHERE m.user_id = n.user_id AND m.metric = 'steps' AND m.local_date = date '1970-01-01' + $2::integer OFFSET 0) d
          """, [.uuidArray(pending), .int(Int64(FairnessCorpus.lastDay))])
        let now = ContinuousClock.now
        for row in rows { await board.seen(try row.uuid(0), at: now) }
      }
      try await Task.sleep(for: look)
    }
  }
}

/// Who is waited for, and how long it took.
private actor Board {
  private var waiting: [UUID: ContinuousClock.Instant?] = [:]
  private(set) var latencies: [Duration] = []

  var pending: [UUID] { Array(waiting.keys) }

  func expect(_ person: UUID) { waiting[person] = .some(nil) }

  /// A cell that was there before the producer had its answer took no time.
  func enqueued(_ person: UUID, at time: ContinuousClock.Instant) {
    if waiting[person] != nil { waiting[person] = time } else { latencies.append(.zero) }
  }

  func seen(_ person: UUID, at time: ContinuousClock.Instant) {
    guard let start = waiting.removeValue(forKey: person) else { return }
    if let start { latencies.append(time - start) }
  }
}
