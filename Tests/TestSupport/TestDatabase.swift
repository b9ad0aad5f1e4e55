internal import Foundation
internal import Glibc
public import Postgres
internal import Synchronization

/// A database for one test. It is dropped some time after the test has let go of it.
public final class TestDatabase: Sendable {
  /// Its name.
  public let name: String
  /// The server that it is on.
  public let cluster: ThrowawayCluster
  private let administration: Administration

  fileprivate init(name: String, cluster: ThrowawayCluster, administration: Administration) {
    self.name = name
    self.cluster = cluster
    self.administration = administration
  }

  deinit {
    let (administration, name) = (administration, name)
    Task { await administration.release(name) }
  }

  /// The connection string, as the superuser.
  public var dsn: String { cluster.dsn(database: name) }

  /// How to connect as the superuser.
  public var options: ConnectionOptions { ConnectionOptions(dsn: dsn, applicationName: "test") }

  /// What a program needs to find this database by libpq's environment.
  public var environment: [String: String] {
    ["PGHOST": cluster.host, "PGPORT": String(cluster.port), "PGUSER": "postgres", "PGDATABASE": name]
  }

  /// A new connection as the superuser.
  public func connect() async throws(PostgresError) -> Connection {
    try await Connection.connect(options)
  }

  /// Runs SQL through psql and returns what it prints, without headers and alignment.
  ///
  /// - Throws: if psql fails, with its standard error.
  @discardableResult
  public func psql(_ sql: String, _ arguments: [String] = []) async throws -> String {
    let result = try await run(
      "/usr/bin/env", ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"] + arguments,
      environment: environment, stdin: sql)
    guard result.status == 0 else { throw TestSupportError("psql failed: \(result.stderr)") }
    return result.stdout
  }
}

/// What a test's database holds at first. Each template is prepared once per process and then copied.
public struct DatabaseTemplate: Sendable {
  /// A name for it, in lower case.
  public let name: String
  /// Fills the database, and leaves no connection behind.
  public let prepare: @Sendable (ConnectionOptions) async throws -> Void

  /// A template that `prepare` fills.
  public init(_ name: String, prepare: @escaping @Sendable (ConnectionOptions) async throws -> Void) {
    self.name = name
    self.prepare = prepare
  }

  /// A database without any table.
  public static let empty = DatabaseTemplate("empty") { _ in }
}

/// A new database for the calling test, copied from `template` in some ten milliseconds.
public func freshDatabase(from template: DatabaseTemplate) async throws -> TestDatabase {
  let administration = try await Administration.shared.value
  return try await administration.database(from: template)
}

/// Creates and drops databases, over a connection of its own.
private actor Administration {
  static let shared = Task { try await Administration(ThrowawayCluster.shared) }

  private let cluster: ThrowawayCluster
  private let connection: Connection
  /// For dropping alone, so that a new test does not wait for the end of an old one.
  private let cleaner: Connection
  private let prefix = "dailymetricd_test_\(getpid())_"
  private var templates: [String: Task<String, any Error>] = [:]
  private var count = 0
  private var released: [String] = []

  init(_ cluster: ThrowawayCluster) async throws {
    self.cluster = cluster
    let options = ConnectionOptions(dsn: cluster.dsn(database: "postgres"), applicationName: "test administration")
    connection = try await Connection.connect(options)
    cleaner = try await Connection.connect(options)
    guard cluster.dataDirectory == nil else { return }
    // A server that stays must not keep our databases.
    let psql = "psql -X -q -A -t -h '\(cluster.host)' -p \(cluster.port) -U postgres -d postgres"
    let list = """
      select format('drop database %I with (force);', datname) from pg_database where datname like '\(prefix)%'
      """
    try Watchdog.shared.get().atEnd("\(psql) -c \"\(list)\" | \(psql)")
  }

  func database(from template: DatabaseTemplate) async throws -> TestDatabase {
    let source = try await prepared(template)
    count += 1
    let name = "\(prefix)\(count)"
    // Copying files is several times as fast as logging every page of the copy.
    try await connection.script("CREATE DATABASE \(name) TEMPLATE \(source) STRATEGY file_copy")
    return TestDatabase(name: name, cluster: cluster, administration: self)
  }

  /// Takes back a database that nobody holds any more, and drops the one that was released longest ago.
  ///
  /// Swift lets go of a value after its last use, when a session that was opened with its options may still be at work:
  /// so a database stays for a while, and whoever is connected to it keeps it.
  func release(_ name: String) async {
    released.append(name)
    guard released.count > 40 else { return }
    let oldest = released.removeFirst()
    do {
      try await cleaner.script("DROP DATABASE IF EXISTS \(oldest)")
    } catch {
      if error.hasState("55006") {
        released.append(oldest)
      } else {
        print("database \(oldest) was not dropped: \(error)")
      }
    }
  }

  private func prepared(_ template: DatabaseTemplate) async throws -> String {
    if let task = templates[template.name] { return try await task.value }
    let (connection, cluster, name) = (connection, cluster, "\(prefix)template_\(template.name)")
    let task = Task {
      try await connection.script("CREATE DATABASE \(name) TEMPLATE template0 STRATEGY file_copy")
      try await template.prepare(ConnectionOptions(dsn: cluster.dsn(database: name), applicationName: "test"))
      return name
    }
    templates[template.name] = task
    return try await task.value
  }
}
