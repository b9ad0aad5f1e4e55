import Foundation
import HealthPayload
import MetricStore
import Postgres

/// How soon a sync is visible while the service has nothing else to do, beside a bare NOTIFY from one session to another.
///
/// Both take turns. Measured is the time from the end of the enqueueing to the first look at which the cell is there.
enum LatencyBenchmark {
  private static let samples = 400
  private static let look = Duration.microseconds(500)
  private static let rest = Duration.milliseconds(20)

  static func run() async throws -> [Goal] {
    let database = try await ScratchDatabase(try ScratchDatabase.cluster())
    let service = try ServiceProcess(database, workers: 2)
    let producer = try await Connection.connect(database.options("producer"))
    let observer = try await Connection.connect(database.options("observer"))
    try await observer.script("LISTEN bench")
    var notified: [Double] = []
    var visible: [Double] = []
    // The first ones plan statements and read catalogues.
    for number in -20..<samples {
      let called = try await call(producer, observer)
      let seen = try await sync(20 + number, producer, observer)
      guard number >= 0 else { continue }
      notified.append(called / .milliseconds(1))
      visible.append(seen / .milliseconds(1))
    }
    try service.end()
    await producer.close()
    await observer.close()
    try await database.drop()
    return [
      Goal("idle: enqueue to visible, p50, ms", atMost: 5, [Goal.quantile(0.5, visible)]),
      Goal("idle: enqueue to visible, p99, ms", atMost: 25, [Goal.quantile(0.99, visible)]),
      Goal(beside: "bare NOTIFY, p50, ms", [Goal.quantile(0.5, notified)]),
      Goal(beside: "bare NOTIFY, p99, ms", [Goal.quantile(0.99, notified)]),
    ]
  }

  private static func call(_ producer: Connection, _ observer: Connection) async throws -> Duration {
    let start = ContinuousClock.now
    try await producer.execute("SELECT pg_notify('bench', '')")
    guard try await observer.waitForNotification(timeout: .seconds(10)) else {
      throw BenchmarkFailure("a NOTIFY did not arrive within 10 s")
    }
    return ContinuousClock.now - start
  }

  private static func sync(_ number: Int, _ producer: Connection, _ observer: Connection) async throws -> Duration {
    // Long enough for the service to lie down again.
    try await Task.sleep(for: rest)
    let sync = FairnessCorpus.sync(number)
    try await producer.execute(
      "SELECT public.enqueue_sync_payload($1, $2)", [.uuid(sync.user), .text(sync.text)])
    let start = ContinuousClock.now
    while ContinuousClock.now - start < .seconds(30) {
      let rows = try await observer.execute(
        """
        SELECT 1 FROM public.daily_metric m
        WHERE m.user_id = $1 AND m.metric = 'steps' AND m.local_date = date '1970-01-01' + $2::integer
        """, [.uuid(sync.user), .int(Int64(FairnessCorpus.lastDay))])
      if rows.count > 0 { return ContinuousClock.now - start }
      try await Task.sleep(for: look)
    }
    throw BenchmarkFailure("a sync was not visible within 30 s")
  }
}
