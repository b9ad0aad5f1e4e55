public import HealthPayload

/// One hour of a metric, judged by the laws of the boundary.
public struct JudgedHour: Sendable, Hashable {
  /// Id of the metric in the catalogue.
  public var metric: Int16
  /// The day.
  public var localDate: LocalDate
  /// The hour that the clock showed, 0 to 23.
  public var localHour: Int16
  /// Place of the entry among the hours of its payload, from zero.
  public var position: Int32
  /// The value in the metric's unit; nil exactly if not a minute is covered. Zero is a value.
  public var value: ExactNumber?
  /// How many minutes were seen.
  public var coveredMinutes: Int16
  /// How many minutes the hour lasted.
  public var minutes: Int16
}
