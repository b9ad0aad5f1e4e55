import HealthPayload

/// The entries of one payload that were accepted, and what is known of them for judging them together.
struct AcceptedEntries {
  var days: [DayEntry] = []
  var records: [RecordEntry] = []
  var deletions: [Deletion] = []
  var presence: [Presence] = []
  var windows: [ReadWindow] = []
  var permissions: [Permission] = []
  var timeZones: [TimeZoneStatement] = []
  var backfill: [BackfillState] = []
  var readable: [String] = []
  var looked: [LookedRange] = []

  /// Judged days by the index of their entry, those of days and of records apart: a record's position follows on the days',
  /// however the blocks stand in the text.
  var judgedDays: [JudgedDay] = []
  var judgedRecords: [JudgedDay] = []
  /// Index of the metric of each judged day, and of each judged record.
  var judgedMetrics: [Int] = []
  var judgedRecordMetrics: [Int] = []
  var dayCount: Int32 = 0
  /// Zeros of sums, which an impossible zero of the same date may discredit.
  var zeros: [Zero] = []
  /// Dates on which a sum had an impossible zero.
  var tainted: Set<LocalDate> = []
  /// Whether a day failed.
  var hasFailedDay = false
  /// By metric: whether the payload proves that it can be read.
  var proof: [Bool] = []

  /// Makes room for the entries of a block of so many bytes, so that long lists need not move while they grow.
  mutating func reserve(entriesIn bytes: Int, _ parts: DecodedParts) {
    let estimate = bytes / 120
    if parts == .all { days.reserveCapacity(estimate) }
    judgedDays.reserveCapacity(estimate)
    judgedMetrics.reserveCapacity(estimate)
  }

  /// A zero of a sum: where it stands, in the lists and in the text.
  struct Zero {
    let day: Int
    let judged: Int
    let pointer: String
    let offset: Int
    let range: Range<Int>
  }
}
