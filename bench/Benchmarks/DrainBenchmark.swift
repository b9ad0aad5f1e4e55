import Foundation
import HealthPayload
import MetricStore
import Postgres

/// From the queue to daily_metric with one and two workers, beside the bare upsert of the same cells in the same run.
///
/// Needs a server in DAILYMETRICD_TEST_CLUSTER where databases may be made, on this machine: the CPU time of its
/// processes is read from /proc.
enum DrainBenchmark {
  private static let rounds = 3
  private static let people = 1_000

  private enum Task: String, CaseIterable {
    case upsert = "bare upsert of the cells"
    case oneWorker = "drain, 1 worker"
    case twoWorkers = "drain, 2 workers"

    var workers: Int { self == .twoWorkers ? 2 : 1 }
  }

  private static let phases = ["new", "changed", "read again"]

  static func run() async throws {
    let cluster = try ScratchDatabase.cluster()
    var costs: [String: [Cost]] = [:]
    for _ in 0..<rounds {
      for task in Task.allCases {
        let database = try await ScratchDatabase(cluster)
        for (index, phase) in phases.enumerated() {
          let payloads = DrainCorpus(people: people, change: min(index, 1), read: index)
          let cost =
            task == .upsert
            ? try await upsert(payloads, database)
            : try await Drain(database, workers: task.workers).work(payloads)
          costs["\(task.rawValue)\t\(phase)", default: []].append(cost)
        }
        try await database.drop()
      }
    }
    print("\(people) payloads of \(DrainCorpus.cellsPerPayload) cells; medians of \(rounds) rounds, tasks in turn")
    print("task", "cells", "cells/s", "us CPU per cell: client", "server", separator: "\t")
    for task in Task.allCases {
      for phase in phases {
        guard let line = costs["\(task.rawValue)\t\(phase)"].flatMap(Cost.median) else { continue }
        print(task.rawValue, phase, line, separator: "\t")
      }
    }
  }

  /// What any program must pay that writes the same rows: arrays ready made, one statement for each 200 payloads.
  private static func upsert(_ payloads: DrainCorpus, _ database: ScratchDatabase) async throws -> Cost {
    let connection = try await Connection.connect(database.options("worker"))
    let batches = payloads.upsertBatches(of: 200)
    let cost = try await database.measure(cells: people * DrainCorpus.cellsPerPayload, of: "worker") {
      for batch in batches { try await connection.execute(Self.upsertSQL, batch) }
    }
    await connection.close()
    return cost
  }

  private static let upsertSQL = """
    INSERT INTO public.daily_metric AS d (user_id, metric, local_date, status, value, covering_sources, computed_at, is_final,
      observed_at, platform, rule_version)
    SELECT n.user_id, n.metric, n.local_date, 'measured', n.value::numeric, 1, $5, true, $5, 'health_connect', 1
    FROM unnest($1::uuid[], $2::text[], $3::date[], $4::text[]) AS n (user_id, metric, local_date, value)
    ORDER BY 1, 2, 3
    ON CONFLICT (user_id, metric, local_date) DO UPDATE SET value = excluded.value, computed_at = excluded.computed_at,
      observed_at = excluded.observed_at
    WHERE (d.value, d.observed_at) IS DISTINCT FROM (excluded.value, excluded.observed_at)
    """
}

/// Why a benchmark cannot run.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
