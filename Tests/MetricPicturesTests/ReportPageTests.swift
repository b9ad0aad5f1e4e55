import HealthPayload
import MetricPictures
import Testing

@Suite struct ReportPageTests {
  private static func page(_ signs: String...) throws -> String {
    let days = Int32(signs[0].count)
    return ReportPage(
      user: "somebody", days: Sketch.first...Sketch.first.adding(days: days - 1),
      chapters: try signs.map { Chapter(series: try Sketch.series($0, average: "no average"), gaps: []) }
    ).html
  }

  @Test func `the page needs nothing from anywhere`() throws {
    let page = try Self.page("12n0p.")
    #expect(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'\""))
    for word in ["<script", "<link", "<img", "src=", "@import", "javascript:"] { #expect(!page.contains(word)) }
    let addresses = page.replacing("http://www.w3.org/2000/svg", with: "")
    #expect(!addresses.contains("http:") && !addresses.contains("https:") && !addresses.contains("url(//"))
  }

  @Test func `a day in the table has a number only if it is measured`() throws {
    let page = try Self.page("2n0p.")
    func row(_ day: Int, _ number: String, _ words: String) -> String {
      "<tr><th scope=\"row\" class=\"day\">2026-10-\(day)</th><td class=\"number\">\(number)</td><td>\(words)</td></tr>"
    }
    #expect(page.contains(row(21, "2,000", "measured")))
    #expect(page.contains(row(22, "", "unknown: not_yet_synced")))
    #expect(page.contains(row(23, "0", "measured zero")))
    #expect(page.contains(row(24, "2,500", "at least: read before the day was over")))
    #expect(page.contains(row(25, "", "no entry")))
  }

  @Test func `the calendar has the days where the week has them`() throws {
    let page = try Self.page("2n0p.9")
    // 2026-10-21 was a Wednesday.
    #expect(page.contains("Oct 2026: 4 of 6 days</caption>"))
    let week =
      "<tr><td></td><td></td><td class=\"value\">21<span class=\"hidden\"> measured</span></td><td class=\"gap\">22"
    #expect(page.contains(week))
    #expect(page.contains("<tr><td class=\"value\">26<"))
  }

  @Test func `a day of the coverage says how many metrics are known`() throws {
    let page = try Self.page("2n", "n.")
    #expect(page.contains("style=\"--share:50%\">21<span class=\"hidden\"> 1 of 2 metrics</span>"))
    #expect(page.contains("style=\"--share:0%\">22<span class=\"hidden\"> 0 of 2 metrics</span>"))
  }

  @Test func `each id is there once`() throws {
    let page = try Self.page("12n0p.")
    let ids = page.matches(of: #/ id="([^"]*)"/#).map { String($0.1) }
    #expect(ids.count >= 6 && Set(ids).count == ids.count, "\(ids)")
  }
}
