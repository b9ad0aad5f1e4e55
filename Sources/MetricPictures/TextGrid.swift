import HealthPayload

/// Where days stand among the columns of a text picture.
struct TextGrid {
  let days: Int
  /// The columns that there are.
  let available: Int
  /// 1, or more where there are more days than columns.
  let daysPerColumn: Int
  /// 1, or more where there are fewer days than columns.
  private let columnsPerDay: Int

  init(days: Int, columns: Int) {
    (self.days, available) = (days, columns)
    daysPerColumn = max(1, (days + columns - 1) / columns)
    columnsPerDay = min(8, max(1, columns / max(1, days)))
  }

  /// The columns that are used.
  var used: Int { daysPerColumn > 1 ? (days + daysPerColumn - 1) / daysPerColumn : days * columnsPerDay }

  /// The column of a day's mark.
  func column(_ day: Int) -> Int {
    daysPerColumn > 1 ? day / daysPerColumn : day * columnsPerDay + columnsPerDay / 2
  }

  /// The column of a day's dot; there are two in each character.
  func dotColumn(_ day: Int) -> Int {
    guard daysPerColumn > 1 else { return column(day) * 2 }
    return column(day) * 2 + (day % daysPerColumn) * 2 / daysPerColumn
  }

  /// The days of a column.
  private func daysAt(_ column: Int) -> Range<Int> {
    if daysPerColumn == 1 { return column / columnsPerDay..<column / columnsPerDay + 1 }
    return column * daysPerColumn..<min(days, (column + 1) * daysPerColumn)
  }

  /// Whether all of a column is unknown for a reason.
  func isGap(_ column: Int, _ series: Series) -> Bool {
    daysAt(column).allSatisfy { if case .unknown(.some) = series.days[$0].state { true } else { false } }
  }

  /// How many days a label of a date needs.
  var daysPerLabel: Int { max(1, (8 * daysPerColumn + columnsPerDay - 1) / columnsPerDay) }

  /// Below each column the letter of its first unknown day, or a blank.
  func strip(_ series: Series) -> String {
    let letters = Dictionary(uniqueKeysWithValues: series.bandKeys.map { ($0.reason, $0.letter) })
    return (0..<used).map { column in
      for day in daysAt(column) {
        if case .unknown(let reason) = series.days[day].state, let letter = letters[reason] { return letter }
      }
      return " "
    }.joined()
  }
}

/// Which days have their date below them.
struct DateTicks {
  let ticks: [(index: Int, label: String)]

  /// - Parameter spacing: the fewest days between two labels.
  init(_ dates: [LocalDate], atLeast spacing: Int) {
    var ticks: [(index: Int, label: String)] = []
    let days = dates.enumerated()
    switch spacing {
    case ...1: ticks = days.map { ($0.offset, Words.short($0.element)) }
    case ...28:
      let step = spacing == 2 ? 2 : spacing <= 7 ? 7 : spacing <= 14 ? 14 : 28
      ticks = days.filter { $0.offset % step == 0 }.map { ($0.offset, Words.short($0.element)) }
    default:
      // Months, with the year: all, every third, or Januaries every few years.
      let months = [1, 2, 3, 6, 12, 24, 60, 120].first { $0 * 30 >= spacing }
      for (index, date) in days where date.components.day == 1 {
        let number = date.components.year * 12 + date.components.month - 1
        if let months, number % months == 0 { ticks.append((index, Words.monthAndYear(date))) }
      }
    }
    self.ticks = ticks
  }
}
