import Foundation
import Postgres
import TestSupport

/// A database on a server that keeps what it has acknowledged, whatever happens to it.
final class ChaosDatabase: Sendable {
  let cluster: ThrowawayCluster
  let name: String
  /// Where to look for a server that takes writes; the first to be asked first.
  private let hosts: [ThrowawayCluster]

  /// One server for all runs of the suite.
  static let server = Task { try await safeServer() }

  /// A new server that keeps what it has acknowledged.
  static func safeServer() async throws -> ThrowawayCluster {
    try await ThrowawayCluster.start(settings: [
      "fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "deadlock_timeout": "'100ms'",
    ])
  }

  /// A new database as `migrate` leaves it, on the suite's server or one of the test's own.
  ///
  /// - Parameter options: what comes after the name in `CREATE DATABASE`.
  init(_ name: String, on server: ThrowawayCluster? = nil, options: String = "") async throws {
    if let server { cluster = server } else { cluster = try await Self.server.value }
    self.name = name
    hosts = [cluster]
    let administration = try await Connection.connect(
      ConnectionOptions(dsn: cluster.dsn(database: "postgres"), applicationName: "chaos"))
    try await administration.script("CREATE DATABASE \(name) \(options)")
    await administration.close()
    let result = try await dailymetricd("migrate")
    guard result.status == 0 else { throw ChaosFailure("migrate failed: \(result.stderr)") }
  }

  /// The same database, of which others have copies: whichever of them takes writes is meant.
  init(_ database: ChaosDatabase, on hosts: [ThrowawayCluster]) {
    cluster = database.cluster
    name = database.name
    self.hosts = hosts
  }

  var environment: [String: String] {
    [
      "PGHOST": hosts.map(\.host).joined(separator: ","), "PGUSER": "postgres", "PGDATABASE": name,
      "PGPORT": hosts.map { String($0.port) }.joined(separator: ","),
      "PGTARGETSESSIONATTRS": hosts.count > 1 ? "read-write" : "any",
    ]
  }

  private var dsn: String {
    environment.map { variable, value in "\(Self.words[variable, default: ""])='\(value)'" }.joined(separator: " ")
  }

  private static let words = [
    "PGHOST": "host", "PGUSER": "user", "PGDATABASE": "dbname", "PGPORT": "port",
    "PGTARGETSESSIONATTRS": "target_session_attrs",
  ]

  /// Runs a command to its end.
  func dailymetricd(_ arguments: String...) async throws -> ProcessResult {
    try await run(BuiltProducts.path("dailymetricd"), arguments, environment: environment)
  }

  /// A new connection; waits for the server if it is away.
  func connect(as application: String = "chaos") async throws -> Connection {
    let deadline = ContinuousClock.now + patience
    while true {
      do {
        return try await Connection.connect(
          ConnectionOptions(dsn: dsn, applicationName: application))
      } catch {
        guard ContinuousClock.now < deadline else { throw error }
        try await moment()
      }
    }
  }

  /// Asks once, over a connection of its own.
  func ask(_ sql: String) async throws -> [[String?]] {
    let connection = try await connect()
    let rows = try await connection.execute(sql)
    let table = try rows.map { row in try rows.columns.indices.map { try row.optionalText($0) } }
    await connection.close()
    return table
  }
}

/// Looks at a database again and again, and connects again when it has to.
actor ChaosObserver {
  private let database: ChaosDatabase
  private var connection: Connection?
  private var counted: (count: Int, at: ContinuousClock.Instant)?

  init(_ database: ChaosDatabase) { self.database = database }

  /// The first column of the first row, a number.
  func number(_ sql: String, _ parameters: [Parameter] = []) async throws -> Int {
    while true {
      let open = try await connected()
      do {
        return try await open.execute(sql, parameters).one().int(0)
      } catch {
        guard error.kind == .connectionLost else { throw error }
        connection = nil
      }
    }
  }

  private func connected() async throws -> Connection {
    if let connection { return connection }
    let new = try await database.connect()
    connection = new
    return new
  }

  /// Deliveries that have left the queue, whatever became of them. Counted every now and then.
  func done() async throws -> Int {
    if let counted, ContinuousClock.now - counted.at < .milliseconds(30) { return counted.count }
    let count = try await number(
      "SELECT (SELECT count(*) FROM chaos.sent) - (SELECT count(*) FROM intake.sync_payload)")
    counted = (count, .now)
    return count
  }
}
