import Foundation
import TestSupport
import Testing

/// Entries that were refused come back once what was wrong is mended, and change what they would have changed then.
@Suite struct QuarantineTests {
  /// A step count that no day has, a metric that there is not, and a resting energy of 0, which makes the zero beside it unbelievable.
  private func payload(_ number: Int) -> String {
    Sample.payload(user: 1, number: number, steps: ["31337000"]).replacing(
      #""days":["#,
      with: #"""
        "days":[{"metric":"moon_walks","local_date":"2026-02-01","outcome":"value","value":7},\#
        {"metric":"basal_energy","local_date":"2026-02-02","outcome":"value","value":0,"sources":["watch"]},\#
        {"metric":"active_energy","local_date":"2026-02-02","outcome":"value","value":0,"sources":["watch"]},
        """#)
  }

  private func days(_ program: Program) async throws -> String {
    try await program.value(
      """
      SELECT string_agg(concat_ws(' ', metric, local_date, value, unknown_reason), ', ' ORDER BY metric, local_date)
      FROM daily_metric WHERE local_date <= '2026-02-02'
      """)
  }

  @Test func `quarantined entries are listed, shown, retried after a fix as often as one likes, and dropped`()
    async throws
  {
    let program = try await Program.prepared()
    try await program("enqueue", "-", stdin: payload(1))
    try await program("drain")
    let list = try await program("quarantine", "list")
    #expect(list.status == 0 && list.stdout.hasSuffix("\n4 quarantined entries\n"))
    let some = try await program("quarantine", "list", "--code", "out_of_range", "--platform", "garmin", "--json")
    #expect(some.stdout.contains(#""count":1"#) && some.stdout.contains(#""pointer":"/days/3/value""#))
    for filter in [["--platform", "fitbit"], ["--user", Sample.id(2)], ["--until", "2026-01-01T00:00:00Z"]] {
      #expect(try await program.call("quarantine", ["list"] + filter).stdout == "0 quarantined entries\n")
    }
    let shown = try await program("quarantine", "show", Sample.id(1), "--payload")
    #expect(shown.stdout.contains(#""value":31337000"#))
    for text in [list.stdout, some.stdout] { #expect(!text.contains("31337")) }
    #expect(try await program("quarantine", "export").stdout.split(separator: "\n").count == 4)
    #expect(try await program("quarantine", "show", Sample.id(9)).status == 1)
    #expect(try await program("quarantine", "retry").status == 64)

    try await program.database.psql("UPDATE metric SET high = 40000000 WHERE metric = 'steps'")
    // By one of them all of the payload: the zero stays beside what makes it unbelievable.
    let retried = try await program("quarantine", "retry", "--code", "out_of_range")
    #expect(retried.status == 0 && retried.stdout == "4 entries of 1 payload back in the queue\n")
    try await program("drain")
    let mended = try await days(program)
    #expect(mended.contains("steps 2026-02-01 31337000") && mended.contains("active_energy 2026-02-02 invalid_reading"))
    #expect(try await program("quarantine", "list").stdout.hasSuffix("\n3 quarantined entries\n"))
    // Again and again, and the first payload once more: nothing else comes of it.
    for _ in 1...2 {
      try await program("quarantine", "retry", "--platform", "garmin")
      try await program("enqueue", "-", stdin: payload(1))
      try await program("drain")
    }
    #expect(try await days(program) == mended)
    #expect(try await program.value("SELECT count(*) FROM intake.quarantined_entry") == "3")
    #expect(try await program.value("SELECT count(*) FROM daily_metric_history WHERE value = 31337000") == "0")

    #expect(try await program("quarantine", "drop", "--code", "unknown_metric").status == 64)
    let dropped = try await program("quarantine", "drop", "--code", "unknown_metric", "--yes")
    #expect(dropped.stdout == "3 entries of 1 payload deleted\n")
    let gone = try await program("quarantine", "retry", Sample.id(1))
    #expect(gone.status == 1 && gone.stderr.contains("nothing was put back of \(Sample.id(1))"))
  }

  @Test func `dead letters are chosen by code, platform and time, and exported with and without their payloads`()
    async throws
  {
    let program = try await Program.prepared()
    let (old, new) = (
      Sample.payload(user: 1, number: 1, steps: ["31337"]).replacing("garmin", with: "pebble"),
      Sample.payload(user: 2, number: 2, steps: ["5"]).replacing("garmin", with: "jawbone")
    )
    try await program("enqueue", "-", stdin: old)
    try await program("drain", "--as-of", "2026-03-01T07:00:00Z")
    try await program("enqueue", "-", stdin: "\(new)\nnonsense\n")
    try await program("drain", "--as-of", "2026-03-02T07:00:00Z")
    let noon = "2026-03-01T12:00:00Z"
    for (filter, count) in [
      (["--platform", "pebble"], 1), (["--platform", "garmin"], 0), (["--since", noon], 2), (["--until", noon], 1),
      (["--code", "unknown_platform"], 2), (["--code", "unknown_platform", "--since", noon], 1),
    ] {
      let found = try await program.call("dead", ["list"] + filter)
      #expect(found.stdout.hasSuffix("\(count) dead letter\(count == 1 ? "" : "s")\n"), "\(filter): \(found.stdout)")
    }
    let all = try await program("dead", "export").stdout.split(separator: "\n")
    #expect(all.count == 3 && all[0].contains(#""platform":"pebble""#) && !all[0].contains("31337"))
    let whole = try await program("dead", "export", "--platform", "pebble", "--payload").stdout
    let line = try #require(try JSONSerialization.jsonObject(with: Data(whole.utf8)) as? [String: Any])
    #expect(line["payload"] as? String == old)
    #expect(try await program("dead", "export", "999").status == 1)
    #expect(try await program("dead", "export", "1", "--code", "not_json").status == 64)

    #expect(try await program("dead", "drop").status == 64)
    let unsure = try await program("dead", "drop", "--since", noon, "--code", "not_json")
    #expect(unsure.status == 64 && unsure.stderr.contains("delete 1 payload"))
    let dropped = try await program("dead", "drop", "--since", noon, "--code", "not_json", "--yes")
    #expect(dropped.stdout == "1 payload deleted\n")
    try await program.database.psql(
      "INSERT INTO platform (platform, name, hides_denial, is_manual, as_shipped) VALUES ('jawbone', 'J', false, false, 'x')"
    )
    #expect(try await program("dead", "retry", "--platform", "jawbone").stdout == "1 payload back in the queue\n")
    try await program("drain")
    #expect(try await program.value("SELECT count(*) FROM daily_metric WHERE value = 5") == "1")
    #expect(try await program("dead", "list").stdout.hasSuffix("1 dead letter\n"))
    let alert = try await program.value("SELECT string_agg(message, ',') FROM refusal_alert")
    #expect(alert.hasPrefix("1 dead letter waits with unknown_platform of pebble since 2026-03-01 07:00 UTC;"))
  }
}
