import TestSupport
import Testing

@Suite struct ReportTests {
  @Test func `a report has every metric, its average, its gaps and what to do about them`() async throws {
    let program = try await PicturedPerson.program()
    let report = try await program("report", "--user", PicturedPerson.id, "--from", "2026-11-20")
    #expect(report.status == 0 && report.stderr == "")
    let page = report.stdout
    for words in [
      "<h2 id=\"steps\">steps</h2>", "<h2 id=\"weight\">weight</h2>", "2026-11-20 to 2026-11-28, 9 days.",
      "<p class=\"answer\">6,100 steps, average of the 5 days we have data for</p>", "<td class=\"number\">6 of 9</td>",
      "Nov 2026: 6 of 9 days</caption>",
    ] { #expect(page.contains(words), "\(words)") }
    let actions = try await program.database.psql(
      "SELECT action || '|' || message FROM client_action WHERE user_id = '\(PicturedPerson.id)'")
    let rows = actions.split(separator: "\n")
    #expect(rows.count >= 2)
    for row in rows {
      let parts = row.split(separator: "|")
      #expect(page.contains("<td>\(parts[0].replacing("_", with: " "))</td>"))
      #expect(page.contains("<td>\(parts[1].replacing("'", with: "&#39;"))</td>"))
    }
  }

  @Test func `whose reading is limited to the public schema can draw`() async throws {
    let program = try await PicturedPerson.program()
    for arguments in [["report"], ["chart", "--metric", "steps"]] {
      let drawn = try await run(
        BuiltProducts.path("dailymetricd"), arguments + ["--user", PicturedPerson.id],
        environment: program.database.environment.merging(["PGOPTIONS": "-c role=dailymetric_analyst"]) { $1 })
      #expect(drawn.status == 0, "\(drawn.stderr)")
    }
  }

  @Test func `of nobody there is no report`() async throws {
    let program = try await PicturedPerson.program()
    let report = try await program("report", "--user", PicturedPerson.stranger)
    #expect(report.status == 65 && report.stdout == "")
    #expect(report.stderr.contains("nothing is held of user \(PicturedPerson.stranger)"))
    #expect(try await program("report").status == 64)
  }
}
