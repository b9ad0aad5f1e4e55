import TestSupport
import Testing

/// The running program refuses what is over a limit with the code for it, and takes what is just within.
@Suite struct LimitTests {
  /// A payload at a limit, and one step over it.
  struct Limit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let within: String
    let over: String
    /// Code and pointer of the dead letter, or of the quarantined entry.
    let refusal: String
  }

  private static func payload(_ number: Int, value: String = "5", _ block: String = "") -> String {
    Sample.payload(user: 1, number: number, steps: [value]).dropLast() + block + "}"
  }

  /// With white space behind it.
  private static func long(_ number: Int, bytes: Int) -> String {
    let text = payload(number)
    return text + String(repeating: " ", count: bytes - text.utf8.count)
  }

  private static func deep(_ number: Int, levels: Int) -> String {
    payload(number, ",\"x\":" + String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1))
  }

  /// The sample's day and time zone are entries too.
  private static func many(_ number: Int, entries: Int) -> String {
    let names = [String](repeating: "\"steps\"", count: entries - 2)
    return payload(number, ",\"readable\":[\(names.joined(separator: ","))]")
  }

  private static func precise(_ number: Int, digits: Int) -> String {
    payload(number, value: "5." + String(repeating: "1", count: digits - 1))
  }

  private static func paged(_ number: Int, digits: Int) -> String {
    let page = "1" + String(repeating: "0", count: digits - 1)
    return payload(number).replacing("\"read\":{", with: "\"read\":{\"page\":\(page),")
  }

  private static let standard = [
    Limit(testDescription: "depth", within: deep(1, levels: 32), over: deep(2, levels: 33), refusal: "too_large"),
    Limit(
      testDescription: "entries", within: many(1, entries: 200_000), over: many(2, entries: 200_001),
      refusal: "too_large"),
    Limit(
      testDescription: "digits of a value", within: precise(1, digits: 40), over: precise(2, digits: 41),
      refusal: "not_a_number /days/0/value"),
    Limit(
      testDescription: "digits of the envelope", within: payload(1), over: paged(2, digits: 41),
      refusal: "too_large /read/page"),
  ]

  private static let refusals = """
    SELECT string_agg(rtrim(code || ' ' || pointer), ', ') FROM (
      SELECT code, pointer FROM intake.dead_letter UNION ALL SELECT code, pointer FROM intake.quarantined_entry) r
    """

  @Test(arguments: standard)
  func `what is within a limit is merged, and what is over it is refused by its code`(_ limit: Limit) async throws {
    let program = try await Program.prepared()
    try await program("enqueue", "-", stdin: limit.within + "\n")
    #expect(try await program("drain").status == 0)
    #expect(try await program.value(Self.refusals) == "")
    #expect(try await program.value("SELECT count(*) FROM daily_metric WHERE status = 'measured'") == "1")
    try await program("enqueue", "-", stdin: limit.over + "\n")
    #expect(try await program("drain").status == 0)
    #expect(try await program.value(Self.refusals) == limit.refusal)
    let verdict = try await program("validate", "-", stdin: limit.over)
    let code = limit.refusal.split(separator: " ")[0]
    #expect(verdict.status == 65 && verdict.stdout.contains(code), "\(verdict)")
  }

  private static let moved = [
    (["--max-bytes", "600"], long(2, bytes: 601), "too_large"),
    (["--max-depth", "4"], deep(2, levels: 5), "too_large"),
    (["--max-entries", "3"], many(2, entries: 4), "too_large"),
    (["--max-digits", "4"], payload(2, value: "12345"), "not_a_number /days/0/value"),
    // Each day of each metric that was looked at is an entry, though the text is short.
    (
      ["--max-entries", "30"], payload(2, #","looked":[{"from":"2026-01-01","to":"2026-01-31","metric":"steps"}]"#),
      "too_large /looked"
    ),
  ]

  @Test(arguments: moved)
  func `each limit can be moved`(_ arguments: [String], _ text: String, _ refusal: String) async throws {
    let program = try await Program.prepared()
    try await program("enqueue", "-", stdin: text + "\n")
    #expect(try await program.call("drain", arguments).status == 0)
    #expect(try await program.value(Self.refusals) == refusal)
    try await program("dead", "retry", "--code", "too_large")
    try await program("quarantine", "retry", "--code", "not_a_number")
    #expect(try await program("drain").status == 0)
    #expect(try await program.value(Self.refusals) == "", "it is within the usual limit")
  }

  /// Made by the server, because reading so much is slow in a program that is built for debugging.
  private static func enqueuing(_ number: Int, bytes: Int) -> String {
    let text = payload(number)
    return "SELECT enqueue_sync_payload('\(Sample.id(1))', '\(text)' || repeat(' ', \(bytes - text.utf8.count)))"
  }

  @Test func `a payload may have 32 MiB, and the queue takes 64 of them, to be refused with their reason`() async throws
  {
    let program = try await Program.prepared()
    for (number, bytes) in [(1, 33_554_432), (2, 33_554_433), (3, 67_108_864)] {
      try await program.database.psql(Self.enqueuing(number, bytes: bytes))
    }
    let refused = await #expect(throws: (any Error).self) {
      try await program.database.psql(Self.enqueuing(4, bytes: 67_108_865))
    }
    let words = "\(refused.map { "\($0)" } ?? "")"
    #expect(
      words.contains("the payload has 67108865 bytes, and the queue takes 67108864; send it in parts"), "\(words)")
    #expect(try await program("drain").status == 0)
    #expect(try await program.value(Self.refusals) == "too_large, too_large")
    #expect(try await program.value(Program.merged) == "1")
    #expect(try await program.value("SELECT max(octet_length(payload)) FROM intake.dead_letter") == "67108864")
  }
}
