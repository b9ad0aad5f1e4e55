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

  /// The first day twice with one number, the second with two numbers, the third with a number and NULL, the fourth with a
  /// zero and a number.
  private static let doubled = """
    user_id,local_date,source,steps,weight
    \(person),2026-10-01,,8123,
    \(person),2026-10-01,clip,8123.0,80
    \(person),2026-10-02,clip,31337,
    \(person),2026-10-02,phone,4000,
    \(person),2026-10-03,clip,,
    \(person),2026-10-03,clip,500,
    \(person),2026-10-04,clip,0,
    \(person),2026-10-04,clip,700,

    """
  private static let steps = """
    SELECT coalesce(value::text, unknown_reason || coalesce('/' || unknown_detail, '')) FROM daily_metric WHERE metric = 'steps' ORDER BY local_date
    """

  @Test func `of different numbers for one cell none is taken, and the report says where they stand`() async throws {
    let dailymetricd = try await Program.prepared()
    let file = try temporaryDirectory().appending(path: "doubts.csv").path
    let report = try await dailymetricd(
      "import-legacy", "-", "--platform", "fitbit", "--as-of", Self.now, "--doubts", file, stdin: Self.doubled)
    #expect(report.status == 0, "\(report.stderr)")
    for line in [
      "steps: numbers that stand in several rows, taken once: 1",
      "steps: cells with different numbers in several rows, none of them taken: 2", "steps: NULL: 1",
    ] { #expect(report.stdout.contains("  \(line)"), "\(report.stdout)") }
    // The zero beside a number is no doubt of its own.
    #expect(!report.stdout.contains("zeros"), "\(report.stdout)")
    let doubts = try String(contentsOfFile: file, encoding: .utf8)
    #expect(doubts.hasPrefix("user_id,local_date,metric,doubt,lines\n"))
    for line in [
      "2026-10-01,steps,same_twice,2 3", "2026-10-02,steps,conflict,4 5", "2026-10-03,steps,null,6",
      "2026-10-04,steps,conflict,8 9",
    ] { #expect(doubts.contains("\(Self.person),\(line)\n"), "\(doubts)") }
    for text in [report.stdout, doubts] { #expect(!text.contains("31337") && !text.contains("8123")) }
    try await dailymetricd("drain", "--as-of", Self.now)
    #expect(
      try await dailymetricd.value(Self.steps).split(separator: "\n") == [
        "8123", "invalid_reading/conflicting_rows", "500", "invalid_reading/conflicting_rows",
      ])
    // The operator has found out which one it is: the later import counts.
    let later = "2026-11-29T09:00:00Z"
    try await dailymetricd(
      "import-legacy", "-", "--platform", "fitbit", "--as-of", later, "--duplicates", "last", stdin: Self.doubled)
    try await dailymetricd("drain", "--as-of", later)
    #expect(try await dailymetricd.value(Self.steps).split(separator: "\n") == ["8123", "4000", "500", "700"])
    // No doubt takes away what is known.
    let latest = "2026-11-29T10:00:00Z"
    try await dailymetricd("import-legacy", "-", "--platform", "fitbit", "--as-of", latest, stdin: Self.doubled)
    try await dailymetricd("drain", "--as-of", latest)
    #expect(try await dailymetricd.value(Self.steps).split(separator: "\n") == ["8123", "4000", "500", "700"])
  }

  @Test(arguments: [("first", ["8123", "31337", "500"]), ("last", ["8123", "4000", "500", "700"])])
  func `the operator can say which of different numbers counts`(_ which: String, _ steps: [String]) async throws {
    let dailymetricd = try await Program.prepared()
    let report = try await dailymetricd(
      "import-legacy", "-", "--platform", "fitbit", "--as-of", Self.now, "--duplicates", which, stdin: Self.doubled)
    let line = "  steps: cells with different numbers in several rows, the \(which) of them taken: 2"
    #expect(report.stdout.contains(line), "\(report.stdout)")
    // What is taken is judged like any other: the first of the fourth day is a zero.
    #expect(report.stdout.contains("zeros that may have been no data: 1") == (which == "first"))
    try await dailymetricd("drain", "--as-of", Self.now)
    let cells = try await dailymetricd.value(Self.steps).split(separator: "\n").map(String.init)
    #expect(Array(cells.prefix(steps.count)) == steps)
    #expect(cells.count == 4)
  }

  @Test func `a name with a comma stays one cell of the list of doubts`() async throws {
    let dailymetricd = try await Program.prepared()
    let file = try temporaryDirectory().appending(path: "doubts.csv").path
    let table = "user_id,metric,local_date,value\n\(Self.person),\"steps, \"\"all\"\"\",2026-10-01,\n"
    try await dailymetricd("import-legacy", "-", "--platform", "fitbit", "--doubts", file, stdin: table)
    let doubts = try String(contentsOfFile: file, encoding: .utf8)
    #expect(doubts.hasSuffix("\(Self.person),2026-10-01,\"steps, \"\"all\"\"\",null,2\n"), "\(doubts)")
  }

  @Test func `rows of a user that are not in order are found together, and those of users that are not are refused`()
    async throws
  {
    let dailymetricd = try await Program.prepared()
    let other = Self.person.replacing("1", with: "2")
    // As a long table is that is sorted by metric.
    let long = ["2026-10-01,1", "2026-11-01,2", "2026-10-01,3"].map { "\(Self.person),steps,\($0)\n" }.joined()
    let head = "user_id,metric,local_date,value\n"
    let report = try await dailymetricd("import-legacy", "-", "--platform", "fitbit", stdin: head + long)
    #expect(report.stdout.contains("3 cells read, 2 payloads enqueued"), "\(report.stdout)")
    #expect(report.stdout.contains("none of them taken: 1"), "\(report.stdout)")
    let torn =
      head + "\(Self.person),steps,2026-10-01,1\n\(other),steps,2026-10-01,1\n\(Self.person),steps,2026-10-01,2\n"
    let result = try await dailymetricd("import-legacy", "-", "--platform", "fitbit", stdin: torn)
    #expect(result.status == 65)
    #expect(result.stderr.contains("line 4 is of a user whose rows ended before; sort by user_id"), "\(result.stderr)")
  }
}
