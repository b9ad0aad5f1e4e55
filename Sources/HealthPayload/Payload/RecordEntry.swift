/// One platform record. Records are kept with their ids, so that a deletion by id can be acted on.
public struct RecordEntry: Sendable, Hashable {
  /// How a record came to be.
  public enum Entry: String, Sendable, Encodable, CaseIterable {
    /// A device or app measured it.
    case sensor
    /// Someone typed it in: it counts in the value and is no evidence that a device was worn.
    case manual
  }

  /// The platform's id of the record, compared without case where it has the shape of a UUID.
  public var recordID: String
  /// Name of the metric.
  public var metric: String
  /// The day to which the record counts.
  public var localDate: LocalDate
  /// Device or app that wrote it; nil if the platform names none.
  public var source: String?
  /// Begin of its interval; nil if it has none.
  public var start: Instant?
  /// End of its interval; nil if it has none.
  public var end: Instant?
  /// Its value in `unit`; nil if it carries none, as a workout that is only counted. Zero is a value.
  public var value: ExactNumber?
  /// UCUM unit of the value; nil means the metric's own.
  public var unit: String?
  /// How it came to be.
  public var entry: Entry

  /// A record of one metric on one day.
  public init(
    recordID: String, metric: String, localDate: LocalDate, source: String? = nil, start: Instant? = nil,
    end: Instant? = nil, value: ExactNumber? = nil, unit: String? = nil, entry: Entry = .sensor
  ) {
    self.recordID = recordID
    self.metric = metric
    self.localDate = localDate
    self.source = source
    self.start = start
    self.end = end
    self.value = value
    self.unit = unit
    self.entry = entry
  }
}

/// An explicit signal that something was deleted. The absence of a record from a read is none.
public struct Deletion: Sendable, Hashable {
  /// What was deleted.
  public enum Target: Sendable, Hashable {
    /// The record with this id.
    case record(id: String)
    /// Everything of a metric between two instants, for platforms that send no ids.
    case interval(metric: String, start: Instant, end: Instant)
  }

  /// What was deleted.
  public var target: Target
  /// The client's word for the kind of signal; nil says nothing.
  public var kind: String?

  /// A deletion of a record or an interval.
  public init(_ target: Target, kind: String? = nil) {
    self.target = target
    self.kind = kind
  }
}

/// Evidence that a source was worn or carried on a day.
public struct Presence: Sendable, Hashable {
  /// What the evidence is about.
  public enum Kind: String, Sendable, Encodable, CaseIterable {
    /// It was worn on the body.
    case wear
    /// It was carried along.
    case carry
    /// It delivered its activities.
    case activitySync = "activity_sync"
  }

  /// The day.
  public var localDate: LocalDate
  /// Device or app.
  public var source: String
  /// What the evidence is about.
  public var kind: Kind
  /// For how many minutes; nil is unknown, zero is evidence of nothing.
  public var minutes: Int?

  /// Evidence about one source and day.
  public init(localDate: LocalDate, source: String, kind: Kind, minutes: Int? = nil) {
    self.localDate = localDate
    self.source = source
    self.kind = kind
    self.minutes = minutes
  }
}
