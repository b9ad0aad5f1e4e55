import HealthPayload

/// The marks of the days. Each kind has a form of its own, so that none depends on a colour.
struct SVGMarks {
  private let series: Series
  private let frame: SVGFrame
  private let size: Double

  init(_ series: Series, _ frame: SVGFrame) {
    (self.series, self.frame) = (series, frame)
    // Where days are narrower than marks, smaller ones leave the gaps to be seen.
    size = frame.dayWidth < 2 ? 0.8 : min(4, max(2, frame.dayWidth * 0.3))
  }

  var all: [String] {
    series.days.enumerated().compactMap { index, day in
      guard let position = day.position else { return nil }
      let (x, y) = (frame.x(index), frame.y(position))
      // A mark can be told from another only if it has some size.
      switch day.state {
      case .value(let amount):
        return mark(Self.value(x, y, size), day.date, Words.number(amount.text))
      case .zero:
        return mark(Self.zero(x, y, max(3.5, size + 1)), day.date, "0, measured")
      case .partial(let amount):
        return mark(Self.partial(x, y, max(2, size)), day.date, "at least \(Words.number(amount.text))")
      case .unknown: return nil
      }
    }
  }

  private func mark(_ form: (name: String, attributes: [(String, String)]), _ date: LocalDate, _ words: String)
    -> String
  {
    let noun = series.metric.noun.isEmpty ? "" : " \(series.metric.noun)"
    return Markup.element(
      form.name, form.attributes + [("data-date", "\(date)")], Markup.text("title", [], "\(date): \(words)\(noun)"))
  }

  /// The marks that the series has, around (0, 0), with what they mean.
  static func legend(_ series: Series) -> [(mark: String, words: String)] {
    func has(_ look: (SeriesDay) -> Bool) -> Bool { series.days.contains(where: look) }
    var marks: [(mark: String, words: String)] = []
    func add(_ form: (name: String, attributes: [(String, String)]), _ words: String) {
      marks.append((Markup.element(form.name, form.attributes), words))
    }
    if has({ if case .value = $0.state { true } else { false } }) { add(value(0, 0, 4), "measured") }
    if has({ $0.state == .zero }) { add(zero(0, 0, 5), "measured zero") }
    if has({ if case .partial = $0.state { true } else { false } }) {
      add(partial(0, 0, 4), "at least: read before the day was over")
    }
    let box = [("x", "-6"), ("y", "-5"), ("width", "12"), ("height", "10")]
    if has({ if case .unknown(.some) = $0.state { true } else { false } }) {
      add(("rect", [("class", "gap"), ("fill", "url(#hatch)")] + box), "unknown, by letter")
    }
    if has({ $0.state == .unknown(reason: nil) }) { add(("rect", [("class", "silence")] + box), "no entry") }
    if series.strokes.contains(where: { $0.style == .dashed }) {
      add(("path", [("class", "across"), ("d", "M-6 0 L8 0")]), "not measured between")
    }
    return marks
  }

  private static func value(_ x: Double, _ y: Double, _ size: Double) -> (String, [(String, String)]) {
    ("circle", circle("value", x, y, size))
  }

  private static func partial(_ x: Double, _ y: Double, _ size: Double) -> (String, [(String, String)]) {
    ("circle", circle("partial", x, y, size))
  }

  private static func zero(_ x: Double, _ y: Double, _ size: Double) -> (String, [(String, String)]) {
    let corners = [(x, y - size), (x + size, y), (x, y + size), (x - size, y)]
    let points = corners.map { "\(Markup.coordinate($0.0)),\(Markup.coordinate($0.1))" }.joined(separator: " ")
    return ("polygon", [("class", "zero"), ("points", points)])
  }

  private static func circle(_ kind: String, _ x: Double, _ y: Double, _ size: Double) -> [(String, String)] {
    [
      ("class", kind), ("cx", Markup.coordinate(x)), ("cy", Markup.coordinate(y)), ("r", Markup.coordinate(size)),
    ]
  }
}
