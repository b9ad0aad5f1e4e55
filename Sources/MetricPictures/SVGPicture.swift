/// A series as SVG, drawn without any other program. Colours and fonts are classes, see `Style`.
public struct SVGPicture {
  private let series: Series
  private let scale: Scale?

  /// A picture of the series.
  public init(_ series: Series) {
    self.series = series
    scale = series.scale(ticks: 4)
  }

  /// A file of its own, with heading and legend.
  public var document: String {
    let width = 760.0
    let columns = 110
    let heads = Words.wrap(series.average, to: columns)
    let head = 34 + 16 * Double(heads.count)
    let frame = SVGFrame(series, scale: scale, width: width, height: 240, top: head)
    var body = [
      Markup.element("rect", [("class", "paper"), ("width", "100%"), ("height", "100%")]),
      Markup.text("text", [("class", "head"), ("x", "10"), ("y", "24")], series.headline),
    ]
    body += heads.enumerated().map { row, line in
      Markup.text("text", [("x", "10"), ("y", "\(44 + 16 * row)")], line)
    }
    body.append(field(frame))
    let legend = SVGLegend(series, top: frame.height + 12, width: width, columns: columns)
    body.append(legend.markup)
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      + svg(width: width, height: legend.bottom, name: series.metric.code, isAlone: true, body.joined(separator: "\n"))
      + "\n"
  }

  /// A part of a page that has heading, legend and style elsewhere.
  ///
  /// - Parameters:
  ///   - width: in its own units: about as many pixels as it will have on the screen, so that its texts can be read.
  ///   - name: tells its parts from those of other pictures of the page.
  func inline(width: Double, height: Double, name: String) -> String {
    let frame = SVGFrame(series, scale: scale, width: width, height: height, top: 0)
    return svg(width: width, height: frame.height, name: name, isAlone: false, field(frame))
  }

  private func svg(width: Double, height: Double, name: String, isAlone: Bool, _ body: String) -> String {
    let box = "0 0 \(Markup.coordinate(width)) \(Markup.coordinate(height))"
    var attributes = [
      ("xmlns", "http://www.w3.org/2000/svg"), ("class", "chart"), ("viewBox", box), ("role", "img"),
      ("aria-labelledby", "\(name)-title \(name)-desc"),
    ]
    if isAlone { attributes += [("width", Markup.coordinate(width)), ("height", Markup.coordinate(height))] }
    let parts = [
      Markup.text("title", [("id", "\(name)-title")], series.headline),
      Markup.text("desc", [("id", "\(name)-desc")], series.summary),
      isAlone ? Markup.element("style", [], Style.alone) : "",
      isAlone ? "<defs>\(Self.hatch)</defs>" : "", body,
    ]
    return Markup.element("svg", attributes, "\n" + parts.filter { !$0.isEmpty }.joined(separator: "\n") + "\n")
  }

  /// The pattern of unknown days, which tells them from others without a colour. Each file or page has it once.
  static var hatch: String {
    Markup.element(
      "pattern",
      [
        ("id", "hatch"), ("width", "6"), ("height", "6"), ("patternUnits", "userSpaceOnUse"),
        ("patternTransform", "rotate(45)"),
      ],
      Markup.element("rect", [("class", "hatch-ground"), ("width", "6"), ("height", "6")])
        + Markup.element("line", [("class", "hatch-line"), ("y2", "6")]))
  }

  // MARK: The field

  private func field(_ frame: SVGFrame) -> String {
    let parts = bands(frame) + letters(frame) + axes(frame) + edge(frame) + strokes(frame) + SVGMarks(series, frame).all
    return (parts + (scale == nil ? [noData(frame)] : [])).joined(separator: "\n")
  }

  private func bands(_ frame: SVGFrame) -> [String] {
    series.bands.map { band in
      let (left, right) = (frame.edge(band.days.lowerBound), frame.edge(band.days.upperBound))
      let dates = (series.days[band.days.lowerBound].date, series.days[band.days.upperBound - 1].date)
      let range = dates.0 == dates.1 ? "\(dates.0)" : "\(dates.0) to \(dates.1)"
      // A hatch needs some room to be seen; a narrow band is plain.
      let isNarrow = right - left < 4
      var attributes = [
        ("class", band.reason == nil ? "silence" : isNarrow ? "gap narrow" : "gap"), ("data-from", "\(dates.0)"),
        ("data-to", "\(dates.1)"),
        ("x", Markup.coordinate(left)), ("y", Markup.coordinate(frame.top)),
        ("width", Markup.coordinate(right - left)), ("height", Markup.coordinate(frame.bottom - frame.top)),
      ]
      if let reason = band.reason { attributes.append(("data-reason", reason)) }
      if band.reason != nil, !isNarrow { attributes.append(("fill", "url(#hatch)")) }
      let words = "\(range): unknown, \(band.reason ?? "no entry")"
      return Markup.element("rect", attributes, Markup.text("title", [], words))
    }
  }

  /// The letters above the bands, as far as there is room for them.
  private func letters(_ frame: SVGFrame) -> [String] {
    series.letters(apart: 8 / frame.dayWidth).map { middle, letter in
      let x = frame.left + middle * frame.dayWidth
      let place = [("x", Markup.coordinate(x)), ("y", Markup.coordinate(frame.top - 5))]
      return Markup.text("text", [("class", "letter"), ("text-anchor", "middle")] + place, letter)
    }
  }

  private func axes(_ frame: SVGFrame) -> [String] {
    var parts: [String] = []
    if let scale {
      for (tick, label) in zip(scale.ticks, scale.labels) {
        let y = Markup.coordinate(frame.y(tick))
        parts.append(line("grid", frame.left, y, frame.right, y))
        let place = [("x", Markup.coordinate(frame.left - 6)), ("y", Markup.coordinate(frame.y(tick) + 4))]
        parts.append(Markup.text("text", [("text-anchor", "end")] + place, label))
      }
    }
    let floor = Markup.coordinate(frame.bottom)
    parts.append(line("axis", frame.left, floor, frame.right, floor))
    let spacing = Int((52 / frame.dayWidth).rounded(.up))
    for tick in DateTicks(series.days.map(\.date), atLeast: spacing).ticks {
      let x = frame.x(tick.index)
      parts.append(line("axis", x, floor, x, Markup.coordinate(frame.bottom + 4)))
      let half = 3.4 * Double(tick.label.count)
      let middle = min(max(x, half), frame.width - half)
      let place = [("x", Markup.coordinate(middle)), ("y", Markup.coordinate(frame.bottom + 18))]
      parts.append(Markup.text("text", [("text-anchor", "middle")] + place, tick.label))
    }
    return parts
  }

  private func line(_ kind: String, _ x1: Double, _ y1: String, _ x2: Double, _ y2: String) -> String {
    Markup.element(
      "line",
      [("class", kind), ("x1", Markup.coordinate(x1)), ("y1", y1), ("x2", Markup.coordinate(x2)), ("y2", y2)])
  }

  /// The first day that is held: a line where it begins, if that is in the picture, and below the left edge its date and why
  /// there is nothing before it.
  private func edge(_ frame: SVGFrame) -> [String] {
    guard let earliest = series.earliest else { return [] }
    let words = "\u{25C0} earliest day \(earliest.date) (\(earliest.label))"
    let place = [("x", "2"), ("y", Markup.coordinate(frame.bottom + 36))]
    let label = Markup.text("text", [("class", "early")] + place, words)
    guard let index = series.earliestIndex else { return [label] }
    let x = frame.edge(index)
    return [line("earliest", x, Markup.coordinate(frame.top), x, Markup.coordinate(frame.bottom)), label]
  }

  /// One path for each stretch of solid lines, and one for each dashed line.
  private func strokes(_ frame: SVGFrame) -> [String] {
    var paths: [(style: Stroke.Style, last: Int, path: String)] = []
    func point(_ index: Int) -> String? {
      series.days[index].position.map { "\(Markup.coordinate(frame.x(index))) \(Markup.coordinate(frame.y($0)))" }
    }
    for stroke in series.strokes {
      guard let from = point(stroke.from), let to = point(stroke.to) else { continue }
      if let open = paths.last, open.style == .solid, stroke.style == .solid, open.last == stroke.from {
        paths[paths.count - 1] = (.solid, stroke.to, open.path + " L\(to)")
      } else {
        paths.append((stroke.style, stroke.to, "M\(from) L\(to)"))
      }
    }
    return paths.map { Markup.element("path", [("class", $0.style == .solid ? "known" : "across"), ("d", $0.path)]) }
  }

  private func noData(_ frame: SVGFrame) -> String {
    let (x, y) = ((frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2)
    let box = [
      ("class", "paper"), ("x", Markup.coordinate(x - 42)), ("y", Markup.coordinate(y - 16)), ("width", "84"),
      ("height", "24"),
    ]
    let place = [("x", Markup.coordinate(x)), ("y", Markup.coordinate(y))]
    return Markup.element("rect", box)
      + Markup.text("text", [("class", "head"), ("text-anchor", "middle")] + place, "no data")
  }
}
