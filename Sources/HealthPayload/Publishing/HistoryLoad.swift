#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Gathers a load of the past, which counts as a whole or not at all.
///
/// A phone that is locked fails every day at once. A load with holes would look like a life with holes, so one failed day
/// abandons it, and the abandonment is an error that has to be handled.
public struct HistoryLoad: Sendable {
  /// The person's zones; repeated on each page, as all statements are, because a page is judged by its own.
  public var timeZones: [TimeZoneStatement] = []
  /// Boundaries of what can be read.
  public var windows: [ReadWindow] = []
  /// What the platform said about permissions.
  public var permissions: [Permission] = []
  /// Metrics of which the load has seen samples that the app had not written itself.
  public var readable: [String] = []
  /// Joins the pages. A load that is tried again needs another one.
  public let id: String

  private let userID: UUID
  private let origin: Origin
  private let readAt: Instant
  private var days: [DayEntry] = []
  private var presence: [Presence] = []
  private var records: [RecordEntry] = []

  /// An empty load of one person's store, read at `readAt` on the client's clock.
  public init(id: String = UUID().uuidString, userID: UUID, origin: Origin, readAt: Instant) {
    self.id = id
    self.userID = userID
    self.origin = origin
    self.readAt = readAt
  }

  /// Adds what the load found out about a day.
  public mutating func add(_ entry: DayEntry) { days.append(entry) }
  /// Adds evidence that a device was there.
  public mutating func add(_ evidence: Presence) { presence.append(evidence) }
  /// Adds a record.
  public mutating func add(_ record: RecordEntry) { records.append(record) }

  /// The payloads of the load in the order in which they are sent, the last one marked; throws where a day failed.
  ///
  /// All entries of a date are on one page, because reads that fail together are recognised together. A page has at most
  /// `entries` of them, unless one date alone has more. `payloadID` is asked for each page's id.
  public func pages(
    ofAtMost entries: Int = 10_000, payloadID: () -> UUID = { UUID() }
  ) throws(LoadAbandoned) -> [SyncPayload] {
    let failures = days.filter(\.outcome.isFailure)
    guard failures.isEmpty else { throw LoadAbandoned(loadID: id, failures: failures, days: days.count) }
    let groups = grouped(atMost: entries)
    return groups.enumerated().map { index, dates in
      page(payloadID(), number: index + 1, isFinal: index == groups.count - 1, dates: dates)
    }
  }

  /// The dates of each page; a load without entries is one page that says when and where it looked.
  private func grouped(atMost entries: Int) -> [Set<LocalDate>] {
    var counts: [LocalDate: Int] = [:]
    for date in days.map(\.localDate) + presence.map(\.localDate) + records.map(\.localDate) {
      counts[date, default: 0] += 1
    }
    var pages: [Set<LocalDate>] = [[]]
    var room = entries
    for (date, count) in counts.sorted(by: { $0.key < $1.key }) {
      if count > room, let last = pages.last, !last.isEmpty {
        pages.append([])
        room = entries
      }
      pages[pages.count - 1].insert(date)
      room -= count
    }
    return pages
  }

  private func page(_ payloadID: UUID, number: Int, isFinal: Bool, dates: Set<LocalDate>) -> SyncPayload {
    let read = ReadContext(
      readAt: readAt, mode: .historyLoad, allOrNothing: true, lastSuccess: .at(readAt), loadID: id, page: number,
      finalPage: isFinal)
    var payload = SyncPayload(payloadID: payloadID, userID: userID, origin: origin, read: read)
    payload.timeZones = timeZones
    payload.windows = windows
    payload.permissions = permissions
    payload.readable = readable
    payload.days = days.filter { dates.contains($0.localDate) }
    payload.presence = presence.filter { dates.contains($0.localDate) }
    payload.records = records.filter { dates.contains($0.localDate) }
    return payload
  }
}

/// A load was abandoned, because days of it failed. Nothing of it was made into payloads.
public struct LoadAbandoned: Error, Sendable, Hashable {
  /// Which load.
  public let loadID: String
  /// The days that failed, with their codes and without any number. As an incremental payload they say why days are missing.
  public let failures: [DayEntry]
  /// How many entries the load had.
  public let days: Int
}

extension LoadAbandoned: CustomStringConvertible {
  /// What happened, where, and what to do; no value of anybody's health.
  public var description: String {
    var text = "Load \(loadID) was abandoned: \(failures.count) of its \(days) day entries failed"
    if let first = failures.first, case .failed(let code) = first.outcome {
      text += ", the first is \(first.metric) on \(first.localDate) with \(code ?? "no code")"
    }
    return text + ". Read all of it again, as a load with another id."
  }
}

extension DayEntry.Outcome {
  /// Whether the read failed, so that nobody knows what the day holds.
  fileprivate var isFailure: Bool {
    if case .failed = self { true } else { false }
  }
}
