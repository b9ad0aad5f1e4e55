/// Where things stand in an SVG picture, in its own units.
struct SVGFrame {
  let width: Double
  let height: Double
  /// The field in which days and values stand.
  let left: Double
  let right: Double
  let top: Double
  let bottom: Double
  private let days: Int
  private let scale: Scale?

  /// - Parameters:
  ///   - width: of the whole picture.
  ///   - head: what stands above it.
  init(_ series: Series, scale: Scale?, width: Double, height: Double, top head: Double) {
    (self.width, days, self.scale) = (width, max(1, series.days.count), scale)
    left = 14 + 7 * Double((scale?.labels ?? []).map(\.count).reduce(1, max))
    right = width - 10
    // The letters of the bands stand above the field, the dates below it.
    top = head + 20
    bottom = top + height
    // Dates, and below them the left edge's label.
    self.height = bottom + (series.earliest == nil ? 24 : 42)
  }

  var dayWidth: Double { (right - left) / Double(days) }
  /// The edge before a day.
  func edge(_ day: Int) -> Double { left + Double(day) * dayWidth }
  /// The middle of a day.
  func x(_ day: Int) -> Double { edge(day) + dayWidth / 2 }
  /// The height of a value; without an axis the middle.
  func y(_ value: Double) -> Double {
    guard let scale else { return (top + bottom) / 2 }
    return bottom - scale.share(of: value) * (bottom - top)
  }
}
