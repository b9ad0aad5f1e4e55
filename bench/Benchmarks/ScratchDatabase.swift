import Foundation
import Glibc
import HealthPayload
import MetricStore
import Postgres

/// A migrated database that a benchmark makes for itself.
struct ScratchDatabase {
  private let cluster: String
  private let name: String

  init(_ cluster: String) async throws {
    self.cluster = cluster
    name = "bench_\(UInt64.random(in: 0...UInt64.max))"
    try await administer("CREATE DATABASE \(name)")
    try await Migrator.migrate(options("migrator"), now: Instant(microseconds: 1_796_000_000_000_000))
  }

  /// A copy, file by file, of one that nobody is connected to.
  init(copyOf template: ScratchDatabase) async throws {
    cluster = template.cluster
    name = "bench_\(UInt64.random(in: 0...UInt64.max))"
    try await administer("CREATE DATABASE \(name) TEMPLATE \(template.name) STRATEGY file_copy")
  }

  /// The server that the environment names.
  static func cluster() throws -> String {
    guard let cluster = ProcessInfo.processInfo.environment["DAILYMETRICD_TEST_CLUSTER"] else {
      throw BenchmarkFailure("DAILYMETRICD_TEST_CLUSTER names no server; run this through make bench")
    }
    return cluster
  }

  /// Its connection string.
  var dsn: String { "\(cluster) dbname=\(name)" }

  func options(_ role: String) -> ConnectionOptions {
    ConnectionOptions(dsn: dsn, applicationName: "bench-\(role)")
  }

  func drop() async throws {
    try await administer("DROP DATABASE \(name) WITH (FORCE)")
  }

  private func administer(_ sql: String) async throws {
    let connection = try await Connection.connect(ConnectionOptions(dsn: "\(cluster) dbname=postgres"))
    try await connection.script(sql)
    await connection.close()
  }

  /// Returns when no session of this role is there any more, the journal's neither.
  func waitUntilGone(_ role: String, _ watcher: Connection) async throws {
    for _ in 0..<1_000 {
      if try await processes(of: role, watcher).isEmpty { return }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw BenchmarkFailure("sessions of bench-\(role) do not end")
  }

  private func processes(of role: String, _ watcher: Connection) async throws -> [Int] {
    let rows = try await watcher.execute(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name IN ($1, $1 || ' journal')",
      [.text("bench-\(role)")])
    return try rows.map { try $0.int("pid") }
  }

  /// What `body` costs this process and the server's processes of that role.
  func measure(cells: Int, of role: String, _ body: () async throws -> Void) async throws -> Cost {
    let watcher = try await Connection.connect(options("watcher"))
    let server = try await processorTime(of: role, watcher)
    let client = Self.ownTime()
    let start = ContinuousClock.now
    try await body()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let spent = (client: Self.ownTime() - client, server: try await processorTime(of: role, watcher) - server)
    await watcher.close()
    return Cost(cells: cells, seconds: seconds, client: spent.client, server: spent.server)
  }

  /// Seconds of all sessions of a role, the journal's of its process among them; it begins with the first batch.
  private func processorTime(of role: String, _ watcher: Connection) async throws -> Double {
    try await processes(of: role, watcher).map { try Self.processorTime($0) }.reduce(0, +)
  }

  /// Seconds that a process has had the processor, from the scheduler's own count in nanoseconds.
  private static func processorTime(_ pid: Int) throws -> Double {
    let text = try String(contentsOfFile: "/proc/\(pid)/schedstat", encoding: .utf8)
    guard let nanoseconds = text.split(separator: " ").first.flatMap({ Double($0) }) else {
      throw BenchmarkFailure("/proc/\(pid)/schedstat cannot be read")
    }
    return nanoseconds / 1e9
  }

  private static func ownTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// What a piece of work cost.
struct Cost: CustomStringConvertible, Codable {
  let cells: Int
  let seconds: Double
  let client: Double
  let server: Double

  /// The one with the median CPU time.
  static func median(_ costs: [Cost]) -> Cost? {
    let sorted = costs.sorted { $0.client + $0.server < $1.client + $1.server }
    return sorted.isEmpty ? nil : sorted[sorted.count / 2]
  }

  var description: String {
    let perCell = 1e6 / Double(cells)
    return String(format: "%8.0f\t%6.2f\t%6.2f", Double(cells) / seconds, client * perCell, server * perCell)
  }
}
