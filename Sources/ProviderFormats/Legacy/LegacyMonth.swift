public import FoundationEssentials
public import HealthPayload
public import PayloadDecoder

/// The numbers of one person and month of an old table on their way into a payload.
///
/// The table was filled by code that had no word for "unknown", so that its zeros are claims of nobody: they are sent as days
/// that were read and hold nothing. What the laws find of that day besides, such as a heart rate, makes a zero of them again.
public struct LegacyMonth: Sendable {
  /// What a cell for which the table has different numbers fails with. catalogue/platform_errors.csv says what becomes of it.
  static let conflictCode = "import.conflicting_rows"

  /// The person.
  public let userID: UUID
  private let month: Int
  private let origin: Origin
  private let catalogue: Catalogue
  private var lastDay: LocalDate
  private var order: [Key] = []
  private var rows: [Key: [LegacyCell]] = [:]

  private struct Key: Hashable {
    let day: LocalDate
    let metric: String
  }

  /// An empty month of the person and month of a cell.
  ///
  /// - Parameter origin: under which platform and store the numbers are kept. A store of their own keeps them apart from
  ///   what the platform says itself.
  public init(of cell: LegacyCell, origin: Origin, catalogue: Catalogue) {
    userID = cell.userID
    month = cell.localDate.month
    lastDay = cell.localDate
    self.origin = origin
    self.catalogue = catalogue
  }

  /// Whether a cell is of the same person and month.
  public func holds(_ cell: LegacyCell) -> Bool { cell.userID == userID && cell.localDate.month == month }

  /// Takes a number. How far it is believed is judged when all rows are there.
  public mutating func add(_ cell: LegacyCell) {
    lastDay = max(lastDay, cell.localDate)
    let key = Key(day: cell.localDate, metric: cell.metric)
    if rows[key] == nil { order.append(key) }
    rows[key, default: []].append(cell)
  }

  /// The payload as its JSON text, the same for the same rows, and what is doubted, cell by cell in the order of the rows.
  ///
  /// The payload counts as read when the month's last day was over everywhere, so that whatever is read later speaks louder,
  /// and a millionth of the time since then later, so that of two imports the later one does.
  ///
  /// - Parameters:
  ///   - conflict: which of several rows with different numbers for one cell counts.
  ///   - now: no read is later.
  /// - Returns: no text if no row had a number.
  /// - Throws: `too_large` for a number that cannot be written.
  public func judged(
    by conflict: LegacyConflict, now: Instant
  ) throws(PayloadFault) -> (text: [UInt8]?, doubts: [DoubtedCell]) {
    var payload = SyncPayload(payloadID: userID, userID: userID, origin: origin)
    var doubts: [DoubtedCell] = []
    for key in order {
      guard let rows = rows[key] else { continue }
      if let entry = entry(for: rows, conflict, &doubts) { payload.days.append(entry) }
    }
    guard !payload.days.isEmpty else { return (nil, doubts) }
    let noon = Int64(lastDay.adding(days: 2).daysSince1970) * 86_400 + 43_200
    let since = max(0, now.microseconds / 1_000_000 - noon)
    payload.read.readAt = min(Instant(microseconds: noon * 1_000_000 + since), now)
    payload.payloadID = UUID(contentHash: ContentHash.of(try payload.json()))
    return (try payload.json(), doubts)
  }

  /// What the rows of one cell amount to; nil: they say nothing. A row with NULL says nothing beside one with a number.
  private func entry(for rows: [LegacyCell], _ conflict: LegacyConflict, _ doubts: inout [DoubtedCell]) -> DayEntry? {
    doubts += rows.filter { $0.value == nil }.map { DoubtedCell([$0], .null) }
    let numbers = rows.filter { $0.value != nil }
    guard let first = numbers.first, let last = numbers.last else { return nil }
    var taken = numbers.first { $0.source != nil } ?? first
    if Set(numbers.map(\.value)).count > 1 {
      switch conflict {
      case .refuse:
        doubts.append(DoubtedCell(numbers, .conflict))
        let failure = DayEntry.Outcome.failed(code: LegacyMonth.conflictCode)
        return DayEntry(metric: first.metric, localDate: first.localDate, outcome: failure)
      case .first:
        doubts.append(DoubtedCell(numbers, .conflictFirst))
        taken = first
      case .last:
        doubts.append(DoubtedCell(numbers, .conflictLast))
        taken = last
      }
    } else if numbers.count > 1 {
      doubts.append(DoubtedCell(numbers, .sameTwice))
    }
    return entry(for: taken, &doubts)
  }

  private func entry(for cell: LegacyCell, _ doubts: inout [DoubtedCell]) -> DayEntry? {
    guard let value = cell.value else { return nil }
    let metric = catalogue.metric(named: cell.metric)
    if let doubt = LegacyMonth.doubt(about: cell, value, metric) { doubts.append(DoubtedCell([cell], doubt)) }
    let isClaimOfNobody = value.isZero && metric?.zeroPolicy != .ordinary
    return DayEntry(
      metric: cell.metric, localDate: cell.localDate, outcome: isClaimOfNobody ? .empty : .value(value),
      sources: isClaimOfNobody ? [] : [cell.source].compactMap { $0 })
  }

  private static func doubt(about cell: LegacyCell, _ value: ExactNumber, _ metric: MetricRow?) -> Doubt? {
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
