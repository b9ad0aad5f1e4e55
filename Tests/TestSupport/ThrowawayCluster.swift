public import Foundation
internal import Postgres

/// A Postgres server that lives as long as the tests do.
///
/// It listens on a socket in its own directory only, keeps nothing safe on disk, and is removed when the test process
/// ends, also by a crash. The variable `DAILYMETRICD_TEST_CLUSTER` (`host=/x port=1`) names a server to use instead.
public final class ThrowawayCluster: Sendable {
  /// The directory of the server's socket, or its host.
  public let host: String
  /// The number in the socket's name.
  public let port: Int
  /// Where the server keeps its data; nil for a server that somebody else started.
  public let dataDirectory: URL?
  private let environment: [String: String]

  /// The server that all tests of this process share; the first to ask starts it.
  public static var shared: ThrowawayCluster {
    get async throws { try await sharedTask.value }
  }

  private static let sharedTask = Task { () throws -> ThrowawayCluster in
    if let address = ProcessInfo.processInfo.environment["DAILYMETRICD_TEST_CLUSTER"] {
      return try ThrowawayCluster(address: address)
    }
    return try await ThrowawayCluster.start()
  }

  /// Starts a server of its own, for a test that stops or breaks it.
  ///
  /// - Parameters:
  ///   - settings: lines for `postgresql.conf`, after those of this type.
  ///   - walDirectory: a directory that does not exist yet, for the write-ahead log; nil: beside the data.
  ///   - environment: variables for the server.
  public static func start(
    settings: [String: String] = [:], walDirectory: String? = nil, environment: [String: String] = [:]
  ) async throws -> ThrowawayCluster {
    let cluster = ThrowawayCluster(directory: try PostgresPrograms.serverDirectory(), environment: environment)
    var options = ["--no-sync", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C"]
    if let walDirectory { options.append("--waldir=\(walDirectory)") }
    try await cluster.fill(by: "initdb", options)
    try await cluster.begin(settings)
    return cluster
  }

  /// Starts a server that follows another one, whose connections are called `standby`.
  public static func standby(
    of primary: ThrowawayCluster, settings: [String: String] = [:]
  ) async throws -> ThrowawayCluster {
    let cluster = ThrowawayCluster(directory: try PostgresPrograms.serverDirectory())
    let source = "\(primary.dsn(database: "postgres")) application_name=standby"
    try await cluster.fill(by: "pg_basebackup", ["-R", "-c", "fast", "-d", source])
    try await cluster.begin(settings)
    return cluster
  }

  /// Whether the server has not ended; not known of one that somebody else started.
  public var isRunning: Bool {
    dataDirectory.map { FileManager.default.fileExists(atPath: $0.appending(path: "postmaster.pid").path) } ?? true
  }

  /// The number of the server's first process, while it runs.
  public func postmaster() throws -> pid_t {
    guard let dataDirectory else { throw TestSupportError("this server is not for tests to control") }
    let lines = try String(contentsOf: dataDirectory.appending(path: "postmaster.pid"), encoding: .utf8)
    guard let pid = lines.split(separator: "\n").first.flatMap({ pid_t($0) }) else {
      throw TestSupportError("postmaster.pid holds no number")
    }
    return pid
  }

  /// Options for a database of this server, as its superuser.
  public func dsn(database: String) -> String {
    "host=\(host) port=\(port) user=postgres dbname=\(database)"
  }

  /// The server's log so far; empty for a server that somebody else started.
  public func log() throws -> String {
    guard let dataDirectory else { return "" }
    return try String(contentsOf: dataDirectory.deletingLastPathComponent().appending(path: "log"), encoding: .utf8)
  }

  /// Runs `pg_ctl`, such as `["stop", "-m", "immediate"]` or `["promote"]`, and waits for its end.
  public func control(_ arguments: [String]) async throws {
    guard let dataDirectory else { throw TestSupportError("this server is not for tests to control") }
    let directory = dataDirectory.deletingLastPathComponent()
    let log = directory.appending(path: "log").path
    try await PostgresPrograms.run(
      PostgresPrograms.directory().appending(path: "pg_ctl"),
      ["-D", dataDirectory.path, "-l", log, "-w"] + arguments, in: directory, environment: environment)
  }

  /// Makes the data directory by one of the server's programs.
  private func fill(by program: String, _ options: [String]) async throws {
    guard let dataDirectory else { return }
    try Watchdog.shared.get().atEnd(Self.stopping(dataDirectory.appending(path: "postmaster.pid").path))
    try await PostgresPrograms.run(
      PostgresPrograms.directory().appending(path: program), ["-D", dataDirectory.path] + options,
      in: dataDirectory.deletingLastPathComponent())
  }

  private func begin(_ settings: [String: String]) async throws {
    guard let dataDirectory else { return }
    try configure(dataDirectory, settings)
    try await control(["start"])
  }

  /// Ends the server at once, and waits until it is gone.
  private static func stopping(_ pidFile: String) -> String {
    "kill -QUIT $(head -n 1 '\(pidFile)') && while [ -e '\(pidFile)' ]; do sleep 0.1; done"
  }

  private init(directory: URL, environment: [String: String] = [:]) {
    self.environment = environment
    host = directory.path
    port = 5432
    dataDirectory = directory.appending(path: "data")
  }

  private init(address: String) throws {
    let words = address.split(separator: " ").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    guard let host = words.first(where: { $0.first == "host" })?.last,
      let port = words.first(where: { $0.first == "port" })?.last.flatMap({ Int($0) })
    else { throw TestSupportError("DAILYMETRICD_TEST_CLUSTER must read host=/directory port=number") }
    self.host = host
    self.port = port
    dataDirectory = nil
    environment = [:]
  }

  private func configure(_ data: URL, _ settings: [String: String]) throws {
    let common = [
      "listen_addresses": "''", "unix_socket_directories": "'\(host)'", "timezone": "UTC", "log_timezone": "UTC",
      "fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "400",
    ]
    let lines = common.merging(settings) { $1 }.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)\n" }
    let file = try FileHandle(forWritingTo: data.appending(path: "postgresql.conf"))
    try file.seekToEnd()
    try file.write(contentsOf: Data(lines.joined().utf8))
    try file.close()
  }
}
