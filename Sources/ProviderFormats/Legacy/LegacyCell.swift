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
  /// In which line of the table it stands, counted from 1.
  public var line: Int

  /// A number of an old table.
  public init(
    userID: UUID, localDate: LocalDate, metric: String, value: ExactNumber?, source: String? = nil, line: Int
  ) {
    self.userID = userID
    self.localDate = localDate
    self.metric = metric
    self.value = value
    self.source = source
    self.line = line
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
  /// Several rows have the same number for it. It is taken once.
  case sameTwice = "same_twice"
  /// Several rows have different numbers for it, and nobody has said which counts. None does.
  case conflict
  /// Several rows have different numbers for it. The first counts, by the operator's word.
  case conflictFirst = "conflict_first_taken"
  /// Several rows have different numbers for it. The last counts, by the operator's word.
  case conflictLast = "conflict_last_taken"

  /// What it means, for a report.
  public var words: String {
    switch self {
    case .zero: "zeros that may have been no data"
    case .impossibleZero: "zeros that nobody can have"
    case .withoutSource: "numbers that a platform makes up where no device is named"
    case .outOfRange: "numbers outside the metric's range"
    case .null: "NULL"
    case .sameTwice: "numbers that stand in several rows, taken once"
    case .conflict: "cells with different numbers in several rows, none of them taken"
    case .conflictFirst: "cells with different numbers in several rows, the first of them taken"
    case .conflictLast: "cells with different numbers in several rows, the last of them taken"
    }
  }
}

/// A cell of an old table that is doubted, and where it stands. It holds no number.
public struct DoubtedCell: Sendable, Hashable {
  /// The person.
  public var userID: UUID
  /// The day.
  public var localDate: LocalDate
  /// The metric in our catalogue.
  public var metric: String
  /// Why.
  public var doubt: Doubt
  /// The lines of the table that have to do with it.
  public var lines: [Int]

  init(_ rows: [LegacyCell], _ doubt: Doubt) {
    userID = rows[0].userID
    localDate = rows[0].localDate
    metric = rows[0].metric
    self.doubt = doubt
    lines = rows.map(\.line)
  }
}

/// Which of several rows with different numbers for one cell counts.
public enum LegacyConflict: String, Sendable, Hashable, CaseIterable {
  /// None: the cell is unknown. Which number was measured, nobody can tell from the table.
  case refuse
  /// The first one in the table.
  case first
  /// The last one in the table.
  case last
}
