import HealthPayload

/// A series as a script for gnuplot, with its data inside. Texts of others are quoted, and never commands.
public struct GnuplotScript {
  private let series: Series

  /// A script that draws the series.
  public init(_ series: Series) { self.series = series }

  /// The script; it writes a PNG to standard output.
  public var text: String {
    let last = Double(series.days.count) - 0.5
    var lines = [
      "set terminal pngcairo noenhanced size 1200,\(660 + 22 * keys.count) font 'sans,12'",
      "set encoding utf8",
      "set title \(Self.quoted("\(series.headline)\n\(series.average)"))",
      "set key below left Left reverse maxcols 1 samplen 2",
      "set border 3", "set tics nomirror out", "set grid ytics linecolor rgb '#d9d9d9'",
      "set xrange [-0.5:\(last)]", "set xtics (\(dates))",
    ]
    lines += blocks
    if let scale = series.scale(ticks: 5) {
      lines.append("set yrange [\(scale.low):\(scale.high)]")
      let labels = zip(scale.ticks, scale.labels).map { "\(Self.quoted($1)) \($0)" }
      lines.append("set ytics (\(labels.joined(separator: ", ")))")
    } else {
      lines += ["set yrange [0:1]", "unset ytics", "set label 'no data' at graph 0.5,0.5 center font 'sans,20' front"]
    }
    lines += edge + bands
    lines.append("plot " + plots.joined(separator: ", \\\n  "))
    return lines.joined(separator: "\n") + "\n"
  }

  /// A text as gnuplot takes it literally: on one line, in single quotes, which are doubled inside.
  static func quoted(_ text: String) -> String {
    // A line feed is wanted in titles only, and there it is gnuplot's own, between two quoted texts.
    let lines = text.split(separator: "\n").map { line in
      "'" + String(line).withoutCommands.replacing("'", with: "''") + "'"
    }
    return lines.isEmpty ? "''" : lines.joined(separator: ".\"\\n\".")
  }

  private var dates: String {
    DateTicks(series.days.map(\.date), atLeast: max(1, series.days.count / 14)).ticks
      .map { "\(Self.quoted($0.label)) \($0.index)" }.joined(separator: ", ")
  }

  // MARK: The data

  private func points(_ name: String, _ wanted: (SeriesDay.State) -> Bool) -> [String] {
    let rows = series.days.enumerated().compactMap { index, day in
      day.position.flatMap { wanted(day.state) ? "\(index) \($0)" : nil }
    }
    return rows.isEmpty ? [] : ["$\(name) << EOD"] + rows + ["EOD"]
  }

  /// Each line is two points and a blank line, at which gnuplot lifts the pen.
  private func lines(_ name: String, _ style: Stroke.Style) -> [String] {
    let rows = series.strokes.filter { $0.style == style }.flatMap { stroke -> [String] in
      guard let from = series.days[stroke.from].position, let to = series.days[stroke.to].position else { return [] }
      return ["\(stroke.from) \(from)", "\(stroke.to) \(to)", ""]
    }
    return rows.isEmpty ? [] : ["$\(name) << EOD"] + rows + ["EOD"]
  }

  private var values: [String] { points("value") { if case .value = $0 { true } else { false } } }
  private var zeros: [String] { points("zero") { $0 == .zero } }
  private var lowerBounds: [String] { points("partial") { if case .partial = $0 { true } else { false } } }

  private var blocks: [String] {
    values + zeros + lowerBounds + lines("known", .solid) + lines("across", .dashed)
  }

  // MARK: What is drawn

  /// Whether days are too narrow for hatches and whole marks.
  private var isDense: Bool { series.days.count > 300 }

  private var bands: [String] {
    series.bands.enumerated().map { index, band in
      let (left, right) = (Double(band.days.lowerBound) - 0.5, Double(band.days.upperBound) - 0.5)
      let style =
        band.reason == nil
        ? "fillcolor rgb '#f1f1f1' fillstyle solid 1 noborder"
        : isDense
          ? "fillcolor rgb '#8a8a8a' fillstyle solid 1 noborder"
          : "fillcolor rgb '#8a8a8a' fillstyle pattern 4 border rgb '#ffffff'"
      return "set object \(index + 1) rectangle from \(left), graph 0 to \(right), graph 1 behind \(style)"
    }
  }

  /// The letter of each band above it, and the first day that is held.
  private var edge: [String] {
    var lines = series.letters(apart: Double(series.days.count) / 90).map {
      "set label \(Self.quoted($0.letter)) at \($0.middle - 0.5), graph 1.02 center"
    }
    if let index = series.earliestIndex {
      let x = Double(index) - 0.5
      lines.append("set arrow from \(x), graph 0 to \(x), graph 1 nohead dashtype 3 linecolor rgb '#555555' front")
    }
    return lines
  }

  private var plots: [String] {
    let line = "linecolor rgb '#0b5394' linewidth 2"
    var plots: [String] = []
    if !lines("known", .solid).isEmpty { plots.append("$known using 1:2 with lines \(line) notitle") }
    if !lines("across", .dashed).isEmpty {
      plots.append("$across using 1:2 with lines \(line) dashtype 2 title 'not measured between'")
    }
    if !values.isEmpty {
      let size = isDense ? " pointsize 0.25" : ""
      plots.append("$value using 1:2 with points pointtype 7\(size) linecolor rgb '#0b5394' title 'measured'")
    }
    if !lowerBounds.isEmpty {
      plots.append(
        "$partial using 1:2 with points pointtype 6 \(line) title 'at least: read before the day was over'")
    }
    if !zeros.isEmpty {
      plots.append(
        "$zero using 1:2 with points pointtype 13 pointsize 1.6 linecolor rgb '#9c2f00' title 'measured zero'")
    }
    return plots + keys.map { "NaN with lines linecolor rgb '#ffffff' title \(Self.quoted($0))" }
  }

  /// What the key says of bands and of the left edge.
  private var keys: [String] {
    series.bandKeys.map { "\($0.letter)  \(series.sentence($0))" } + [series.earliestSentence].compactMap { $0 }
  }
}
