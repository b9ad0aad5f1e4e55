import Foundation
import TestSupport
import Testing

/// Everything that is held of a person, as one document.
@Suite struct ExportTests {
  private let anna = Life(number: 1)
  private let ben = Life(number: 2)

  private func export(_ text: String) throws -> [String: [[String: Any]]] {
    let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(document["schema"] as? String == "dailymetricd.export/1")
    #expect(document["user_id"] as? String == anna.user)
    return document.compactMapValues { $0 as? [[String: Any]] }
  }

  @Test func `an export holds every row that is held of the person, and nobody else's`() async throws {
    let program = try await Program.prepared()
    for life in [anna, ben] { try await life.live(in: program) }
    try await program("enqueue", "-", stdin: anna.late(5))
    let first = try await program("export", anna.user, "--as-of", "2026-11-30T12:00:00Z")
    #expect(first.status == 0 && first.stderr.isEmpty, "\(first.stderr)")
    #expect(first.stdout == (try await program("export", anna.user, "--as-of", "2026-11-30T12:00:00Z")).stdout)
    for trace in [ben.user, ben.word, ben.mark] { #expect(!first.stdout.contains(trace)) }

    let sections = try export(first.stdout)
    let tables = """
      SELECT string_agg(format('SELECT %L AS s, count(*) AS n FROM %s WHERE user_id = %L', s.section,
        CASE s.section WHEN 'record' THEN 'evidence.record' ELSE s.relation::text END, '\(anna.user)'), ' UNION ALL ')
      FROM intake.export_sections() s WHERE s.place > 2
      """
    let counts = try await program.database.psql(try await program.value(tables))
    var filled = 0
    for line in counts.split(separator: "\n") {
      let cells = line.split(separator: "|").map(String.init)
      #expect(sections[cells[0]]?.count == Int(cells[1]), "\(line)")
      if cells[1] != "0" { filled += 1 }
    }
    #expect(filled >= 19, "\(counts)")
    let days = try #require(sections["daily_metric"])
    #expect(days.contains { $0["value"] != nil } && days.contains { $0["dataAbsentReason"] != nil })
    #expect(days.allSatisfy { ($0["value"] == nil) == ($0["dataAbsentReason"] != nil) })
    // What waits and what was refused is there to the letter.
    #expect(sections["sync_payload"]?.first?["payload"] as? String == anna.late(5))
    #expect(sections["dead_letter"]?.first?["payload"] as? String == anna.payloads[3])
  }

  @Test func `of somebody of whom nothing is held there is no export, and of somebody forgotten the proof`()
    async throws
  {
    let program = try await Program.prepared()
    let nothing = try await program("export", anna.user)
    #expect(nothing.status == 1 && nothing.stdout.isEmpty && nothing.stderr.contains("nothing is held of \(anna.user)"))
    try await program("forget", anna.user)
    let sections = try export(try await program("export", anna.user).stdout)
    #expect(sections["forgotten_person"]?.count == 1)
    #expect(sections.filter { !$0.value.isEmpty }.keys.sorted() == ["forgotten_person", "metric", "unknown_reason"])
    #expect(try await program("export", "anna").status == 64)
  }
}
