import TestSupport
import Testing

/// What operators see is there without anybody asking for it.
@Suite struct MonitoringTests {
  @Test func `a re-check sums the coverage of the last weeks, and says as of when`() async throws {
    let program = try await Program.prepared()
    let steps = (1...20).map { String(5_000 + $0) }
    let payloads = [1, 2].map { Sample.payload(user: $0, number: $0, steps: steps) }
    try await program("enqueue", "-", "--as-of", "2026-03-01T07:05:00Z", stdin: payloads.joined(separator: "\n"))
    try await program("drain", "--as-of", "2026-03-01T08:00:00Z")
    #expect(try await program.value("SELECT count(*) FROM coverage_by_day") == "0", "a drain has no time for it")
    try await program("recheck", "--as-of", "2026-03-02T08:00:00Z")
    let day = "FROM coverage_by_day WHERE metric = 'steps' AND local_date = '2026-02-03'"
    #expect(try await program.value("SELECT users || ' ' || measured || ' ' || mean_coverage \(day)") == "2 2 1.000")
    #expect(try await program.value("SELECT summed_at = '2026-03-02 08:00Z' \(day)") == "t")
    // Days of the silence that the re-check has filled are in it.
    #expect(
      try await program.value("SELECT sum((unknown_by_reason ->> 'not_yet_synced')::int) > 0 FROM coverage_by_day")
        == "t")
    #expect(try await program.value("SELECT count(*) FROM coverage_alert") == "0", "two people are no fleet")
  }

  @Test func `a service sums it while it works and while it rests`() async throws {
    let program = try await Program.prepared()
    let service = try program.start("run", "--workers", "1", "--poll-interval", "0.1")
    #expect(try await program.eventually("SELECT count(*)::text FROM coverage_day", is: "36") == "36")
    try await service.end()
  }
}
