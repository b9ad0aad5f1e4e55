/// The earliest date that a person shares of a type: a choice, which can change (`getEarliestAuthorizedSampleDate`, iOS 27).
///
/// It is no `EarliestPermitted`: before the one a person can be asked for more, before the other nobody can do anything.
public struct EarliestAuthorized: Sendable, Hashable {
  /// The first instant that can be read.
  public let instant: Instant

  /// The date that HealthKit named for a type.
  public init(_ instant: Instant) {
    self.instant = instant
  }
}

/// The earliest date that the platform itself permits, for all apps and people alike (`earliestPermittedSampleDate`).
public struct EarliestPermitted: Sendable, Hashable {
  /// The first instant that can be read.
  public let instant: Instant

  /// The date that the platform named.
  public init(_ instant: Instant) {
    self.instant = instant
  }

  /// The boundary as a payload states it, for all metrics.
  public var window: ReadWindow { ReadWindow(boundary: .platformFloor(instant)) }
}

/// What is known about how much of one metric's past a person shares.
///
/// Four answers that are easily taken for one another, because three of them come without a date.
public enum AuthorizedHistory: Sendable, Hashable {
  /// The answer named the type, with this date.
  case from(EarliestAuthorized)
  /// The answer left the type out: all of it is shared, or nothing, or a part without a date. Nobody can tell which.
  case omitted
  /// The question failed; that is no permission to read everything.
  case failed(QueryError)
  /// The system does not have the question, being older than iOS 27.
  case notOffered

  /// What the answer says about a metric that is read from these types. `dates` are the dates of the answer by the
  /// identifiers of their types; a metric of several types, such as blood pressure, begins where the last of them does.
  public init(types: [String], in dates: [String: Instant]) {
    if let latest = types.compactMap({ dates[$0] }).max() {
      self = .from(EarliestAuthorized(latest))
    } else {
      self = .omitted
    }
  }

  /// The boundary as a payload states it; nil where no date is known. Then nothing is stated, also nothing about an
  /// earlier date: an omitted type does not say that a boundary was lifted. Who knows that it was, because older samples
  /// could be read, states `ReadWindow(metric:boundary: .authorizedFrom(nil))`.
  public func window(metric: String) -> ReadWindow? {
    guard case .from(let earliest) = self else { return nil }
    return ReadWindow(metric: metric, boundary: .authorizedFrom(earliest.instant))
  }
}
