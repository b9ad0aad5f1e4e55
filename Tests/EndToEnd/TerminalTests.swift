import Foundation
import HealthPayload
import TestSupport
import Testing

/// What a payload or an argument says is shown, and never obeyed by the terminal of whoever looks.
@Suite struct TerminalTests {
  /// A key that clears the screen, rings, turns letters around and forges a line, as JSON and as it is shown.
  private static let key = #"\u001b[2J\u0007\u009b31m\u202e\u007f\nhealthy"#
  private static let shownKey = #"\u{1b}[2J\u{7}\u{9b}31m\u{202e}\u{7f}\u{a}healthy"#
  private static let argument = "\u{1B}[2J\u{7}\u{9B}31m\u{202E}\u{7F}\nhealthy"

  private static func commands(in text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { $0.isCommand && $0 != "\n" }
  }

  /// The key twice: in the whole payload, which is a dead letter then, or in its first day, which is set aside.
  private static func payload(_ number: Int, twiceIn place: String) -> String {
    Sample.payload(user: 1, number: number, steps: ["1"])
      .replacing(place, with: #"\#(place)"\#(key)":1,"\#(key)":1,"#, maxReplacements: 1)
  }

  @Test func `the keys of a payload are shown by every command that tells of it`() async throws {
    let program = try await Program.prepared()
    let dead = Self.payload(1, twiceIn: "{")
    let aside = Self.payload(2, twiceIn: #""days":[{"#)
    let validated = try await program("validate", "-", stdin: "\(dead)\n\(aside)\n")
    try await program("enqueue", "-", stdin: "\(dead)\n\(aside)\n")
    try await program("drain", "--as-of", "2026-03-01T08:00:00Z")
    let id = try await program.value("SELECT id FROM intake.dead_letter")
    let list = try await program("dead", "list")
    let tellers = [
      (validated, 3), (list, 2), (try await program("dead", "show", id), 8),
      (try await program("quarantine", "list"), 2), (try await program("quarantine", "show", Sample.id(2)), 1),
      (try await program("payload", Sample.id(1), Sample.id(2)), 4),
    ]
    for (told, lines) in tellers {
      #expect(told.stdout.contains(Self.shownKey), "\(told.stdout.debugDescription)")
      #expect(Self.commands(in: told.stdout) == [])
      #expect(told.stdout.split(separator: "\n").count == lines, "\(told.stdout.debugDescription)")
    }
    let json = try await program("dead", "list", "--json")
    #expect(Self.commands(in: json.stdout) == [])
    #expect(json.stdout.contains(Self.key), "\(json.stdout)")
  }

  @Test func `the text of a payload is kept for files, and shown on a terminal`() async throws {
    let program = try await Program.prepared()
    let text = "no JSON \u{1B}[2J\u{9B}31m\u{202E}"
    try await program("enqueue", "-", stdin: text + "\n")
    try await program("drain")
    let id = try await program.value("SELECT id FROM intake.dead_letter")
    #expect(try await program("dead", "show", id, "--payload").stdout == text + "\n")
    // script is a part of every Debian, and a terminal.
    let terminal = try await run(
      "/usr/bin/script",
      [
        "--quiet", "--return", "--command", "'\(BuiltProducts.path("dailymetricd"))' dead show \(id) --payload",
        "/dev/null",
      ],
      environment: program.database.environment)
    #expect(terminal.status == 0)
    #expect(terminal.stdout == "no JSON \\u{1b}[2J\\u{9b}31m\\u{202e}\r\n", "\(terminal.stdout.debugDescription)")
  }

  @Test func `the reason of a pause and a metric that there is not are shown on one line`() async throws {
    let program = try await Program.prepared()
    try await program("pause", "--because", Self.argument)
    let again = try await program("pause", "--because", "another")
    let status = try await program("status")
    let drain = try await program("drain")
    let chart = try await program("chart", "--user", Sample.id(1), "--metric", Self.argument)
    for told in [again, status, drain, chart] {
      #expect((told.stdout + told.stderr).contains(Self.shownKey), "\(told.stdout.debugDescription)")
      #expect(Self.commands(in: told.stdout + told.stderr) == [])
    }
    #expect(!status.stdout.split(separator: "\n").contains("healthy"))
    let json = try await program("status", "--json")
    #expect(Self.commands(in: json.stdout) == [] && json.stdout.contains(Self.key), "\(json.stdout)")
  }
}
