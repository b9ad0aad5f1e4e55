import HealthPayload

/// The entries of one payload that were accepted, and what is known of them for judging them together.
struct AcceptedEntries {
  var days: [DayEntry] = []
  var hours: [HourEntry] = []
  var records: [RecordEntry] = []
  var workouts: [Workout] = []
  var deletions: [Deletion] = []
  var presence: [Presence] = []
  var windows: [ReadWindow] = []
  var permissions: [Permission] = []
  var timeZones: [TimeZoneStatement] = []
  var backfill: [BackfillState] = []
  var readable: [String] = []
  var looked: [LookedRange] = []

  /// Index of each metric in `readable`.
  var readableMetrics: Set<Int> = []
  /// Judged days by the index of their entry, those of days and of records apart: a record's position follows on the days',
  /// however the blocks stand in the text.
  var judgedDays: [JudgedDay] = []
  var judgedRecords: [JudgedRecord] = []
  var judgedHours: [JudgedHour] = []
  /// The records that workouts are; their positions follow on the records'.
  var workoutRecords: [JudgedRecord] = []
  var workoutRecordMetrics: [Int] = []
  /// What records say of their day without being a record.
  var recordDays: [JudgedDay] = []
  /// Index of the metric of each of these.
  var judgedMetrics: [Int] = []
  var judgedRecordMetrics: [Int] = []
  var recordDayMetrics: [Int] = []
  /// Cells of entries of days and records that were refused and say nothing. They are no absence all the same.
  var refusedCells: Set<PayloadCell> = []
  /// Entries of the blocks of days and records, refused ones among them.
  var dayCount: Int32 = 0
  var recordCount: Int32 = 0
  /// Ranges that were looked at, with the index of their metric; nil is all.
  var ranges: [(metric: Int?, days: ClosedRange<Int32>)] = []
  /// Zeros of sums, which an impossible zero of the same date may discredit.
  var zeros: [Zero] = []
  /// The same of hours.
  var hourZeros: [Zero] = []
  /// Dates on which a sum had an impossible zero.
  var tainted: Set<LocalDate> = []
  /// Whether a day failed.
  var hasFailedDay = false
  /// By metric: whether the payload proves that it can be read.
  var proof: [Bool] = []

  private var recentSource = ""

  /// The same text, as one with the record before it if that has the same: most of 200,000 records name one device.
  mutating func shared(_ source: String) -> String {
    if source != recentSource { recentSource = source }
    return recentSource
  }

  /// Makes room for the entries of a block of so many bytes, so that long lists need not move while they grow.
  mutating func reserve(entriesIn bytes: Int, _ parts: DecodedParts) {
    let estimate = bytes / 120
    if parts == .all { days.reserveCapacity(estimate) }
    judgedDays.reserveCapacity(estimate)
    judgedMetrics.reserveCapacity(estimate)
  }

  /// Notes that an entry about a cell was refused, as far as it says which. A day that cannot be is none, and mentions nothing.
  mutating func noteRefused(_ metric: MetricFacts?, _ date: LocalDate?, last: LocalDate) {
    guard let metric, let date, date >= Envelope.firstDate, date <= last else { return }
    refusedCells.insert(PayloadCell(metric: metric.index, day: date.daysSince1970))
  }

  /// A zero of a sum: where it stands, in the lists and in the text.
  struct Zero {
    /// Its place in the list of entries.
    let entry: Int
    let judged: Int
    let pointer: String
    let offset: Int
    let range: Range<Int>
  }
}

/// A metric and day that a payload says something about.
struct PayloadCell: Hashable {
  /// Index of the metric.
  let metric: Int
  /// Days since 1970.
  let day: Int32
}
