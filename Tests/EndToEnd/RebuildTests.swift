import Glibc
import TestSupport
import Testing

@Suite struct RebuildTests {
  private static let asOf = "2026-03-02T08:00:00Z"

  /// Two users with twenty days each, merged, and their re-checks done.
  private static func filled() async throws -> Program {
    let program = try await Program.prepared()
    let steps = (1...20).map { String(5_000 + $0) }
    let payloads = [1, 2].map { Sample.payload(user: $0, number: $0, steps: steps) }
    try await program("enqueue", "-", "--as-of", "2026-03-01T07:05:00Z", stdin: payloads.joined(separator: "\n"))
    try await program("drain", "--as-of", "2026-03-01T08:00:00Z")
    try await program("recheck", "--as-of", asOf)
    return program
  }

  @Test func `what nobody has touched does not differ, silent days included`() async throws {
    let program = try await Self.filled()
    #expect(try await program.value("SELECT count(*) > 40 FROM daily_metric") == "t", "silent days are there")
    let check = try await program("rebuild", "--check", "--as-of", Self.asOf)
    #expect(check.status == 0)
    #expect(check.stdout.hasSuffix(" of 2 users compared; no cell differs\n"))
    #expect(check.stderr == "")
    // Nothing was due any more, so that whatever it wrote would show.
    let before = try await program.value("SELECT md5(string_agg(d::text, '' ORDER BY d)) FROM daily_metric d")
    #expect(try await program("rebuild", "--as-of", Self.asOf).stdout.hasSuffix("no cell differs\n"))
    #expect(try await program.value("SELECT md5(string_agg(d::text, '' ORDER BY d)) FROM daily_metric d") == before)
  }

  @Test func `cells that somebody edited are found and repaired, and what they showed is kept`() async throws {
    let program = try await Self.filled()
    let before = try await program.knowledge()
    try await program.database.psql(
      """
      UPDATE daily_metric SET value = 31337 WHERE user_id = '\(Sample.id(1))' AND local_date = '2026-02-03';
      DELETE FROM daily_metric WHERE user_id = '\(Sample.id(1))' AND local_date IN ('2026-02-05', '2026-02-25');
      UPDATE daily_metric SET unknown_detail = 'device_locked', covering_sources = 2
        WHERE user_id = '\(Sample.id(2))' AND local_date = '2026-02-24';
      INSERT INTO daily_metric (user_id, metric, local_date, status, value, covering_sources, computed_at, is_final, rule_version)
        VALUES ('\(Sample.id(2))', 'weight', '2026-02-03', 'measured', 31337, 1, now(), true, 1),
               ('\(Sample.id(7))', 'steps', '2026-02-03', 'measured', 31337, 1, now(), true, 1);
      UPDATE daily_metric SET computed_at = now(), next_check_at = NULL WHERE local_date = '2026-02-09';
      """)
    let findings = """
      \(Sample.id(1)) steps 2026-02-03: value
      \(Sample.id(1)) steps 2026-02-05: is missing
      \(Sample.id(1)) steps 2026-02-25: is missing
      \(Sample.id(2)) weight 2026-02-03: should not be there
      \(Sample.id(2)) steps 2026-02-24: covering_sources, unknown_detail
      \(Sample.id(7)) steps 2026-02-03: should not be there

      """
    let check = try await program("rebuild", "--check", "--as-of", Self.asOf)
    #expect(check.status == 1)
    #expect(check.stdout.hasPrefix(findings))
    #expect(check.stdout.hasSuffix(" of 3 users compared; 6 cells differ\n"))
    #expect(!check.stdout.contains("31337"))
    let one = try await program("rebuild", "--check", "--as-of", Self.asOf, "--user", Sample.id(7))
    #expect(one.stdout.hasSuffix("1 user-day of 1 user compared; 1 cell differs\n"))

    let repair = try await program("rebuild", "--as-of", Self.asOf)
    #expect(repair.status == 0)
    #expect(repair.stdout.hasPrefix(findings))
    #expect(repair.stdout.hasSuffix("; 6 cells repaired\n"))
    #expect(try await program("rebuild", "--check", "--as-of", Self.asOf).status == 0)
    #expect(try await program.knowledge() == before)
    let kept = "SELECT count(*) FROM daily_metric_history WHERE value = 31337 AND superseded_at = '\(Self.asOf)'"
    #expect(try await program.value(kept) == "3")
  }

  @Test func `it works beside a service that merges for the same users`() async throws {
    let program = try await Self.filled()
    try await program.database.psql("UPDATE daily_metric SET value = value + 1 WHERE metric = 'steps' AND value > 0")
    let service = try program.start("run", "--poll-interval", "0.05")
    for round in 0..<5 {
      let payloads = (1...20).map { number in
        Sample.payload(user: 1 + number % 2, number: 100 + round * 20 + number, steps: ["\(6_000 + number)", "7000"])
          .replacing("2026-03-01T07:00:00Z", with: "2026-03-01T07:\(10 + round * 5):\(10 + number)Z")
      }
      try await program("enqueue", "-", stdin: payloads.joined(separator: "\n"))
      #expect(try await program("rebuild").status == 0)
    }
    #expect(try await program.eventually(Sample.queueDepth, is: "0") == "0")
    service.send(SIGTERM)
    #expect(try await service.wait().status == 0)
    #expect(try await program("rebuild").status == 0)
    let check = try await program("rebuild", "--check")
    #expect(check.status == 0, "\(check.stdout)")
    #expect(try await program.value("SELECT count(*) FROM intake.dead_letter") == "0")
    #expect(try await program.value("SELECT value FROM daily_metric WHERE local_date = '2026-02-20' LIMIT 1") == "5020")
  }
}
