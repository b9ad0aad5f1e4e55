import HealthPayload

/// A series in a terminal: at most 80 columns, without colours.
public struct TextPicture {
  private static let width = 80
  private static let rows = 14
  private let series: Series
  private let glyphs: Glyphs
  private let scale: Scale?
  /// The columns left of the field: labels, a blank and the axis.
  private let margin: Int
  private let grid: TextGrid

  /// A picture of the series.
  ///
  /// - Parameter isASCII: whether the terminal can show nothing but ASCII.
  public init(_ series: Series, isASCII: Bool = false) {
    self.series = series
    glyphs = isASCII ? .ascii : .unicode
    scale = series.scale(ticks: 4)
    let labels = scale?.labels ?? []
    margin = max(4, labels.map(\.count).reduce(0, max)) + 2
    grid = TextGrid(days: series.days.count, columns: Self.width - margin)
  }

  /// The picture with its legend, in lines of at most 80 characters; ends with a line feed.
  public var text: String {
    let title = Words.wrap(series.headline, to: Self.width) + Words.wrap(series.average, to: Self.width)
    return (title + [""] + plot + [""] + legend).map(Self.trimmed).joined(separator: "\n") + "\n"
  }

  /// Without blanks at its end, and without what a terminal would take for a command.
  private static func trimmed(_ line: String) -> String {
    let safe = line.withoutCommands
    return safe.last == " " ? String(safe.reversed().drop { $0 == " " }.reversed()) : safe
  }

  // MARK: The field

  private var plot: [String] {
    let labels = scale?.labels ?? []
    var names = Array(repeating: "", count: Self.rows)
    if let scale {
      for (tick, label) in zip(scale.ticks, labels) { names[Self.dotRow(tick, scale) / 4] = label }
    }
    let canvas = canvas
    var lines = (0..<Self.rows).map { row in
      let name = names[row]
      let pad = String(repeating: " ", count: margin - 2 - name.count)
      return pad + name + " " + String(name.isEmpty ? glyphs.axis : glyphs.tick) + canvas.text(row: row)
    }
    let gap = String(repeating: " ", count: margin - 1)
    let dates = DateTicks(series.days.map(\.date), atLeast: grid.daysPerLabel)
    lines.append(gap + floor(dates))
    let strip = grid.strip(series)
    if strip.contains(where: { $0 != " " }) { lines.append(gap + " " + strip) }
    lines.append(gap + " " + dateLine(dates))
    if let earliest = series.earliest {
      // Words of the left edge stand at the left edge.
      let words = "\(glyphs.before) earliest day held: \(earliest.date); before it: \(earliest.label)"
      lines += Words.wrap(words, to: Self.width)
    }
    return lines
  }

  /// The row of dots of a value; 0 is the top.
  private static func dotRow(_ value: Double, _ scale: Scale) -> Int {
    let last = Double(rows * 4 - 1)
    return Int((last - scale.share(of: value) * last).rounded())
  }

  private var canvas: TextCanvas {
    var canvas = TextCanvas(columns: grid.used, rows: Self.rows, glyphs: glyphs)
    for column in 0..<grid.used where grid.isGap(column, series) {
      canvas.fill(column: column, glyphs.unknown)
    }
    guard let scale else {
      let words = Array("no data")
      let start = max(0, (grid.used - words.count) / 2)
      for (index, letter) in words.enumerated() {
        canvas.mark(column: start + index, row: Self.rows / 2, letter)
      }
      return canvas
    }
    func place(_ index: Int, _ position: Double) -> (x: Int, y: Int) {
      (grid.dotColumn(index), Self.dotRow(position, scale))
    }
    for stroke in series.strokes {
      guard let from = series.days[stroke.from].position, let to = series.days[stroke.to].position else { continue }
      canvas.line(from: place(stroke.from, from), to: place(stroke.to, to), dashed: stroke.style == .dashed)
    }
    for (index, day) in series.days.enumerated() {
      guard let position = day.position else { continue }
      let (x, y) = place(index, position)
      canvas.dot(x: x, y: y)
      if let sign = sign(day) { canvas.mark(column: x / 2, row: y / 4, sign) }
    }
    return canvas
  }

  /// Where a column is several days, only what is not plain gets a sign; the rest are dots.
  private func sign(_ day: SeriesDay) -> Character? {
    switch day.state {
    case .value: grid.daysPerColumn == 1 ? glyphs.value : nil
    case .zero: glyphs.zero
    case .partial: glyphs.partial
    case .unknown: nil
    }
  }

  // MARK: The lower edge

  private func floor(_ dates: DateTicks) -> String {
    var line = Array(repeating: glyphs.floor, count: grid.used)
    for tick in dates.ticks { line[grid.column(tick.index)] = glyphs.dayTick }
    return String(glyphs.corner) + String(line)
  }

  private func dateLine(_ dates: DateTicks) -> String {
    var line = ""
    for tick in dates.ticks {
      // A label stands in the middle below its tick, but not beyond the edges.
      let column = min(grid.column(tick.index) - tick.label.count / 2, grid.available - tick.label.count)
      guard line.isEmpty || column > line.count else { continue }
      line += String(repeating: " ", count: max(0, column - line.count)) + tick.label
    }
    return line
  }

  // MARK: The legend

  private var legend: [String] {
    var lines: [String] = []
    for mark in marks {
      if let last = lines.last, last.count + 3 + mark.count <= Self.width {
        lines[lines.count - 1] = last + "   " + mark
      } else {
        lines.append(mark)
      }
    }
    for key in series.bandKeys {
      let sentence = Words.wrap(series.sentence(key), to: Self.width - 3)
      lines += zip([key.letter + "  "] + sentence.dropFirst().map { _ in "   " }, sentence).map { $0 + $1 }
    }
    if grid.daysPerColumn > 1 {
      lines += Words.wrap(
        "A column is up to \(grid.daysPerColumn) days; a letter below it: at least one is unknown.", to: Self.width)
    }
    return lines
  }

  private var marks: [String] {
    let strokes = series.strokes
    var marks: [String] = []
    if series.days.contains(where: { if case .value = $0.state { true } else { false } }) {
      marks.append("\(grid.daysPerColumn == 1 ? glyphs.value : glyphs.solid) measured")
    }
    if series.days.contains(where: { $0.state == .zero }) { marks.append("\(glyphs.zero) measured zero") }
    if series.days.contains(where: { if case .partial = $0.state { true } else { false } }) {
      marks.append("\(glyphs.partial) at least: read before the day was over")
    }
    if (0..<grid.used).contains(where: { grid.isGap($0, series) }) { marks.append("\(glyphs.unknown) unknown") }
    if strokes.contains(where: { $0.style == .dashed }) {
      marks.append("\(glyphs.dashed)\(glyphs.dashed) not measured between")
    }
    return marks
  }
}
