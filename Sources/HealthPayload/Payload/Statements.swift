/// The person's time zone from an instant on.
public struct TimeZoneStatement: Sendable, Hashable {
  /// IANA name, such as `Europe/Berlin`.
  public var iana: String
  /// From when on; nil means since ever.
  public var from: Instant?

  /// A zone from an instant on.
  public init(iana: String, from: Instant? = nil) {
    self.iana = iana
    self.from = from
  }
}

/// A boundary before which days cannot be read. A nil metric means all metrics of the origin.
public struct ReadWindow: Sendable, Hashable {
  /// Which boundary it is.
  public enum Boundary: Sendable, Hashable {
    /// The person allowed to read from here on; nil lifts the boundary.
    case authorizedFrom(Instant?)
    /// The platform holds nothing older; nil lifts the boundary.
    case platformFloor(Instant?)
    /// No device or app counted this metric before; nil lifts the boundary.
    case countingSince(Instant?)
    /// Data older than 30 days before the first grant need a permission of their own. The grant may be nil only where
    /// `permission` is true, or `ownData` is true on a system that lets an app read its own data without limit.
    case history(firstGrantAt: Instant?, permission: Bool, ownData: Bool)
  }

  /// The metric; nil means all.
  public var metric: String?
  /// Which boundary it is.
  public var boundary: Boundary

  /// A boundary for one metric or for all.
  public init(metric: String? = nil, boundary: Boundary) {
    self.metric = metric
    self.boundary = boundary
  }
}

/// What the platform said about the permission to read a metric.
public struct Permission: Sendable, Hashable {
  /// The state of a permission.
  public enum State: String, Sendable, Encodable, CaseIterable {
    /// The person allowed it.
    case granted
    /// The person refused it.
    case denied
    /// The person was never asked.
    case notAsked = "not_asked"
    /// There is no live connection to the provider.
    case notConnected = "not_connected"
  }

  /// The metric; nil means all.
  public var metric: String?
  /// The state.
  public var state: State
  /// Since when; nil is unknown.
  public var since: Instant?

  /// The state of one metric or of all.
  public init(metric: String? = nil, state: State, since: Instant? = nil) {
    self.metric = metric
    self.state = state
    self.since = since
  }
}

/// How far the import of a metric's past has come.
public struct BackfillState: Sendable, Hashable {
  /// Whether it is still running.
  public enum State: String, Sendable, Encodable, CaseIterable {
    /// Older days are still to come.
    case running
    /// All days that can be had were sent.
    case complete
  }

  /// The metric; nil means all.
  public var metric: String?
  /// Whether it is still running.
  public var state: State
  /// The oldest day that was reached; nil is unknown.
  public var reached: LocalDate?

  /// The state of one metric or of all.
  public init(metric: String? = nil, state: State, reached: LocalDate? = nil) {
    self.metric = metric
    self.state = state
    self.reached = reached
  }
}

/// A range of days at which the read looked, both ends included: what it holds no entry or record for was seen empty.
public struct LookedRange: Sendable, Hashable {
  /// The most days that one range may have.
  public static let maximumDays: Int32 = 400

  /// The metric; nil means all that the payload mentions.
  public var metric: String?
  /// The first day.
  public var from: LocalDate
  /// The last day.
  public var to: LocalDate

  /// A range of one metric or of all.
  public init(metric: String? = nil, from: LocalDate, to: LocalDate) {
    self.metric = metric
    self.from = from
    self.to = to
  }
}
