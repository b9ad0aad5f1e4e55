#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A visit as Core Location hands it over, in which far dates mean that there is none.
public struct RawVisit: Sendable, Hashable {
  /// Degrees.
  public var latitude: Double
  /// Degrees.
  public var longitude: Double
  /// Metres; negative where the coordinate is invalid.
  public var horizontalAccuracy: Double
  /// When it began; `distantPast` where nobody knows.
  public var arrivalDate: Date
  /// When it ended; `distantFuture` where it has not.
  public var departureDate: Date

  /// All fields, each said.
  public init(latitude: Double, longitude: Double, horizontalAccuracy: Double, arrivalDate: Date, departureDate: Date) {
    self.latitude = latitude
    self.longitude = longitude
    self.horizontalAccuracy = horizontalAccuracy
    self.arrivalDate = arrivalDate
    self.departureDate = departureDate
  }
}

/// A visit in which what is unknown is nil.
public struct VisitSample: Sendable, Hashable {
  /// Degrees.
  public let latitude: Double
  /// Degrees.
  public let longitude: Double
  /// Metres; nil where it claims to be perfect.
  public let horizontalAccuracy: Double?
  /// When it began; nil: before anybody looked.
  public let arrival: Instant?
  /// When it ended; nil: it is still open.
  public let departure: Instant?

  /// Whether the person was still there when the visit was reported. An open visit has no length.
  public var isOpen: Bool { departure == nil }

  /// The sample of a raw visit; nil where it has no place, or its dates are no dates or in the wrong order. (A departure
  /// that is no date must not look like an open visit.)
  public init?(_ raw: RawVisit) {
    guard (-90...90).contains(raw.latitude), (-180...180).contains(raw.longitude), known(raw.horizontalAccuracy) != nil,
      let arrival = Instant(raw.arrivalDate), let departure = Instant(raw.departureDate), arrival <= departure
    else { return nil }
    latitude = raw.latitude
    longitude = raw.longitude
    horizontalAccuracy = positive(raw.horizontalAccuracy)
    self.arrival = raw.arrivalDate <= Date.distantPast ? nil : arrival
    self.departure = raw.departureDate >= Date.distantFuture ? nil : departure
  }
}
