import HealthPayload

/// Days as calendar months: tables, so that they can be read aloud as well as looked at.
struct CalendarMonths {
  /// How one day is shown.
  struct Cell {
    /// The class that gives it its look.
    let look: String
    /// A style of its own; empty for most.
    var style = ""
    /// What it means, for those who do not see the look.
    let words: String
    /// Whether it counts as known in the caption.
    let isKnown: Bool
  }

  private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
  private let days: [(date: LocalDate, cell: Cell)]

  init(_ days: [(date: LocalDate, cell: Cell)]) { self.days = days }

  var html: String {
    var months: [[(date: LocalDate, cell: Cell)]] = []
    for day in days {
      if let last = months.last?.last?.date.components,
        (last.year, last.month) == (day.date.components.year, day.date.components.month)
      {
        months[months.count - 1].append(day)
      } else {
        months.append([day])
      }
    }
    return Markup.element("div", [("class", "months")], months.map(month).joined(separator: "\n"))
  }

  private func month(_ days: [(date: LocalDate, cell: Cell)]) -> String {
    guard let first = days.first?.date else { return "" }
    let known = days.filter(\.cell.isKnown).count
    let caption = "\(Words.monthAndYear(first)): \(known) of \(Words.count(days.count, "day"))"
    let heads = Self.weekdays.map {
      Markup.element("th", [("scope", "col")], Markup.text("abbr", [("title", $0)], String($0.prefix(1))))
    }
    var cells = Array(repeating: "<td></td>", count: Self.weekday(first))
    cells += days.map { day in
      let style = day.cell.style.isEmpty ? [] : [("style", day.cell.style)]
      let hidden = Markup.text("span", [("class", "hidden")], " \(day.cell.words)")
      return Markup.element("td", [("class", day.cell.look)] + style, "\(day.date.components.day)\(hidden)")
    }
    let weeks = stride(from: 0, to: cells.count, by: 7).map { start in
      "<tr>\(cells[start..<min(cells.count, start + 7)].joined())</tr>"
    }
    return Markup.element(
      "table", [("class", "month")],
      Markup.text("caption", [], caption) + "<thead><tr>\(heads.joined())</tr></thead>\n<tbody>"
        + weeks.joined(separator: "\n") + "</tbody>")
  }

  /// 0 for a Monday.
  private static func weekday(_ date: LocalDate) -> Int {
    // 1970-01-01 was a Thursday.
    ((Int(date.daysSince1970) + 3) % 7 + 7) % 7
  }
}

extension SeriesDay {
  /// How a calendar shows the day.
  var cell: CalendarMonths.Cell {
    switch state {
    case .value: .init(look: "value", words: "measured", isKnown: true)
    case .zero: .init(look: "zero", words: "measured zero", isKnown: true)
    case .partial: .init(look: "partial", words: "at least", isKnown: true)
    case .unknown(let reason?): .init(look: "gap", words: "unknown: \(reason)", isKnown: false)
    case .unknown(nil): .init(look: "silence", words: "no entry", isKnown: false)
    }
  }
}
