#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A location as Core Location hands it over: numbers, of which some mean that there is none.
public struct RawLocation: Sendable, Hashable {
  /// Degrees; −180 stands for no coordinate.
  public var latitude: Double
  /// Degrees; −180 stands for no coordinate where the latitude does too.
  public var longitude: Double
  /// Metres; negative where the coordinate is invalid. Zero comes from initialisers that were not told.
  public var horizontalAccuracy: Double
  /// Metres above sea level.
  public var altitude: Double
  /// Metres above the ellipsoid.
  public var ellipsoidalAltitude: Double
  /// Metres; zero or negative where both altitudes are invalid.
  public var verticalAccuracy: Double
  /// Metres per second; negative where it is unknown.
  public var speed: Double
  /// Metres per second; negative where it is unknown.
  public var speedAccuracy: Double
  /// Degrees from north; negative where it is unknown.
  public var course: Double
  /// Degrees; negative where it is unknown.
  public var courseAccuracy: Double
  /// When it was determined.
  public var timestamp: Date

  /// All fields, each said: a field that was left out would be a claim.
  public init(
    latitude: Double, longitude: Double, horizontalAccuracy: Double, altitude: Double, ellipsoidalAltitude: Double,
    verticalAccuracy: Double, speed: Double, speedAccuracy: Double, course: Double, courseAccuracy: Double,
    timestamp: Date
  ) {
    self.latitude = latitude
    self.longitude = longitude
    self.horizontalAccuracy = horizontalAccuracy
    self.altitude = altitude
    self.ellipsoidalAltitude = ellipsoidalAltitude
    self.verticalAccuracy = verticalAccuracy
    self.speed = speed
    self.speedAccuracy = speedAccuracy
    self.course = course
    self.courseAccuracy = courseAccuracy
    self.timestamp = timestamp
  }
}

/// A location in which what is unknown is nil.
public struct LocationSample: Sendable, Hashable {
  /// Above this accuracy, in metres, a fix is an approximate one: it says 0 of a speed and a course that it does not know.
  public static let approximateAbove = 1_000.0

  /// What a raw location has as its accuracy where nobody said one.
  public static let unstatedAccuracy = 0.0

  /// Degrees.
  public let latitude: Double
  /// Degrees.
  public let longitude: Double
  /// Metres; nil where the fix claims to be perfect, as those do that test code makes by a short initialiser.
  public let horizontalAccuracy: Double?
  /// Metres above sea level; nil is unknown, zero is sea level.
  public let altitude: Double?
  /// Metres above the ellipsoid; nil is unknown.
  public let ellipsoidalAltitude: Double?
  /// Metres; nil where the altitudes are unknown.
  public let verticalAccuracy: Double?
  /// Metres per second; nil is unknown, zero is standing still.
  public let speed: Double?
  /// Metres per second; nil is unknown. A speed without it is a speed nevertheless.
  public let speedAccuracy: Double?
  /// Degrees from north; nil is unknown, zero is north.
  public let course: Double?
  /// Degrees; nil is unknown.
  public let courseAccuracy: Double?
  /// When it was determined.
  public let timestamp: Instant

  /// The sample of a raw location; nil where it has no place or no time.
  ///
  /// - Speed and course are trusted by their own sign: replayed routes have a right speed beside a speed accuracy of −1.
  /// - Approximate fixes say 0 instead of −1, so their zeros are unknown.
  /// - A speed accuracy of 0 is the simulator's.
  /// - The middle of the ocean with an accuracy of 0 is a location that nobody has filled in.
  public init?(_ raw: RawLocation) {
    guard (-90...90).contains(raw.latitude), (-180...180).contains(raw.longitude), known(raw.horizontalAccuracy) != nil,
      let timestamp = Instant(raw.timestamp)
    else { return nil }
    let isNullIsland = raw.latitude == 0 && raw.longitude == 0
    if isNullIsland && raw.horizontalAccuracy == 0 { return nil }
    latitude = raw.latitude
    longitude = raw.longitude
    horizontalAccuracy = positive(raw.horizontalAccuracy)
    verticalAccuracy = positive(raw.verticalAccuracy)
    altitude = verticalAccuracy == nil ? nil : finite(raw.altitude)
    ellipsoidalAltitude = verticalAccuracy == nil ? nil : finite(raw.ellipsoidalAltitude)
    let isApproximate = raw.horizontalAccuracy > LocationSample.approximateAbove
    speed = isApproximate ? positive(raw.speed) : known(raw.speed)
    speedAccuracy = positive(raw.speedAccuracy)
    course = isApproximate && raw.course == 0 ? nil : direction(raw.course)
    courseAccuracy = known(raw.courseAccuracy)
    self.timestamp = timestamp
  }
}
