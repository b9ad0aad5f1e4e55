/// What one read found out about one metric on one day.
public struct DayEntry: Sendable, Hashable {
  /// What the read found. Only `value` carries a number: a day without one cannot be mistaken for a day of zero.
  public enum Outcome: Sendable, Hashable {
    /// The store holds this total, zero included. The unit is UCUM; nil means the metric's own.
    case value(ExactNumber, unit: String? = nil)
    /// The read succeeded and the store holds nothing for the day.
    case empty
    /// The read failed; the code is the platform's own word, nil if it said none.
    case failed(code: String? = nil)
    /// The platform said that permission is missing.
    case denied(code: String? = nil)
    /// This device or provider does not measure the metric.
    case unavailable(code: String? = nil)

    /// Whether the store was read, so that nothing found is nothing there. A process that had such an outcome has read
    /// successfully.
    public var isLook: Bool {
      switch self {
      case .value, .empty: true
      case .failed, .denied, .unavailable: false
      }
    }
  }

  /// Name of the metric, such as `steps`.
  public var metric: String
  /// The day, as the client's calendar named it.
  public var localDate: LocalDate
  /// What was found.
  public var outcome: Outcome
  /// Devices or apps that contributed, each once; empty if the platform names none.
  public var sources: [String]
  /// Whether the read covered the whole day after its end; nil says nothing.
  public var complete: Bool?
  /// Minutes of the day that the data cover; nil says nothing, zero says none.
  public var coveredMinutes: Int?

  /// An entry for one metric and day.
  public init(
    metric: String, localDate: LocalDate, outcome: Outcome, sources: [String] = [], complete: Bool? = nil,
    coveredMinutes: Int? = nil
  ) {
    self.metric = metric
    self.localDate = localDate
    self.outcome = outcome
    self.sources = sources
    self.complete = complete
    self.coveredMinutes = coveredMinutes
  }
}
