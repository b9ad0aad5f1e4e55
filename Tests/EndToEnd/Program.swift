import Foundation
import Postgres
import TestSupport

/// The built program, run against a database of the test's own.
struct Program {
  let database: TestDatabase
  /// Whom commands log in as, all but migrate: the service's own role, so that a right that it lacks shows in any test.
  var role = "dailymetric_daemon"

  private static let migrated = DatabaseTemplate("end_to_end") { options in
    guard let dsn = options.dsn else { throw TestSupportError("the template has no address") }
    let result = try await run(BuiltProducts.path("dailymetricd"), ["migrate", "--dsn", dsn])
    guard result.status == 0 else { throw TestSupportError("migrate failed: \(result.stderr)") }
  }

  /// With the product's schema in the database, or with nothing.
  static func prepared(migrated: Bool = true) async throws -> Program {
    // A server on which nothing was ever migrated has no roles yet.
    Program(
      database: try await freshDatabase(from: migrated ? Program.migrated : .empty),
      role: migrated ? "dailymetric_daemon" : "postgres")
  }

  private func environment(of arguments: [String]) -> [String: String] {
    database.environment.merging(["PGUSER": arguments.first == "migrate" ? "postgres" : role]) { $1 }
  }

  /// Runs a command to its end.
  @discardableResult
  func callAsFunction(_ arguments: String..., stdin: String = "") async throws -> ProcessResult {
    try await run(
      BuiltProducts.path("dailymetricd"), arguments, environment: environment(of: arguments), stdin: stdin)
  }

  /// The same with arguments that are computed.
  func call(_ verb: String, _ arguments: [String]) async throws -> ProcessResult {
    try await run(
      BuiltProducts.path("dailymetricd"), [verb] + arguments, environment: environment(of: [verb]))
  }

  /// Starts a command and leaves it running.
  func start(_ arguments: String..., environment: [String: String] = [:]) throws -> ChildProcess {
    try ChildProcess(
      BuiltProducts.path("dailymetricd"), arguments,
      environment: self.environment(of: arguments).merging(environment) { $1 })
  }

  /// The first column of the first row, as text.
  func value(_ sql: String) async throws -> String {
    try await database.psql(sql).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Asks again until the answer is the wanted one, as long as patience lasts; returns the last answer.
  func eventually(_ sql: String, is wanted: String) async throws -> String {
    let connection = try await database.connect()
    let answer = try await ask(until: { $0 == wanted }, { try await connection.execute(sql).one().text(0) })
    await connection.close()
    return answer
  }

  /// Everything that is known, without the times at which it was computed.
  func knowledge() async throws -> String {
    try await database.psql(
      """
      SELECT user_id, metric, local_date, status, value, unknown_reason, unknown_detail, covering_sources, is_final, observed_at,
             platform FROM daily_metric ORDER BY user_id, metric, local_date
      """)
  }

  /// The name of a constraint of daily_metric.
  func someConstraint() async throws -> String {
    try await value(
      "SELECT min(conname) FROM pg_constraint WHERE conrelid = 'daily_metric'::regclass AND contype = 'c'")
  }
}

/// Input that is easy to count.
enum Sample {
  static let queueDepth = "SELECT count(*)::text FROM intake.sync_payload"

  static func id(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// One payload on one line: step counts of the days from 2026-02-01 on, read on 2026-03-01.
  static func payload(user: Int, number: Int, steps: [String]) -> String {
    let days = steps.enumerated().map { index, value in
      let day = index + 1
      return """
        {"metric":"steps","local_date":"2026-02-\(day < 10 ? "0" : "")\(day)","outcome":"value","value":\(value),\
        "unit":"1","sources":["watch"],"complete":true}
        """
    }
    return """
      {"schema":"dailymetricd.sync/1","payload_id":"\(id(number))","user_id":"\(id(user))",\
      "origin":{"platform":"garmin"},"read":{"read_at":"2026-03-01T07:00:00Z",\
      "last_successful_read_at":"2026-03-01T07:00:00Z"},\
      "time_zones":[{"from":"2026-01-01T00:00:00Z","iana":"Europe/Berlin"}],"days":[\(days.joined(separator: ","))]}
      """
  }

  /// `count` payloads of `users` people, ten days each.
  static func file(payloads count: Int, users: Int) -> String {
    (1...count).map { number in
      payload(user: 1 + number % users, number: number, steps: (1...10).map { String(number * 10 + $0) }) + "\n"
    }.joined()
  }
}
