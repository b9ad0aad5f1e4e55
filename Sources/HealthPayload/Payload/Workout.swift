/// One workout: a stretch of time, and the samples that were taken in it, with their gaps.
public struct Workout: Sendable, Hashable {
  /// The longest workout that is believed to be one, in seconds.
  public static let longest: Int64 = 14 * 86_400

  /// The platform's id of the workout, compared without case where it has the shape of a UUID. A deletion names it.
  public var recordID: String
  /// The day to which it counts.
  public var localDate: LocalDate
  /// Device or app that wrote it; nil if the platform names none.
  public var source: String?
  /// When it began.
  public var start: Instant
  /// When it ended, after it began.
  public var end: Instant
  /// How it came to be.
  public var entry: RecordEntry.Entry
  /// Where it was, as far as that was seen; empty says nothing.
  public var locations: [LocationSample]
  /// How the heart beat, as far as that was seen; empty says nothing.
  public var heartRates: [HeartRateSample]

  /// A workout of one day.
  public init(
    recordID: String, localDate: LocalDate, source: String? = nil, start: Instant, end: Instant,
    entry: RecordEntry.Entry = .sensor, locations: [LocationSample] = [], heartRates: [HeartRateSample] = []
  ) {
    self.recordID = recordID
    self.localDate = localDate
    self.source = source
    self.start = start
    self.end = end
    self.entry = entry
    self.locations = locations
    self.heartRates = heartRates
  }

  /// What it amounts to; nil where it ends before it begins.
  public var summary: WorkoutSummary? {
    WorkoutSummary(start: start, end: end, locations: locations, heartRates: heartRates)
  }
}
