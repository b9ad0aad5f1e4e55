import HealthPayload

/// One metric of a report.
struct ChapterSection {
  private let series: Series
  private let gaps: [Gap]

  init(_ chapter: Chapter) {
    (series, gaps) = (chapter.series, chapter.gaps)
  }

  var html: String {
    let code = Markup.escape(series.metric.code)
    let parts = [
      "<h2 id=\"\(code)\">\(Markup.escape(series.metric.name))</h2>",
      Markup.text("p", [("class", "answer")], series.average),
      figure,
      "<h3>Which days are known</h3>", looks, CalendarMonths(series.days.map { ($0.date, $0.cell) }).html,
      "<h3>What to do about the gaps</h3>", actions, table,
    ]
    return "<section class=\"metric\" aria-labelledby=\"\(code)\">\n\(parts.joined(separator: "\n"))\n</section>"
  }

  // MARK: The picture

  /// Drawn twice, since letters that can be read on a desk are too small on a phone; only one of them is shown.
  private var figure: String {
    let picture = SVGPicture(series)
    let code = series.metric.code
    return """
      <figure>
      <div class="wide">\(picture.inline(width: 760, height: 220, name: "\(code)-wide"))</div>
      <div class="narrow">\(picture.inline(width: 358, height: 200, name: "\(code)-narrow"))</div>
      <figcaption>
      <ul class="marks">\(marks)</ul>
      <ul>\(letters)</ul>
      </figcaption>
      </figure>
      """
  }

  private var marks: String {
    SVGMarks.legend(series).map { mark, words in
      let key = Markup.element(
        "svg", [("class", "chart key"), ("viewBox", "-8 -7 16 14"), ("aria-hidden", "true")], mark)
      return "<li>\(key)\(Markup.escape(words))</li>"
    }.joined()
  }

  private var letters: String {
    let keys = series.bandKeys.map { ($0.letter, series.sentence($0)) }
    let edge = series.earliestSentence.map { [("\u{25C0}", $0)] } ?? []
    return (keys + edge).map { letter, sentence in
      "<li class=\"letter\"><b>\(letter)</b>\(Markup.escape(sentence))</li>"
    }.joined(separator: "\n")
  }

  /// What the looks of the calendar mean; only those that it has.
  private var looks: String {
    let cells = series.days.map(\.cell)
    let items = ["value", "zero", "partial", "gap", "silence"].compactMap { look -> String? in
      guard let cell = cells.first(where: { $0.look == look }) else { return nil }
      let words = look == "gap" ? "unknown" : cell.words
      return "<li><span class=\"cell \(look)\"></span>\(Markup.escape(words))</li>"
    }
    return "<ul class=\"marks\" aria-hidden=\"true\">\(items.joined())</ul>"
  }

  // MARK: The gaps

  private var actions: String {
    guard !gaps.isEmpty else {
      let unknown = series.days.contains { $0.position == nil }
      return Markup.text(
        "p", [("class", "quiet")], unknown ? "Nothing is known that would help." : "There are none.")
    }
    let rows = gaps.map { gap in
      let (first, last) = (gap.days.lowerBound, gap.days.upperBound)
      let days = first == last ? "\(first)" : "\(first) to \(last)"
      return """
        <tr>\(Markup.text("td", [("class", "day")], days))\(Markup.text("td", [], gap.message))\
        \(Markup.text("td", [], gap.action.replacing("_", with: " ")))\
        \(Markup.text("td", [("class", "quiet")], gap.platform ?? "none reports it"))</tr>
        """
    }
    return """
      <table class="gaps">
      <thead><tr><th scope="col">Days</th><th scope="col">Message</th><th scope="col">Action</th>\
      <th scope="col">Platform</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody>
      </table>
      """
  }

  // MARK: The same as a table

  private var table: String {
    let rows = series.days.map { day in
      let (number, words) = Self.words(day.state)
      return """
        <tr><th scope="row" class="day">\(day.date)</th><td class="number">\(Markup.escape(number))</td>\
        \(Markup.text("td", [], words))</tr>
        """
    }
    return """
      <details>
      <summary>All \(Words.count(series.days.count, "day")) as a table</summary>
      <table>
      <thead><tr><th scope="col">Day</th>\(Markup.text("th", [("scope", "col"), ("class", "number")], series.metric.title))\
      <th scope="col">What is known</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody>
      </table>
      </details>
      """
  }

  /// The number, empty where there is none, and what it is.
  private static func words(_ state: SeriesDay.State) -> (number: String, words: String) {
    switch state {
    case .value(let amount): (Words.number(amount.text), "measured")
    case .zero: ("0", "measured zero")
    case .partial(let amount): (Words.number(amount.text), "at least: read before the day was over")
    case .unknown(let reason?): ("", "unknown: \(reason)")
    case .unknown(nil): ("", "no entry")
    }
  }
}
