/// What one read saw of one hour of a metric.
public struct HourEntry: Sendable, Hashable {
  /// What was seen. A value comes only together with the minutes that it covers.
  public enum Seen: Sendable, Hashable {
    /// Not a minute of the hour was seen. This is not zero.
    case nothing
    /// A value, zero included, over so many minutes of the hour, at least one. The unit is UCUM; nil means the metric's own.
    case value(ExactNumber, unit: String? = nil, coveredMinutes: Int)
  }

  /// Minutes of an hour that the clock shows once.
  public static let usualMinutes = 60

  /// Name of the metric, such as `steps`.
  public var metric: String
  /// The day, as the client's calendar named it.
  public var localDate: LocalDate
  /// The hour that the clock showed, 0 to 23.
  public var localHour: Int
  /// What was seen of it.
  public var seen: Seen
  /// How long it lasted: 60 minutes, or 120 where the clock was put back by an hour and showed it twice.
  public var minutes: Int

  /// An entry for one hour of a metric.
  public init(
    metric: String, localDate: LocalDate, localHour: Int, seen: Seen, minutes: Int = HourEntry.usualMinutes
  ) {
    self.metric = metric
    self.localDate = localDate
    self.localHour = localHour
    self.seen = seen
    self.minutes = minutes
  }

  /// What a person is shown: "no data", "0", "1840+ (42 of 60 min)". The plus stands where the rest of the hour can only add
  /// to the value: say false for an average.
  public func display(addsUp: Bool = true) -> String {
    guard case .value(let value, _, let covered) = seen, covered > 0 else { return "no data" }
    return covered >= minutes ? value.text : "\(value)\(addsUp ? "+" : "") (\(covered) of \(minutes) min)"
  }
}
