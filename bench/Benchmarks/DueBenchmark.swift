import Foundation
import HealthPayload
import MetricStore
import PayloadDecoder
import Postgres

/// What a cell costs that is due by its reason's schedule and stays unknown, beside a cell that comes in, in the same run.
enum DueBenchmark {
  private static let people = 1_000
  private static let rounds = 3

  static func run() async throws -> [Goal] {
    let database = try await ScratchDatabase(try ScratchDatabase.cluster())
    var ingested: [Double] = []
    var rechecked: [Double] = []
    for round in 0..<rounds {
      let known = DrainCorpus(people: people, first: 2 * round * people, change: 0, read: 0)
      let failed = DrainCorpus(people: people, first: (2 * round + 1) * people, hasFailed: true, change: 0, read: 0)
      ingested.append(try await Drain(database, workers: 1).work(known).perCell)
      _ = try await Drain(database, workers: 1).work(failed)
      rechecked.append(try await recheck(database, failed.readAt).perCell)
    }
    try await database.drop()
    return [
      Goal("re-check of a due cell / ingest of a new one, CPU", atMost: 1, zip(rechecked, ingested).map { $0 / $1 }),
      Goal(beside: "re-check, us of CPU per due cell", rechecked),
      Goal(beside: "ingest, us of CPU per new cell", ingested),
    ]
  }

  /// Makes due what the last read left for later, and checks it, after all else that an hour later has to be done, such as filling
  /// silent days.
  private static func recheck(_ database: ScratchDatabase, _ readAt: Instant) async throws -> Cost {
    let planner = try await Connection.connect(database.options("planner"))
    let now = Instant(microseconds: readAt.microseconds + 3_600_000_000)
    let session = try await StoreSession.open(database.options("worker"))
    while try await session.deriveDue(limit: 500, asOf: now, includeScheduled: true) > 0 {}
    try await planner.execute("UPDATE evidence.due_day SET due_at = $1", [.timestamp(readAt.microseconds)])
    let cells = try await planner.execute(
      """
      SELECT count(*) FROM public.daily_metric m JOIN evidence.due_day d USING (user_id, local_date)
      WHERE m.status = 'unknown' AND m.next_check_at IS NOT NULL
      """
    ).one().int(0)
    let cost = try await database.measure(cells: cells, of: "worker") {
      while try await session.deriveDue(limit: 500, asOf: now, includeScheduled: true) > 0 {}
    }
    await session.close()
    let left = try await planner.execute(
      "SELECT count(*) FROM evidence.due_day WHERE due_at <= $1", [.timestamp(now.microseconds)]
    ).one().int(0)
    // They have been checked; those of the next round are others.
    try await planner.script("DELETE FROM evidence.due_day")
    await planner.close()
    guard cells > 0, left == 0 else { throw BenchmarkFailure("of \(cells) cells the days of \(left) are still due") }
    return cost
  }
}
