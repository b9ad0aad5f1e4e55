/// Where a query has to start so that its silence means something, and what is to be said of each day.
public struct QueryWindow: Sendable, Hashable {
  /// What forbids to read what is older.
  public enum Boundary: Sendable, Hashable, CaseIterable {
    /// The platform, for everybody; nothing can be done about it.
    case platformFloor
    /// The person's choice of how much history to share.
    case authorizedHistory
    /// Health Connect's days before the first grant.
    case historyWindow
  }

  /// Where a day lies.
  public enum Place: Sendable, Hashable {
    /// All of it can be read.
    case readable
    /// The boundary lies within the day: what is found is a part, and nothing found says nothing.
    case cut(by: Boundary)
    /// All of it lies before the boundary.
    case before(Boundary)
    /// Nobody knows, because the question for the boundary failed.
    case unsure
  }

  /// From when on the app wants to read.
  public let intendedStart: Instant
  /// From when on to query: the latest of the intended start and the boundaries that are known.
  public let start: Instant
  /// The boundaries that are known, the floor first.
  private let boundaries: [Known]
  /// Whether all boundaries are known.
  private let isSure: Bool

  private struct Known: Hashable {
    let boundary: Boundary
    let instant: Instant
  }

  private init(_ intendedStart: Instant, _ boundaries: [Known], isSure: Bool = true) {
    self.intendedStart = intendedStart
    self.boundaries = boundaries
    self.isSure = isSure
    start = boundaries.map(\.instant).reduce(intendedStart, max)
  }

  /// The window of a query to HealthKit.
  public init(from intendedStart: Instant, authorized: AuthorizedHistory, permitted: EarliestPermitted) {
    let floor = Known(boundary: .platformFloor, instant: permitted.instant)
    switch authorized {
    case .from(let earliest):
      self.init(intendedStart, [floor, Known(boundary: .authorizedHistory, instant: earliest.instant)])
    case .omitted, .notOffered: self.init(intendedStart, [floor])
    case .failed: self.init(intendedStart, [floor], isSure: false)
    }
  }

  /// The window of a query to Health Connect; `ownData` is true where only records are read that this app has written.
  public init(from intendedStart: Instant, access: HealthConnectAccess, ownData: Bool) {
    switch access.limit(ownData: ownData) {
    case .none: self.init(intendedStart, [])
    case .from(let instant): self.init(intendedStart, [Known(boundary: .historyWindow, instant: instant)])
    }
  }

  /// Where the day lies. Before several boundaries it is the floor's: no permission would help.
  public func place(of day: LocalDay) -> Place {
    if let boundary = boundaries.first(where: { day.end <= $0.instant })?.boundary { return .before(boundary) }
    if !isSure { return .unsure }
    let within = boundaries.filter { day.start < $0.instant }.max { $0.instant < $1.instant }
    return within.map { .cut(by: $0.boundary) } ?? .readable
  }

  /// What to say of the day where `found` came back for it. Silence and zeros of a day about which nobody is sure become
  /// a failure; all else stays as it is, and the windows of the payload say the rest.
  public func outcome(_ found: DayEntry.Outcome, on day: LocalDay) -> DayEntry.Outcome {
    switch (place(of: day), found) {
    case (.unsure, .empty): .failed(code: ClientCode.windowUnknown)
    case (.unsure, .value(let number, _)) where number.isZero: .failed(code: ClientCode.windowUnknown)
    default: found
    }
  }
}
