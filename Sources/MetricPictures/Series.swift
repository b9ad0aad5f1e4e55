public import HealthPayload

/// A number to be drawn: its text for people, and its place on an axis.
public struct Amount: Sendable, Hashable {
  /// The number as it was stored, to its last digit.
  public let text: String
  /// The same number, as near as an axis needs it.
  let position: Double

  /// The amount of a stored number; nil for one that lies outside everything that can be drawn.
  public init?(_ number: ExactNumber) {
    guard let position = Double(number.text), position.isFinite else { return nil }
    (text, self.position) = (number.text, position)
  }
}

/// One calendar day of a series. A day that is not known has no number at all, so that none can be drawn.
public struct SeriesDay: Sendable, Hashable {
  /// What is known of the day.
  public enum State: Sendable, Hashable {
    /// Measured, and not zero.
    case value(Amount)
    /// Measured, and zero.
    case zero
    /// Measured before the day was over: a lower bound.
    case partial(Amount)
    /// Not known. The reason's code; nil where there is no row for the day.
    case unknown(reason: String?)
  }

  /// How a day is joined to the known day before it.
  public enum Connector: String, Sendable {
    /// Not at all.
    case none
    /// By a line: both days are known and follow each other.
    case solid
    /// By a dashed line across days without an entry, which are normal for this metric.
    case dashed
  }

  /// The local calendar day.
  public let date: LocalDate
  /// What is known of it.
  public let state: State
  /// How it is joined to the known day before it.
  public let connector: Connector

  /// A day of a series.
  public init(date: LocalDate, state: State, connector: Connector) {
    (self.date, self.state, self.connector) = (date, state, connector)
  }

  /// Where the day stands on the axis of values; nil for a day that is not known.
  var position: Double? {
    switch state {
    case .value(let amount), .partial(let amount): amount.position
    case .zero: 0
    case .unknown: nil
    }
  }
}

/// The words for a metric.
public struct MetricWords: Sendable, Hashable {
  /// The name in payloads, such as `distance_walk_run`.
  public let code: String
  /// The name for people, such as walking distance.
  public let name: String
  /// Noun or unit for sentences, such as steps or kcal; empty where there is none.
  public let noun: String
  /// Whether its axis begins at zero: for sums and counts a cut axis would exaggerate.
  public let beginsAtZero: Bool
  /// Whether days without an entry are normal.
  public let isIntermittent: Bool

  /// The words for a metric.
  public init(code: String, name: String, noun: String, beginsAtZero: Bool, isIntermittent: Bool) {
    (self.code, self.name, self.noun) = (code, name, noun)
    (self.beginsAtZero, self.isIntermittent) = (beginsAtZero, isIntermittent)
  }

  /// The name with its unit, such as `walking distance (m)`.
  var title: String { noun.isEmpty || noun == name ? name : "\(name) (\(noun))" }
}

/// The earliest day that is held of a metric.
public struct EarliestDay: Sendable, Hashable {
  /// The day.
  public let date: LocalDate
  /// Why there is nothing before it, such as `not imported yet`.
  public let label: String

  /// A day and why there is nothing before it.
  public init(date: LocalDate, label: String) {
    (self.date, self.label) = (date, label)
  }
}

/// All that a picture of one metric shows.
public struct Series: Sendable {
  /// The metric.
  public let metric: MetricWords
  /// The days, one after the other without a break.
  public let days: [SeriesDay]
  /// The earliest day that is held; nil: none is.
  public let earliest: EarliestDay?
  /// The average with its denominator, or that there is no data.
  public let average: String
  /// What each reason means, by its code.
  public let meanings: [String: String]

  /// All that a picture of one metric shows.
  public init(
    metric: MetricWords, days: [SeriesDay], earliest: EarliestDay?, average: String, meanings: [String: String]
  ) {
    (self.metric, self.days, self.earliest) = (metric, days, earliest)
    (self.average, self.meanings) = (average, meanings)
  }
}
