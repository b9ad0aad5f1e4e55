public import FoundationEssentials
public import HealthPayload
internal import PayloadDecoder

/// A number of a table that has no column for "unknown": one metric of one person on one day.
public struct LegacyCell: Sendable, Hashable {
  /// The person.
  public var userID: UUID
  /// The day.
  public var localDate: LocalDate
  /// The metric in our catalogue.
  public var metric: String
  /// The number in the metric's unit; nil where the table has NULL, which says nothing.
  public var value: ExactNumber?
  /// The device or app behind it; nil where the table does not say.
  public var source: String?

  /// A number of an old table.
  public init(userID: UUID, localDate: LocalDate, metric: String, value: ExactNumber?, source: String? = nil) {
    self.userID = userID
    self.localDate = localDate
    self.metric = metric
    self.value = value
    self.source = source
  }
}

/// Why a number of an old table is not taken as it stands.
public enum Doubt: String, Sendable, Hashable, CaseIterable {
  /// A zero that may have been no data. It becomes 0 again only if something else of that day shows that somebody was there.
  case zero
  /// A zero that nobody can have, such as that of a resting energy or a weight.
  case impossibleZero = "impossible_zero"
  /// A number that platforms make up without a device, and no device is named.
  case withoutSource = "without_source"
  /// A number outside the metric's range: set aside when it is merged.
  case outOfRange = "out_of_range"
  /// NULL.
  case null

  /// What it means, for a report.
  public var words: String {
    switch self {
    case .zero: "zeros that may have been no data"
    case .impossibleZero: "zeros that nobody can have"
    case .withoutSource: "numbers that a platform makes up where no device is named"
    case .outOfRange: "numbers outside the metric's range"
    case .null: "NULL"
    }
  }
}
