public import HealthPayload

/// Something to do about unknown days.
public struct Gap: Sendable, Hashable {
  /// The days.
  public let days: ClosedRange<LocalDate>
  /// The platform that it is about; nil: none reports the metric.
  public let platform: String?
  /// The code of what to do, such as `prompt_for_permission`.
  public let action: String
  /// What to tell the person.
  public let message: String

  /// Something to do about unknown days.
  public init(days: ClosedRange<LocalDate>, platform: String?, action: String, message: String) {
    (self.days, self.platform, self.action, self.message) = (days, platform, action, message)
  }
}

/// What a report says of one metric.
public struct Chapter: Sendable {
  /// Its days.
  public let series: Series
  /// What can be done about those that are unknown.
  public let gaps: [Gap]

  /// What a report says of one metric.
  public init(series: Series, gaps: [Gap]) {
    (self.series, self.gaps) = (series, gaps)
  }
}

/// All metrics of a person on one page of HTML that needs nothing else: no network, no script.
public struct ReportPage {
  private let user: String
  private let days: ClosedRange<LocalDate>
  private let chapters: [Chapter]

  /// A page about these days of a person.
  public init(user: String, days: ClosedRange<LocalDate>, chapters: [Chapter]) {
    (self.user, self.days, self.chapters) = (user, days, chapters)
  }

  /// The page; ends with a line feed.
  public var html: String {
    let parts = [head, "<main>", overview, coverage] + chapters.map { ChapterSection($0).html } + ["</main>"]
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="robots" content="noindex">
      <meta name="referrer" content="no-referrer">
      <title>\(Markup.escape("Daily metrics of \(user), \(range)"))</title>
      <style>
      \(Style.colours)\(Style.picture)\(Style.page)</style>
      </head>
      <body>
      <svg class="hidden" aria-hidden="true"><defs>\(SVGPicture.hatch)</defs></svg>
      \(parts.joined(separator: "\n"))
      </body>
      </html>

      """
  }

  private var range: String { "\(days.lowerBound) to \(days.upperBound)" }

  private var head: String {
    let count = Int(days.upperBound.daysSince1970) - Int(days.lowerBound.daysSince1970) + 1
    return """
      <header>
      <h1>Daily metrics of \(Markup.text("code", [], user))</h1>
      <p>\(range), \(Words.count(count, "day")). A day is measured, measured zero, or unknown for a reason. A day that is \
      not known is never counted as zero, and nothing is filled in.</p>
      </header>
      """
  }

  private var overview: String {
    let rows = chapters.map { chapter in
      let series = chapter.series
      let known = series.days.filter { $0.position != nil }.count
      let link = Markup.text("a", [("href", "#\(series.metric.code)")], series.metric.name)
      return """
        <tr>\(Markup.element("th", [("scope", "row")], link))\(Markup.text("td", [], series.average))\
        <td class="number">\(known) of \(series.days.count)</td></tr>
        """
    }
    return """
      <h2>At a glance</h2>
      <table>
      <thead><tr><th scope="col">Metric</th><th scope="col">What can be said</th>\
      <th scope="col" class="number">Days known</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody>
      </table>
      """
  }

  /// How many of the metrics are known on each day.
  private var coverage: String {
    guard let first = chapters.first else { return "" }
    let cells = first.series.days.enumerated().map { index, day in
      let known = chapters.filter { $0.series.days[index].position != nil }.count
      let words = "\(known) of \(Words.count(chapters.count, "metric"))"
      let cell = CalendarMonths.Cell(
        look: "part", style: "--share:\(known * 100 / chapters.count)%", words: words, isKnown: known == chapters.count)
      return (date: day.date, cell: cell)
    }
    return """
      <h2>Coverage</h2>
      <p>The fuller a day, the more of its \(Words.count(chapters.count, "metric")) are known. \
      The number of each month counts the days on which all are.</p>
      \(CalendarMonths(cells).html)
      """
  }
}
