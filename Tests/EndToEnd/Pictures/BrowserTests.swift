import TestSupport
import Testing

/// The report in a real browser: what is measured is what was laid out, not what was meant.
@Suite struct BrowserTests {
  private static func report() async throws -> String {
    let program = try await PicturedPerson.program()
    let report = try await program("report", "--user", PicturedPerson.id, "--from", "2026-11-20")
    guard report.status == 0 else { throw TestSupportError("report failed: \(report.stderr)") }
    return report.stdout
  }

  @Test(arguments: [390, 1_000])
  func `gaps are gaps where the page is shown`(_ width: Int) async throws {
    let layout = try await Layout(Self.report(), width: width, browser: Browser())
    #expect(layout["width"] == "\(width)")
    #expect(layout["charts"] == "2" && layout["names"] == "2", "one drawing of each metric is shown, and has a text")
    // Steps: one day without a row, two reasons. Weight: before the first entry, between the two, and after the last.
    #expect(layout["gaps"] == "6")
    #expect(layout["crossings"] == "0", "a line goes through an unknown day")
    #expect(layout["across"] == "1", "the dashed line of weight, and nothing else, spans days without an entry")
    #expect(layout["marks"] == "8" && layout["inside"] == "0")
    #expect(layout["overflow"] == "0", "the page is wider than the screen")
    #expect(layout["skips"] == "0", "a level of headings is left out")
    #expect(Int(layout["small"]).map { $0 >= 11 } == true, "letters of \(layout["small"]) px")
  }

  @Test(arguments: [false, true])
  func `letters stand out from their ground by day and by night`(_ isDark: Bool) async throws {
    let layout = try await Layout(Self.report(), width: 1_000, isDark: isDark, browser: Browser())
    #expect(layout["contrast"] == "enough")
    #expect((layout["scheme"] == "rgb(255, 255, 255)") == !isDark)
  }

  @Test func `the measurement sees a line through a gap`() async throws {
    let page = try await Self.report()
    let path = try #require(page.firstMatch(of: #/class="known" d="M([0-9.]+) ([0-9.]+)/#))
    let spoilt = page.replacing(path.0, with: path.0 + " L700 \(path.2) M\(path.1) \(path.2)", maxReplacements: 1)
    let layout = try await Layout(spoilt, width: 1_000, browser: Browser())
    #expect(layout["crossings"] == "1")
  }

  @Test func `the measurement sees pale letters, a page that is too wide, and a heading left out`() async throws {
    let page = try await Self.report()
    let spoilt = page.replacing("--quiet:#555", with: "--quiet:#aaa").replacing("h3>", with: "h4>")
      .replacing("<header>", with: "<header><p style=\"width:600px\">wide</p>")
    let layout = try await Layout(spoilt, width: 390, browser: Browser())
    #expect(layout["contrast"].hasPrefix("2."))
    #expect(Int(layout["overflow"]).map { $0 > 100 } == true)
    #expect(layout["skips"] != "0")
  }
}
