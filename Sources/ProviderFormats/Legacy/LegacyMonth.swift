public import FoundationEssentials
public import HealthPayload
public import PayloadDecoder

/// The numbers of one person and month of an old table on their way into a payload.
///
/// The table was filled by code that had no word for "unknown", so that its zeros are claims of nobody: they are sent as days
/// that were read and hold nothing. What the laws find of that day besides, such as a heart rate, makes a zero of them again.
public struct LegacyMonth: Sendable {
  /// What is doubted so far, in the order of the rows.
  public private(set) var doubts: [(cell: LegacyCell, doubt: Doubt)] = []
  /// The person.
  public var userID: UUID { payload.userID }
  private var payload: SyncPayload
  private let month: Int
  private let catalogue: Catalogue
  private var lastDay: LocalDate

  /// An empty month of the person and month of a cell.
  ///
  /// - Parameter origin: under which platform and store the numbers are kept. A store of their own keeps them apart from
  ///   what the platform says itself.
  public init(of cell: LegacyCell, origin: Origin, catalogue: Catalogue) {
    payload = SyncPayload(payloadID: cell.userID, userID: cell.userID, origin: origin)
    month = cell.localDate.month
    lastDay = cell.localDate
    self.catalogue = catalogue
  }

  /// Whether a cell is of the same person and month.
  public func holds(_ cell: LegacyCell) -> Bool { cell.userID == payload.userID && cell.localDate.month == month }

  /// Takes a number, and says how far it is believed.
  public mutating func add(_ cell: LegacyCell) {
    lastDay = max(lastDay, cell.localDate)
    let metric = catalogue.metric(named: cell.metric)
    if let doubt = LegacyMonth.doubt(about: cell, metric) { doubts.append((cell, doubt)) }
    guard let value = cell.value else { return }
    let isClaimOfNobody = value.isZero && metric?.zeroPolicy != .ordinary
    payload.days.append(
      DayEntry(
        metric: cell.metric, localDate: cell.localDate, outcome: isClaimOfNobody ? .empty : .value(value),
        sources: isClaimOfNobody ? [] : [cell.source].compactMap { $0 }))
  }

  /// The payload as its JSON text, the same for the same rows; nil if no row had a number.
  ///
  /// It counts as read when the month's last day was over everywhere, so that whatever is read later speaks louder, and a
  /// millionth of the time since then later, so that of two imports the later one does.
  ///
  /// - Parameter now: no read is later.
  /// - Throws: `too_large` for a number that cannot be written.
  public func text(now: Instant) throws(PayloadFault) -> [UInt8]? {
    guard !payload.days.isEmpty else { return nil }
    let noon = Int64(lastDay.adding(days: 2).daysSince1970) * 86_400 + 43_200
    var payload = payload
    let since = max(0, now.microseconds / 1_000_000 - noon)
    payload.read.readAt = min(Instant(microseconds: noon * 1_000_000 + since), now)
    payload.payloadID = UUID(contentHash: ContentHash.of(try payload.json()))
    return try payload.json()
  }

  private static func doubt(about cell: LegacyCell, _ metric: MetricRow?) -> Doubt? {
    guard let value = cell.value else { return .null }
    guard let metric else { return nil }
    if value.isZero {
      switch metric.zeroPolicy {
      case .ordinary: return nil
      case .never: return .impossibleZero
      default: return .zero
      }
    }
    if value < metric.low || metric.high < value { return .outOfRange }
    return metric.needsSource && cell.source == nil ? .withoutSource : nil
  }
}

extension LocalDate {
  /// The number of its month, from the year 0 on.
  fileprivate var month: Int { components.year * 12 + components.month }
}
