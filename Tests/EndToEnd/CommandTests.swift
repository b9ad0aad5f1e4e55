import Foundation
import TestSupport
import Testing

@Suite struct CommandTests {
  private let commands = [
    "run", "migrate", "enqueue", "drain", "recheck", "status", "pause", "resume", "payload", "dead list", "dead show",
    "dead retry", "dead drop", "validate", "convert", "formats", "import-legacy", "chart", "report", "manual",
    "version",
  ]
  private let nowhere = ["PGHOST": "/nowhere"]

  @Test func `each command has a page with options, exit codes and examples, for eighty columns`() async throws {
    let program = try BuiltProducts.path("dailymetricd")
    let overview = try await run(program, ["--help"])
    #expect(overview.status == 0)
    for command in commands {
      #expect(overview.stdout.contains("\n  \(command) "))
      let page = try await run(program, command.split(separator: " ").map(String.init) + ["--help"])
      #expect(page.status == 0)
      #expect(page.stdout.hasPrefix("usage: dailymetricd \(command)"))
      for section in ["\nOptions\n", "\nExit codes\n", "\nExamples\n"] { #expect(page.stdout.contains(section)) }
      let wide = page.stdout.split(separator: "\n").map(String.init).filter { $0.count > 80 }
      #expect(wide == [], "\(command)")
    }
  }

  @Test func `a wrong command line says what is wrong, how it goes, and ends with 64`() async throws {
    let program = try BuiltProducts.path("dailymetricd")
    let unknown = try await run(program, ["mirgate"])
    #expect(unknown.status == 64)
    #expect(unknown.stderr.contains("did you mean migrate?"))
    #expect(try await run(program, ["drian"]).stderr.contains("did you mean drain?"))
    #expect(try await run(program, ["dead", "lits"]).stderr.contains("did you mean dead list?"))
    let half = try await run(program, ["dead"])
    #expect(half.status == 64)
    #expect(half.stderr.contains("there are dead list, dead show, dead retry, dead drop, dead export."))
    #expect(try await run(program, ["dead", "drop", "7"], environment: nowhere).stderr.contains("add --yes"))
    #expect(try await run(program, ["dead", "retry"], environment: nowhere).status == 64)
    #expect(try await run(program, ["dead", "show", "seven"], environment: nowhere).status == 64)
    let flag = try await run(program, ["drain", "--asof", "x"])
    #expect(flag.status == 64)
    #expect(flag.stderr.contains("did you mean --as-of?"))
    #expect(try await run(program, []).status == 64)
    #expect(try await run(program, ["enqueue"]).stderr.contains("FILE is missing"))
    #expect(try await run(program, ["payload", "x", "y"]).status == 64)
    let environment = try await run(program, ["run"], environment: ["DAILYMETRICD_WORKERS": "all"])
    #expect(environment.status == 78)
    #expect(environment.stderr.contains("DAILYMETRICD_WORKERS is \"all\""))
  }

  @Test func `version needs no database and names the schema`() async throws {
    let program = try BuiltProducts.path("dailymetricd")
    let text = try await run(program, ["version"], environment: nowhere)
    #expect(text.status == 0)
    #expect(text.stdout.wholeMatch(of: #/dailymetricd \d+\.\d+\.\d+, schema \d{4}_\w+\n/#) != nil)
    let json = try await run(program, ["version", "--json"], environment: nowhere)
    #expect(json.stdout.wholeMatch(of: #/\{"schema":"\d{4}_\w+","version":"\d+\.\d+\.\d+"\}\n/#) != nil)
  }

  @Test(arguments: [
    ["status"], ["migrate"], ["drain"], ["pause"], ["resume"], ["dead", "list"], ["dead", "retry", "1"], ["recheck"],
    ["rebuild"], ["enqueue", "-"], ["payload", Sample.id(1), Sample.id(2)],
  ])
  func `a database that is not there is code 69, with libpq's reason`(_ arguments: [String]) async throws {
    let result = try await run(BuiltProducts.path("dailymetricd"), arguments, environment: nowhere)
    #expect(result.status == 69)
    #expect(result.stderr.contains("/nowhere"))
  }

  @Test(arguments: [["run"], ["drain"], ["status"]])
  func `a connection string that cannot be read is code 78, and nobody waits for it`(_ arguments: [String]) async throws
  {
    let result = try await run(BuiltProducts.path("dailymetricd"), arguments + ["--dsn", "postgresql://["])
    #expect(result.status == 78)
    #expect(result.stderr.contains("connection string"))
  }

  @Test func `a line that cannot be kept as it is ends the command, and those before it are in the queue`() async throws
  {
    let program = try await Program.prepared()
    let good = Array(Sample.payload(user: 1, number: 1, steps: ["8000"]).utf8)
    let directory = try temporaryDirectory()
    for bad: [UInt8] in [[0xFF], [0x00], [0xED, 0xA0, 0x80]] {
      let file = directory.appending(path: "payloads.ndjson")
      try Data(good + [0x0A] + good.dropLast() + bad + [0x7D, 0x0A] + good).write(to: file)
      let result = try await program("enqueue", file.path)
      #expect(result.status == 65)
      #expect(
        result.stderr.contains("line 2 is not UTF-8, or holds a NUL")
          && result.stderr.contains("(1 payload before it enqueued)"))
    }
    #expect(try await program.value(Sample.queueDepth) == "3")
  }

  @Test func `payloads go in, and what became of each comes out`() async throws {
    let program = try await Program.prepared()
    let good = Sample.payload(user: 1, number: 1, steps: ["8000", "900000", "10"])
    let other = good.replacing("\"garmin\"", with: "\"pebble\"").replacing(
      "8000-000000000001\",\"user", with: "8000-000000000002\",\"user")
    let queued = try await program(
      "enqueue", "-", "--as-of", "2026-03-01T07:05:00Z", stdin: "\(good)\n\n   \n\(good)\r\n\(other)\nnonsense")
    #expect(queued.status == 0)
    #expect(queued.stdout == "4 payloads enqueued\n")
    #expect(queued.stderr == "dailymetricd: line 6: no user_id can be read; enqueued under the nil UUID\n")
    let waiting = try await program("payload", Sample.id(1), Sample.id(1))
    #expect(waiting.stdout.hasPrefix("waits in the queue since 2026-03-01T07:05:00Z\n"))

    let drained = try await program("drain", "--as-of", "2026-03-01T08:00:00Z")
    #expect(drained.status == 0)
    #expect(
      drained.stdout.hasPrefix("4 payloads (1 repeated, 2 to dead letters), 3 cells written, 1 entry quarantined"))
    let merged = try await program("payload", Sample.id(1), Sample.id(1))
    #expect(merged.status == 0)
    #expect(merged.stdout.contains("merged at 2026-03-01T08:00:00Z"))
    #expect(merged.stdout.contains("repeated 1 time"))
    #expect(merged.stdout.contains("  /days/1/value: out_of_range\n"))
    let json = try await program("payload", Sample.id(1), Sample.id(1), "--json")
    #expect(json.stdout.contains(#""quarantine":[{"code":"out_of_range","pointer":"/days/1/value"}]"#))
    #expect(try await program("payload", Sample.id(1), Sample.id(2)).stdout.contains(": unknown_platform\n"))
    #expect(try await program("payload", Sample.id(1), Sample.id(99)).status == 1)
    let codes = "SELECT string_agg(code, ' ' ORDER BY code) FROM intake.dead_letter"
    #expect(try await program.value(codes) == "not_json unknown_platform")
  }

  @Test func `one document over many lines is one payload, and what is neither one nor many is refused`() async throws {
    let program = try await Program.prepared()
    let payload = Sample.payload(user: 1, number: 1, steps: ["8000"])
    let document = payload.replacing(",", with: ",\n  ").replacing("{", with: "{\n")
    let queued = try await program("enqueue", "-", stdin: "\n\(document)\n")
    #expect(queued.stdout == "1 payload enqueued\n")
    #expect(queued.stderr == "")
    #expect(try await program.value("SELECT user_id FROM intake.sync_payload") == Sample.id(1))
    #expect(try await program("drain").stdout.hasPrefix("1 payload (0 repeated, 0 to dead letters)"))
    for text in ["\(document)\n\(document)", String(document.dropLast(2))] {
      let refused = try await program("enqueue", "-", stdin: text)
      #expect(refused.status == 65)
      #expect(refused.stderr.contains("standard input is neither one JSON object nor one payload on each line"))
    }
    #expect(try await program.value(Sample.queueDepth) == "0")
    let cut = try await program("enqueue", "-", stdin: "\(payload.dropLast(3))\n\(payload)\n")
    #expect(cut.stdout == "2 payloads enqueued\n", "one broken payload does not stop the others")
    #expect(cut.stderr == "", "its user was read before it broke")
    try await program("drain")
    #expect(try await program.value("SELECT payload_id FROM intake.dead_letter") == Sample.id(1))
    #expect(try await program("payload", Sample.id(1), Sample.id(1)).stdout.contains(": not_json\n"))
  }

  @Test func `no health value reaches the log, however much is logged and whatever goes wrong`() async throws {
    let program = try await Program.prepared()
    let values = ["31337", "99999999", "-31337", "\"31337\"", "null"]
    let payload = Sample.payload(user: 1, number: 1, steps: values)
    try await program("enqueue", "-", stdin: payload + "\n" + payload.replacing("]}", with: "]") + "\n")
    let drained = try await program("drain", "--log-level", "debug")
    #expect(drained.status == 0)
    #expect(drained.stderr.contains("event=\"finished a batch\""))
    let report = try await program("payload", Sample.id(1), Sample.id(1))
    for text in [drained.stdout, drained.stderr, report.stdout] {
      #expect(!text.contains("31337"))
      #expect(!text.contains("9999"))
    }
  }

  @Test func `validate prints every error with its place, and needs no database`() async throws {
    let folder = try temporaryDirectory()
    defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) } }
    let good = Sample.payload(user: 1, number: 1, steps: ["1", "2"])
    let bad = Sample.payload(user: 1, number: 1, steps: ["900000", "\"2\""])
    let file = folder.appending(path: "payloads.ndjson").path
    try "\(good)\n\(bad)\n{\n".write(toFile: file, atomically: true, encoding: .utf8)
    let program = try BuiltProducts.path("dailymetricd")
    let result = try await run(program, ["validate", file], environment: nowhere)
    #expect(result.status == 65)
    let lines = result.stdout.split(separator: "\n").map { $0.replacing(file, with: "F") }
    try #require(lines.count == 4)
    #expect(lines[0].hasPrefix("F:2: byte ") && lines[0].hasSuffix(": /days/0/value: out_of_range (quarantine)"))
    #expect(lines[1].hasPrefix("F:2: byte ") && lines[1].hasSuffix(": /days/1/value: not_a_number (quarantine)"))
    #expect(lines[2].hasPrefix("F:3: byte ") && lines[2].hasSuffix(": the whole text: not_json (dead_letter)"))
    #expect(lines[3] == "3 payloads, 3 errors")

    let document = folder.appending(path: "day.json").path
    try good.replacing(",", with: ",\n").write(toFile: document, atomically: true, encoding: .utf8)
    let fine = try await run(program, ["validate", document])
    #expect(fine.status == 0)
    #expect(fine.stdout == "1 payload, 0 errors\n")
    #expect(try await run(program, ["validate", "/nowhere/day.json"]).status == 66)
  }

  @Test func `status judges the queue, the dead letters and the schema`() async throws {
    let program = try await Program.prepared()
    let fresh = try await program("status")
    #expect(fresh.status == 0)
    #expect(fresh.stdout.hasPrefix("healthy\n"))
    let payload = Sample.payload(user: 1, number: 1, steps: ["1"])
    try await program("enqueue", "-", "--as-of", "2026-03-01T07:00:00Z", stdin: payload)
    #expect(try await program("status", "--as-of", "2026-03-01T07:15:00Z").status == 0)
    let late = try await program("status", "--as-of", "2026-03-01T07:15:01Z")
    #expect(late.status == 1)
    #expect(late.stdout.contains("the oldest payload waits for 901 s"))
    #expect(try await program("status", "--as-of", "2026-03-01T07:20:00Z", "--oldest-age", "1200").status == 0)
    try await program("enqueue", "-", stdin: "nonsense\n")
    try await program("drain")
    #expect(try await program("status").status == 0, "one of two is no trend")
    let many = (1...19).map { Sample.payload(user: $0, number: 100 + $0, steps: ["1"]) }.joined(separator: "\n")
    try await program("enqueue", "-", stdin: many + "\nnonsense\n")
    try await program("drain")
    let dead = try await program("status", "--json")
    #expect(dead.status == 1)
    #expect(dead.stdout.contains(#""dead_letters":{"not_json":2}"#))
    #expect(try await program("status", "--dead-letter-share", "50").status == 0)
    try await program.database.psql("ALTER TABLE daily_metric DROP CONSTRAINT \"\(program.someConstraint())\"")
    let altered = try await program("status")
    #expect(altered.status == 1)
    #expect(altered.stdout.contains("altered by hand"))
  }
}
