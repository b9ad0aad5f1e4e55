/// What the marks, letters and edges of a picture mean, below it.
struct SVGLegend {
  private(set) var markup = ""
  /// Where it ends.
  private(set) var bottom: Double
  private let columns: Int

  init(_ series: Series, top: Double, width: Double, columns: Int) {
    (bottom, self.columns) = (top, columns)
    var x = 10.0
    let marks = SVGMarks.legend(series)
    for (mark, words) in marks {
      let length = 34 + 7 * Double(words.count)
      if x > 10, x + length > width { (x, bottom) = (10, bottom + 18) }
      let place = "translate(\(Markup.coordinate(x + 6)) \(Markup.coordinate(bottom - 4)))"
      markup += Markup.element("g", [("transform", place)], mark) + text(x + 18, words)
      x += length
    }
    if !marks.isEmpty { bottom += 18 }
    for key in series.bandKeys { add(key.letter, series.sentence(key)) }
    if let sentence = series.earliestSentence { add("\u{25C0}", sentence) }
  }

  private mutating func add(_ letter: String, _ sentence: String) {
    markup += text(10, letter, [("class", "letter")])
    for line in Words.wrap(sentence, to: columns) {
      markup += text(28, line)
      bottom += 16
    }
  }

  private func text(_ x: Double, _ words: String, _ attributes: [(String, String)] = []) -> String {
    let place = [("x", Markup.coordinate(x)), ("y", Markup.coordinate(bottom))]
    return Markup.text("text", attributes + place, words) + "\n"
  }
}
