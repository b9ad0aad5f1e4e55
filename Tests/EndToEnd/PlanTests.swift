import Glibc
import Postgres
import TestSupport
import Testing

/// No statement of the write path reads a table from its beginning, whatever the planner believes about its size.
///
/// What was read is counted by the server; nothing here depends on time.
@Suite struct PlanTests {
  /// A catalogue is small for ever, the switches are one row, the journal has one per worker, the days that were summed are
  /// few, and the migrations' own tables are read at each connection.
  private static let small =
    "'control', 'setting', 'batch_in_hand', 'metric', 'platform', 'platform_error', 'format', 'unknown_reason', 'unit', 'migration', 'schema_part', "
    + "'monitoring_setting', 'feed_horizon', 'coverage_day'"

  /// Payloads of three people with all kinds of statements. Each round changes what is known about them.
  private func payloads(_ rounds: Range<Int>) -> String {
    rounds.flatMap { round in (1...3).map { payload(user: $0, round: round) + "\n" } }.joined()
  }

  private func payload(user: Int, round: Int) -> String {
    let days = ["steps", "sleep_duration", "weight", "heart_rate_avg"].enumerated().flatMap { index, metric in
      (20...28).map { day in
        let outcome =
          switch (round + day + index) % 4 {
          case 0: #""outcome":"empty","sources":["watch"]"#
          case 1: #""outcome":"failed","code":"HKError.6""#
          case 2: #""outcome":"value","value":0,"sources":["watch"]"#
          default: #""outcome":"value","value":\#(60 + round),"sources":["watch"]"#
          }
        return #"{"metric":"\#(metric)","local_date":"2026-02-\#(day)",\#(outcome)}"#
      }
    }
    let isOdd = round % 2 == 1
    let page = round % 3 == 0 ? #","load_id":"L\#(round)","page":1,"final_page":true"# : ""
    return """
      {"schema":"dailymetricd.sync/1","payload_id":"\(Sample.id(user * 1_000 + round))","user_id":"\(Sample.id(user))",\
      "origin":{"platform":"health_connect","store":"phone","os_major":15},\
      "read":{"read_at":"2026-03-01T07:\(10 + round):00Z"\(page)},\
      "time_zones":[{"from":"2026-01-01T00:00:00Z","iana":"\(isOdd ? "Europe/Berlin" : "Asia/Tokyo")"}],\
      "windows":[{"metric":null,"kind":"authorized_from","instant":"2026-02-\(10 + round % 15)T00:00:00Z"}],\
      "permissions":[{"metric":null,"state":"\(isOdd ? "granted" : "denied")"}],\
      "presence":[{"local_date":"2026-02-25","source":"watch","kind":"wear","minutes":\(600 + round)}],\
      "backfill":[{"metric":null,"state":"running","reached":"2026-01-01"}],\
      "days":[\(days.joined(separator: ",")),\
      {"metric":"steps","local_date":"2026-02-28","outcome":"value","value":999999999,"sources":["watch"]}],\
      "records":[{"record_id":"\(Sample.id(user * 1_000 + round))","metric":"steps","local_date":"2026-02-27",\
      "source":"watch","value":742}],"deletions":[{"record_id":"\(Sample.id(user * 1_000 + round - 1))"}]}
      """
  }

  /// Tables that were read from their beginning since the last look, and those of which more rows were fetched than a few
  /// for each row that was written; the queue aside, at which this test itself looks again and again.
  private func wasteful(_ program: Program) async throws -> String {
    let answer = try await program.value(
      """
      SELECT string_agg(format('%s: %s scans of %s rows, %s fetched', relname, seq_scan, seq_tup_read, idx_tup_fetch), '; ')
      FROM pg_stat_user_tables WHERE relname NOT IN (\(Self.small)) AND (seq_tup_read > 0 OR (idx_tup_fetch > 15000 AND relname <> 'sync_payload'))
      """)
    try await program.database.psql("SELECT pg_stat_reset()")
    return answer
  }

  /// What autovacuum reads for the index of the days is no part of it either, and is counted like a scan of the table.
  private static let withoutSummaries = """
    DO $$ DECLARE part record; BEGIN
      FOR part IN SELECT indrelid::regclass AS "table" FROM pg_inherits JOIN pg_index ON indexrelid = inhrelid
                  WHERE inhparent = 'daily_metric_day'::regclass LOOP
        EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = off)', part."table");
      END LOOP;
    END $$
    """

  /// - Parameter sizes: what the planner has seen of the tables before they grow: nothing, or that they are tiny.
  @Test(arguments: ["", "ANALYZE;"])
  func `every plan stays on an index when tables grow, before and after they are analysed`(sizes: String) async throws {
    let program = try await Program.prepared()
    // The sums of coverage are no part of the write path: they read all of a day.
    try await program.database.psql("UPDATE monitoring_setting SET summed_days = 0")
    try await program.database.psql(Self.withoutSummaries)
    // The worst that a planner can believe: no page, no row.
    try await program.database.psql("VACUUM ANALYZE; SELECT pg_stat_reset()")
    let hasWork = "SELECT intake.has_work()::text"
    let service = try program.start("run", "--workers", "1", "--batch", "1", "--poll-interval", "0.1")
    try await program("enqueue", "-", stdin: payloads(0..<7))
    #expect(try await program.eventually(hasWork, is: "false") == "false")
    try await service.says("event=merged")
    try await program.database.psql(sizes + Crowd.sql + "SELECT pg_stat_reset();")
    // The same session, with the plans that it has.
    let repeated = payloads(6..<12)
    try await program("enqueue", "-", stdin: repeated)
    #expect(try await program.eventually(hasWork, is: "false") == "false")
    try await service.end()
    let wasted = try await wasteful(program)
    #expect(wasted == "", "\(wasted)")
    #expect(try await program.value("SELECT count(*) > 0 FROM intake.receipt WHERE repetitions > 0") == "t")
    #expect(
      try await program.value("SELECT count(*) FROM intake.load WHERE load_id LIKE 'L%' AND state = 'applied'") == "12")
    #expect(try await program.value("SELECT count(*) > 0 FROM intake.dead_letter") == "f")
    try await program.database.psql("SELECT pg_stat_reset()")

    for (analyze, rounds) in [("", 12..<16), ("ANALYZE", 16..<20)] {
      try await program.database.psql(analyze + "; SELECT pg_stat_reset()")
      try await program("enqueue", "-", stdin: payloads(rounds))
      #expect(try await program("drain", "--workers", "1", "--batch", "5").status == 0)
      #expect(try await program("recheck", "--workers", "1").status == 0)
      let wasted = try await wasteful(program)
      #expect(wasted == "", "\(analyze) \(wasted)")
    }
  }
}
