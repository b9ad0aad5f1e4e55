import TestSupport
import Testing

/// The command recheck.
@Suite struct RecheckTests {
  private let moved = "SELECT count(*) FROM daily_metric WHERE computed_at = '2026-03-01T08:00:01Z'"

  /// One person with a number, a failed read and the silent days around them, settled on 2026-03-01 at eight.
  private func settled() async throws -> Program {
    let program = try await Program.prepared()
    let payload = """
      {"schema":"dailymetricd.sync/1","payload_id":"\(Sample.id(1))","user_id":"\(Sample.id(1))",\
      "origin":{"platform":"garmin"},"read":{"read_at":"2026-03-01T07:00:00Z"},"days":[\
      {"metric":"steps","local_date":"2026-02-25","outcome":"value","value":7000,"sources":["watch"]},\
      {"metric":"steps","local_date":"2026-02-27","outcome":"failed","error":{"code":"http.429"}}]}
      """
    try await program("enqueue", "-", stdin: payload + "\n")
    #expect(try await program("drain", "--as-of", "2026-03-01T08:00:00Z").status == 0)
    #expect(try await program("recheck", "--as-of", "2026-03-01T08:00:00Z").status == 0)
    return program
  }

  @Test func `it derives what an edit of the catalogue affects, and nothing else`() async throws {
    let program = try await settled()
    func again() async throws -> String {
      let result = try await program("recheck", "--as-of", "2026-03-01T08:00:01Z")
      return result.stdout + result.stderr
    }
    #expect(try await again() == "0 due days derived\n")
    try await program.database.psql("UPDATE unknown_reason SET first_check = '5 days' WHERE code = 'provider_error'")
    #expect(try await again() == "1 due day derived\n")
    #expect(try await program.value(moved) == "1")
    #expect(
      try await program.value(
        "SELECT local_date, next_check_at - computed_at FROM daily_metric WHERE computed_at = '2026-03-01T08:00:01Z'")
        == "2026-02-27|5 days")
    #expect(try await again() == "0 due days derived\n")
  }

  @Test func `it goes on until nothing is due, and the schedule has an end`() async throws {
    let program = try await settled()
    #expect(try await program("recheck", "--as-of", "2026-03-20T08:00:00Z").status == 0)
    let due = "SELECT count(*) FROM evidence.due_day WHERE due_at <= '2026-03-20T08:00:00Z'"
    #expect(try await program.value(due) == "0")
    #expect(try await program.value("SELECT count(*) > 0 FROM daily_metric WHERE next_check_at IS NOT NULL") == "t")
    #expect(try await program("recheck", "--as-of", "2026-06-01T08:00:00Z").status == 0)
    #expect(try await program.value("SELECT count(*) FROM daily_metric WHERE next_check_at IS NOT NULL") == "0")
    #expect(try await program.value("SELECT count(*) FROM evidence.due_day") == "0")
    // Days go on to close; nobody is asked about them any more.
    #expect(try await program("recheck", "--as-of", "2027-06-01T08:00:00Z").status == 0)
    #expect(try await program("recheck", "--as-of", "2027-06-01T08:00:00Z").stdout == "0 due days derived\n")
    #expect(try await program.value("SELECT count(*) FROM daily_metric WHERE local_date > '2026-04-01'") == "0")
  }
}
