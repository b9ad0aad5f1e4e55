import Foundation
import TestSupport
import Testing

/// An old table in which 0 stands for what nobody knew.
@Suite struct ImportLegacyTests {
  private static let now = "2026-11-29T08:00:00Z"
  private static let person = "11111111-1111-4111-8111-111111111111"
  private static let table = """
    user_id,local_date,steps,basal_energy,heart_rate_avg,weight
    \(person),2026-10-01,8123,1600,71,80.5
    \(person),2026-10-02,0,1564.5,,0
    \(person),2026-10-03,0,0,64,
    \(person),2026-11-01,250001,1600,,

    """

  @Test func `a zero counts only where something else of the day shows that somebody was there`() async throws {
    let dailymetricd = try await Program.prepared()
    let report = try await dailymetricd(
      "import-legacy", "-", "--platform", "health_connect", "--as-of", Self.now, stdin: Self.table)
    #expect(report.status == 0, "\(report.stderr)")
    #expect(report.stdout.contains("16 cells read, 2 payloads enqueued"))
    for line in [
      "steps: zeros that may have been no data: 2", "steps: numbers outside the metric's range: 1",
      "basal_energy: zeros that nobody can have: 1", "basal_energy: numbers that a platform makes up",
      "weight: NULL: 2",
    ] { #expect(report.stdout.contains("  \(line)"), "\(report.stdout)") }
    try await dailymetricd("drain", "--as-of", Self.now)
    let cells = try await dailymetricd.database.psql(
      """
      SELECT metric, local_date, coalesce(value::text, unknown_reason), coalesce(unknown_detail, '') FROM daily_metric ORDER BY 1, 2
      """)
    #expect(
      cells.split(separator: "\n").map(String.init) == [
        "basal_energy|2026-10-01|no_source_coverage|derived_default",
        "basal_energy|2026-10-02|no_source_coverage|derived_default", "basal_energy|2026-10-03|no_source_coverage|",
        "basal_energy|2026-11-01|no_source_coverage|derived_default", "heart_rate_avg|2026-10-01|71|",
        "heart_rate_avg|2026-10-03|64|", "steps|2026-10-01|8123|", "steps|2026-10-02|no_source_coverage|",
        "steps|2026-10-03|0|", "steps|2026-11-01|invalid_reading|out_of_range", "weight|2026-10-01|80.5|",
        "weight|2026-10-02|no_source_coverage|",
      ])
  }

  @Test func `the same table twice, long or wide, changes nothing`() async throws {
    let dailymetricd = try await Program.prepared()
    let wide = "user_id,local_date,source,steps\n\(Self.person),2026-10-01,clip,8123\n"
    let long = "metric,local_date,value,user_id,source\nsteps,2026-10-01,8123,\(Self.person),clip\n"
    for table in [wide, long] {
      try await dailymetricd("import-legacy", "-", "--platform", "fitbit", "--as-of", Self.now, stdin: table)
    }
    let drained = try await dailymetricd("drain", "--as-of", Self.now)
    #expect(drained.stdout.contains("2 payloads (1 repeated"))
  }

  @Test func `what the platform says itself speaks louder than the old table`() async throws {
    let dailymetricd = try await Program.prepared()
    let old = "user_id,local_date,weight\n\(Self.person),2026-10-01,99\n"
    try await dailymetricd("import-legacy", "-", "--platform", "withings", "--as-of", Self.now, stdin: old)
    let own = """
      {"schema":"dailymetricd.sync/1","payload_id":"22222222-2222-4222-8222-222222222222","user_id":"\(Self.person)",\
      "origin":{"platform":"withings"},"read":{"read_at":"2026-10-20T08:00:00Z"},\
      "days":[{"metric":"weight","local_date":"2026-10-01","outcome":"value","value":80}]}

      """
    try await dailymetricd("enqueue", "-", "--as-of", Self.now, stdin: own)
    try await dailymetricd("drain", "--as-of", Self.now)
    #expect(try await dailymetricd.value("SELECT value FROM daily_metric") == "80")
  }

  @Test(arguments: [
    ("user_id,local_date,stepz\n", "no metric is called stepz"), ("user_id,steps\n", "must have user_id, local_date"),
    ("", "must have user_id"), ("user_id,local_date,steps\nx,2026-10-01,1\n", "line 2 names no user_id"),
    ("user_id,local_date,steps\n\(person),2026-02-30,1\n", "line 2 has no local_date"),
    ("user_id,local_date,steps\n\(person),2026-02-03,NaN\n", "line 2 has a value that is no number"),
    ("user_id,local_date,steps\n\(person),2026-02-03\n", "line 2 has 2 cells, not 3"),
    ("user_id,local_date,steps\n\(person),2026-02-03 22:00:00+00,1\n", "line 2 has no local_date"),
    ("user_id,local_date,steps\n\(person),2026-02-031,1\n", "line 2 has no local_date"),
    ("user_id,local_date,steps,steps\n\(person),2026-02-03,1,2\n", "two columns of the head line have one name"),
  ])
  func `a table that cannot be read says in which line`(_ table: String, _ message: String) async throws {
    let dailymetricd = try await Program.prepared()
    let result = try await dailymetricd("import-legacy", "-", "--platform", "fitbit", stdin: table)
    #expect(result.status == 65)
    #expect(result.stderr.contains(message), "\(result.stderr)")
    #expect(try await dailymetricd("import-legacy", "-", stdin: table).status == 64)
  }

  @Test func `a table without a head line is refused, and none of its numbers is repeated`() async throws {
    let dailymetricd = try await Program.prepared()
    let table = "\(Self.person),2026-10-01,8123,71.5\n"
    let result = try await dailymetricd("import-legacy", "-", "--platform", "fitbit", stdin: table)
    #expect(result.status == 65)
    #expect(result.stderr.contains("what the first line has are no names"), "\(result.stderr)")
    for word in [Self.person, "8123", "71.5"] { #expect(!result.stderr.contains(word), "\(result.stderr)") }
  }

  @Test func `a corrected table speaks louder than the one before, whatever its numbers`() async throws {
    let dailymetricd = try await Program.prepared()
    // The mark of UTF-8, and a time of midnight, as other programs write them.
    let head = "\u{FEFF}user_id,local_date,steps\r\n"
    for (minute, steps) in [5_000, 4_000, 6_000, 5_500, 5_000].enumerated() {
      let now = "2026-11-29T08:0\(minute):00Z"
      let table = head + "\(Self.person),2026-10-01 00:00:00+00,\(steps)\r\n"
      let report = try await dailymetricd("import-legacy", "-", "--platform", "fitbit", "--as-of", now, stdin: table)
      #expect(report.status == 0, "\(report.stderr)")
      try await dailymetricd("drain", "--as-of", now)
      #expect(try await dailymetricd.value("SELECT value FROM daily_metric") == "\(steps)")
    }
  }
}
