import FoundationEssentials
import Glibc
import HealthPayload
import MetricDaemon
import MetricPictures
import MetricStore

/// Whose days a picture shows, and which.
struct PictureRequest {
  /// So many days are shown where nobody says how many.
  private static let usualDays: Int32 = 90
  /// More days than that are a mistake, and no picture.
  private static let mostDays: Int32 = 4_000

  let user: UUID
  private let from: LocalDate?
  private let to: LocalDate?

  init(_ call: Call) throws(Failure) {
    user = try PictureRequest.needed(
      .person, try call.setting { (values) throws(SettingError) in try values.uuid(.person) })
    from = try call.setting { (values) throws(SettingError) in try values.date(.from) }
    to = try call.setting { (values) throws(SettingError) in try values.date(.to) }
  }

  /// A setting without which there is nothing to draw.
  static func needed<Value>(_ setting: Setting, _ value: Value?) throws(Failure) -> Value {
    guard let value else { throw Failure(code: .usage, message: "\(setting.flag) \(setting.placeholder) is missing") }
    return value
  }

  /// The days to show: those asked for, else the last 90 of which anything is held.
  func days(held: ClosedRange<LocalDate>?) throws(Failure) -> ClosedRange<LocalDate> {
    guard let held else {
      throw Failure(
        code: .data,
        message:
          "nothing is held of user \(user.uuidString.lowercased()); is the id right, and has drain or run merged "
          + "what was queued? dailymetricd status says what still waits.")
    }
    let last = to ?? max(held.upperBound, from ?? held.upperBound)
    let first = from ?? min(last, max(last.adding(days: 1 - Self.usualDays), held.lowerBound))
    guard first <= last else {
      throw Failure(code: .usage, message: "--from \(first) lies after --to \(last): a picture needs a day")
    }
    guard last.daysSince1970 - first.daysSince1970 < Self.mostDays else {
      throw Failure(
        code: .usage, message: "\(first) to \(last) is too long: a picture shows at most \(Self.mostDays) days")
    }
    return first...last
  }
}

extension Series {
  /// What the database said about a metric, as it is drawn.
  init(_ stored: StoredSeries, of metric: DescribedMetric, meanings: [String: String]) throws(Failure) {
    var days: [SeriesDay] = []
    for row in stored.rows { days.append(try SeriesDay(row)) }
    self.init(
      metric: MetricWords(
        code: metric.code, name: metric.name, noun: metric.noun, beginsAtZero: metric.isAdded,
        isIntermittent: metric.isIntermittent),
      days: days, earliest: stored.earliest.map { EarliestDay(date: $0.date, label: $0.label) },
      average: stored.average,
      meanings: meanings)
  }
}

extension SeriesDay {
  fileprivate init(_ row: SeriesRow) throws(Failure) {
    func amount(_ number: ExactNumber) throws(Failure) -> Amount {
      guard let amount = Amount(number) else {
        throw Failure(code: .internalError, message: "the value of \(row.date) is too large to be drawn")
      }
      return amount
    }
    let state: State =
      switch row.state {
      case .value(let number): .value(try amount(number))
      case .partial(let number): .partial(try amount(number))
      case .zero: .zero
      case .unknown(let reason): .unknown(reason: reason)
      }
    let connector: Connector =
      switch row.connector {
      case .none: .none
      case .solid: .solid
      case .dashed: .dashed
      }
    self.init(date: row.date, state: state, connector: connector)
  }
}

extension Call {
  /// Writes a result to the file of --output, or to standard output. It is the result itself, so nothing else is written.
  func deliver(_ bytes: Data) throws(Failure) {
    guard let path = try setting({ (values) throws(SettingError) in try values.text(.output) }) else {
      if let error = Output.write(bytes, to: STDOUT_FILENO) {
        let reason = String(cString: strerror(error))
        throw Failure(code: .cannotCreate, message: "standard output cannot be written: \(reason)")
      }
      return
    }
    try PrivateFile.write(bytes, to: path)
  }
}
