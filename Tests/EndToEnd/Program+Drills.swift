import Glibc
import Postgres
import TestSupport
import Testing

/// What drills ask of a program and its database.
extension Program {
  static let merged = "SELECT count(*)::text FROM intake.receipt"

  /// What one worker makes of the input, undisturbed.
  static func undisturbed(_ input: String) async throws -> String {
    let program = try await Program.prepared()
    try await program("enqueue", "-", stdin: input)
    #expect(try await program("drain", "--workers", "1").status == 0)
    return try await program.everything()
  }

  /// All that was made of the payloads: what is known, why, and how often each was taken. Re-checks first: a service has
  /// got as far with them as it happened to.
  func everything() async throws -> String {
    #expect(try await self("recheck", "--workers", "1").status == 0)
    let why = try await database.psql(
      """
      SELECT r.*::text FROM evidence.reading r ORDER BY 1;
      SELECT user_id, payload_id, outcome, cells, quarantined, repetitions FROM intake.receipt ORDER BY 1, 2;
      SELECT count(*) FROM intake.sync_payload;
      """)
    return try await knowledge() + why
  }

  /// Asks again until there is an answer that is not empty, as long as patience lasts.
  func answer(to sql: String) async throws -> String {
    let connection = try await database.connect()
    let answer = try await ask(
      until: { !$0.isEmpty }, { try await connection.execute(sql).first?.text(0) ?? "" })
    await connection.close()
    try #require(!answer.isEmpty, "nothing came of \(sql)")
    return answer
  }
}

extension ChildProcess {
  /// Asks the program to end, and wants it to end well.
  func end() async throws {
    send(SIGTERM)
    let result = try await wait()
    #expect(result.status == 0, "\(result.stderr)")
  }
}
