import TestSupport
import Testing

@Suite struct DeadLetterTests {
  @Test func `dead letters are listed, shown, retried and dropped`() async throws {
    let program = try await Program.prepared()
    let stranger = Sample.payload(user: 1, number: 1, steps: ["31337"]).replacing("garmin", with: "pebble")
    try await program("enqueue", "-", "--as-of", "2026-03-01T07:00:00Z", stdin: "\(stranger)\nnonsense\n[]\n")
    try await program("drain")
    let all = try await program("dead", "list")
    #expect(all.status == 0)
    #expect(all.stdout.hasSuffix("\n3 dead letters\n"))
    let id = try await program.value("SELECT id FROM intake.dead_letter WHERE code = 'unknown_platform'")
    let some = try await program("dead", "list", "--user", Sample.id(1))
    #expect(some.stdout.hasPrefix("\(id)  2"))
    #expect(some.stdout.contains("  unknown_platform  \(Sample.id(1))  /origin/platform, byte "))
    #expect(
      try await program("dead", "list", "--limit", "1").stdout.hasSuffix("3 dead letters; the newest 1 are shown\n"))
    let json = try await program("dead", "list", "--code", "not_json", "--json")
    #expect(json.stdout.contains(#""code":"not_json""#) && json.stdout.contains(#""count":1"#))

    let shown = try await program("dead", "show", id)
    #expect(shown.stdout.contains("first arrived  2026-03-01T07:00:00Z"))
    #expect(shown.stdout.contains("payload        \(Sample.id(1)); "))
    #expect(try await program("dead", "show", id, "--payload").stdout == stranger + "\n")
    #expect(try await program("dead", "show", "99").status == 1)
    for text in [all.stdout, json.stdout, shown.stdout] { #expect(!text.contains("31337")) }

    try await program.database.psql(
      "INSERT INTO platform (platform, name, hides_denial, is_manual, as_shipped) VALUES ('pebble', 'Pebble', false, false, 'x')"
    )
    let retried = try await program("dead", "retry", "--code", "unknown_platform")
    #expect(retried.stdout == "1 payload back in the queue\n")
    try await program("drain")
    #expect(try await program.value("SELECT count(*) FROM daily_metric WHERE status = 'measured'") == "1")

    let missing = try await program("dead", "retry", id)
    #expect(missing.status == 1)
    #expect(missing.stderr.contains("there is no dead letter \(id)"))
    let rest = try await program.value("SELECT string_agg(id::text, ',') FROM intake.dead_letter").split(separator: ",")
    try #require(rest.count == 2)
    #expect(try await program("dead", "drop", String(rest[0]), String(rest[1])).status == 64)
    #expect(try await program.value("SELECT count(*) FROM intake.dead_letter") == "2")
    let dropped = try await program("dead", "drop", String(rest[0]), String(rest[1]), "--yes")
    #expect(dropped.stdout == "2 payloads deleted\n")
    #expect(try await program("dead", "list").stdout == "0 dead letters\n")
  }

  @Test func `a delivery is found by the platform for which its format stands`() async throws {
    let program = try await Program.prepared()
    // Both die: an answer without a body, and one whose body names another platform than the one that it is of.
    let answer = #""user_id":"\#(Sample.id(1))","read_at":"2026-03-01T07:00:00Z""#
    let oura = #"{"format":"oura",\#(answer)}"#
    let google =
      #"{"body":{"dataPoints":[{"dataSource":{"platform":"FITBIT"}}]},"format":"google_health",\#(answer),"from":"x"}"#
    try await program("enqueue", "-", stdin: "\(oura)\n\(google)\n")
    #expect(try await program("drain").stdout.contains("2 to dead letters"))
    let list = try await program("dead", "list", "--platform", "oura", "--json").stdout
    #expect(list.contains(#""format":"oura""#) && list.contains(#""platform":"oura""#) && list.contains(#""count":1"#))
    #expect(try await program("dead", "list", "--platform", "FITBIT").stdout == "0 dead letters\n")
    let id = try await program.value("SELECT id FROM intake.dead_letter WHERE format = 'oura'")
    let shown = try await program("dead", "show", id).stdout
    #expect(shown.contains("format         oura\nplatform       oura\n"), "\(shown)")
    let export = try await program("dead", "export", "--platform", "google_health").stdout
    #expect(export.contains(#""format":"google_health""#) && !export.contains("oura"))
    let retried = try await program("dead", "retry", "--platform", "oura")
    #expect(retried.stdout == "1 payload back in the queue\n")
    let dropped = try await program("dead", "drop", "--platform", "google_health", "--yes")
    #expect(dropped.stdout == "1 payload deleted\n")
    #expect(try await program.value("SELECT count(*) FROM intake.dead_letter") == "0")
  }

  @Test func `what is set aside of a delivery is found by its platform too`() async throws {
    let program = try await Program.prepared()
    let delivery =
      #"{"format":"oura","user_id":"\#(Sample.id(1))","read_at":"2026-03-01T07:00:00Z","resource":"daily_activity","#
      + #""body":{"data":[{"id":"a","day":"2026-02-27","steps":"many"}],"next_token":null}}"#
    try await program("enqueue", "-", stdin: delivery + "\n")
    try await program("drain")
    #expect(try await program.value("SELECT count(*) > 0 FROM intake.quarantined_entry") == "t")
    let list = try await program("quarantine", "list", "--platform", "oura").stdout
    #expect(list.contains("  oura  \(Sample.id(1))"), "\(list)")
  }
}
