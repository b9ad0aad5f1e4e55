import Foundation
import Glibc
import Postgres
import TestSupport
import Testing

/// The roles of packaging/roles.sql, as an operator uses them: each command and each statement logs in as one of them.
@Suite struct RoleTests {
  @Test func `migrator, service and producer work with their own roles, and nobody as a superuser`() async throws {
    let house = try await House.made()
    try await house.admitRoles()
    let migrated = try await house("migrate", as: "dailymetric_migrator")
    #expect(migrated.status == 0 && migrated.stderr == "", "\(migrated.stderr)")
    #expect(try await house.sql("SELECT c.oid::regclass \(House.foreign)") == "")
    let service = try house.start("run", as: "dailymetric_daemon")
    for number in 1...20 {
      let payload = Sample.payload(user: 1 + number % 3, number: number, steps: ["\(number)", "7"])
      try await house.enqueue(payload, user: 1 + number % 3)
    }
    try await house.enqueue("nonsense", user: 4)
    #expect(try await house.eventually("SELECT count(*) FROM intake.receipt", is: "20") == "20")
    #expect(try await house.eventually("SELECT count(*) FROM intake.dead_letter", is: "1") == "1")
    let commands = [
      ["pause", "--because", "a test"], ["resume"], ["recheck"], ["status"], ["payload", Sample.id(1), Sample.id(3)],
      ["dead", "list"], ["dead", "retry", "--code", "not_json"], ["rebuild", "--check"], ["forget", Sample.id(2)],
      ["chart", "--user", Sample.id(1), "--metric", "steps"],
    ]
    for words in commands {
      let result = try await house(words, as: "dailymetric_daemon")
      #expect(result.status == 0, "\(words): \(result.stderr)")
    }
    let refused = try await house("migrate", as: "dailymetric_daemon")
    #expect(refused.status != 0 && refused.stderr.contains("permission denied"), "\(refused)")
    service.send(SIGTERM)
    let ended = try await service.wait()
    #expect(ended.status == 0 && !ended.stderr.contains("level=error"), "\(ended.stderr)")
    try await house.cluster.control(["stop", "-m", "immediate"])
  }

  @Test func `what one role made before is handed over, and works on`() async throws {
    let house = try await House.made()
    #expect(try await house("migrate", as: "postgres").status == 0)
    try await house.enqueue(Sample.payload(user: 1, number: 1, steps: ["5"]), user: 1, as: "postgres")
    #expect(try await house("drain", as: "postgres").status == 0)
    try await house.admitRoles()
    try await house.admitRoles()
    #expect(try await house.sql("SELECT c.oid::regclass \(House.foreign)") == "")
    let again = try await house("migrate", as: "dailymetric_migrator")
    #expect(again.status == 0 && again.stderr == "", "\(again.stderr)")
    try await house.enqueue(Sample.payload(user: 1, number: 2, steps: ["5", "6"]), user: 1)
    let drained = try await house("drain", as: "dailymetric_daemon")
    #expect(drained.status == 0, "\(drained.stderr)")
    #expect(try await house.sql("SELECT count(*) FROM daily_metric WHERE status = 'measured'") == "2")
    try await house.cluster.control(["stop", "-m", "immediate"])
  }

  @Test func `whom the roles do not admit is refused at the door`() async throws {
    let house = try await House.made()
    try await house.admitRoles()
    #expect(try await house("migrate", as: "dailymetric_migrator").status == 0)
    try await house.sql("CREATE ROLE somebody LOGIN")
    for role in ["somebody", "dailymetric_owner"] {
      let result = try await house.psql("SELECT 1", as: role)
      #expect(result.status != 0, "\(role) got in")
    }
    let attempts = ["SELECT * FROM daily_metric", "TABLE intake.sync_payload", "CREATE TEMPORARY TABLE a (b integer)"]
    for statement in attempts {
      let result = try await house.psql(statement, as: "dailymetric_producer")
      #expect(result.status != 0 && result.stderr.contains("permission denied"), "\(statement): \(result)")
    }
    try await house.cluster.control(["stop", "-m", "immediate"])
  }
}

/// A server of its own, because roles and their settings belong to a server, with a database that nobody has touched.
struct House {
  let cluster: ThrowawayCluster
  static let database = "health"
  /// What somebody else than the owner owns.
  static let foreign = """
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname IN ('public', 'intake', 'evidence') AND c.relowner <> 'dailymetric_owner'::regrole
    """

  static func made(settings: [String: String] = [:]) async throws -> House {
    let house = House(cluster: try await ThrowawayCluster.start(settings: settings))
    let created = try await house.psql("CREATE DATABASE \(database)", as: "postgres", in: "postgres")
    guard created.status == 0 else { throw TestSupportError(created.stderr) }
    return house
  }

  /// What docs/operations.md tells an operator to do.
  func admitRoles() async throws {
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../packaging/roles.sql")
    let result = try await run(
      "/usr/bin/env", ["psql", "-X", "-q", "-f", script.standardized.path], environment: environment("postgres"))
    guard result.status == 0, result.stderr == "" else { throw TestSupportError(result.stderr) }
  }

  func environment(_ role: String, in database: String = House.database) -> [String: String] {
    ["PGHOST": cluster.host, "PGPORT": String(cluster.port), "PGUSER": role, "PGDATABASE": database]
  }

  @discardableResult
  func callAsFunction(_ words: [String], as role: String, stdin: String = "") async throws -> ProcessResult {
    try await run(BuiltProducts.path("dailymetricd"), words, environment: environment(role), stdin: stdin)
  }

  @discardableResult
  func callAsFunction(_ word: String, as role: String) async throws -> ProcessResult {
    try await self([word], as: role)
  }

  func start(_ words: String..., as role: String) throws -> ChildProcess {
    try ChildProcess(BuiltProducts.path("dailymetricd"), words, environment: environment(role))
  }

  func psql(_ sql: String, as role: String, in database: String = House.database) async throws -> ProcessResult {
    try await run(
      "/usr/bin/env", ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"],
      environment: environment(role, in: database), stdin: sql)
  }

  /// What a superuser is told.
  @discardableResult
  func sql(_ sql: String) async throws -> String {
    let result = try await psql(sql, as: "postgres")
    guard result.status == 0 else { throw TestSupportError(result.stderr) }
    return result.stdout.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func eventually(_ query: String, is wanted: String) async throws -> String {
    try await ask(until: { $0 == wanted }, { try await sql(query) })
  }

  /// Enqueues as a producer does, with parameters instead of literals.
  func enqueue(_ payload: String, user: Int, as role: String = "dailymetric_producer") async throws {
    let connection = try await Connection.connect(
      ConnectionOptions(dsn: "host=\(cluster.host) port=\(cluster.port) user=\(role) dbname=\(House.database)"))
    let id = UUID(uuidString: Sample.id(user)) ?? UUID()
    _ = try await connection.execute("SELECT enqueue_sync_payload($1, $2)", [.uuid(id), .text(payload)])
    await connection.close()
  }
}
