import HealthPayload
import MetricPictures
import TestSupport
import Testing

/// Series that can be read in a test: one sign for each day.
enum Sketch {
  static let first = LocalDate(daysSince1970: 20_747)  // 2026-10-21, a Wednesday
  static let steps = MetricWords(
    code: "steps", name: "steps", noun: "steps", beginsAtZero: true, isIntermittent: false)
  static let weight = MetricWords(
    code: "weight", name: "weight", noun: "kg", beginsAtZero: false, isIntermittent: true)
  static let meanings = [
    "not_yet_synced": "We have not looked yet, or could not.", "provider_error": "A read failed.",
  ]

  static func amount(_ text: String) throws -> Amount {
    let number = try #require(ExactNumber(text))
    return try #require(Amount(number))
  }

  /// 1 to 9: so many thousands; 0: a measured zero; p: a lower bound of 2,500; n, e: not_yet_synced, provider_error;
  /// a point: no row. Joined as the database joins them.
  static func series(
    _ signs: String, of metric: MetricWords = steps, earliest: Int? = nil, average: String = "an average"
  ) throws -> Series {
    var days: [SeriesDay] = []
    var known: Int?
    for (index, sign) in signs.enumerated() {
      let state: SeriesDay.State =
        switch sign {
        case "0": .zero
        case "p": .partial(try amount("2500"))
        case "n": .unknown(reason: "not_yet_synced")
        case "e": .unknown(reason: "provider_error")
        case ".": .unknown(reason: nil)
        default: .value(try amount("\(sign)000"))
        }
      var connector = SeriesDay.Connector.none
      if "0123456789p".contains(sign) {
        if let known { connector = known == index - 1 ? .solid : metric.isIntermittent ? .dashed : .none }
        known = index
      }
      days.append(SeriesDay(date: first.adding(days: Int32(index)), state: state, connector: connector))
    }
    return Series(
      metric: metric, days: days,
      earliest: earliest.map { EarliestDay(date: first.adding(days: Int32($0)), label: "not imported yet") },
      average: average, meanings: meanings)
  }

  /// A series of any length, whose connectors may claim anything.
  static func random(_ numbers: inout SeededNumbers) throws -> Series {
    let length = [Int.random(in: 1...90, using: &numbers), Int.random(in: 1...1_500, using: &numbers)]
      .randomElement(using: &numbers)
    let metric = Bool.random(using: &numbers) ? steps : weight
    var days: [SeriesDay] = []
    for index in 0..<(try #require(length)) {
      let value = try amount("\(Int.random(in: 1...2_000_000, using: &numbers))")
      let states: [SeriesDay.State] = [
        .value(value), .value(value), .partial(value), .zero, .unknown(reason: "not_yet_synced"),
        .unknown(reason: "a_reason_that_nobody_knows"), .unknown(reason: nil),
      ]
      let connectors: [SeriesDay.Connector] = [.none, .solid, .dashed]
      days.append(
        SeriesDay(
          date: first.adding(days: Int32(index)), state: try #require(states.randomElement(using: &numbers)),
          connector: try #require(connectors.randomElement(using: &numbers))))
    }
    return Series(metric: metric, days: days, earliest: nil, average: "an average", meanings: meanings)
  }
}

extension SeriesDay {
  var isKnown: Bool { if case .unknown = state { false } else { true } }
}

extension String {
  /// What stands between the quotes of an attribute, for each element that has both the class and it.
  func attributes(_ name: String, ofClass kind: String) -> [String] {
    split(separator: "<").filter { $0.contains(" class=\"\(kind)\"") || $0.contains(" class=\"\(kind) ") }.compactMap {
      element in
      guard let start = element.firstRange(of: " \(name)=\"") else { return nil }
      return String(element[start.upperBound...].prefix { $0 != "\"" })
    }
  }
}
