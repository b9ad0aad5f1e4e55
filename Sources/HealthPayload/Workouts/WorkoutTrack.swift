/// What is left of a workout's fixes once the places are taken out: the way from each to the next, altitudes and speeds.
///
/// A summary needs no more, so that nobody has to keep where a person was.
public struct WorkoutTrack: Sendable, Hashable {
  /// One fix without its place.
  public struct Point: Sendable, Hashable {
    /// When it was determined.
    public let timestamp: Instant
    /// Metres from the fix before, as the crow flies; nil for the first, zero for who stood still.
    public let metresFromLast: Double?
    /// Metres above sea level; nil is unknown, zero is sea level.
    public let altitude: Double?
    /// Metres per second; nil is unknown, zero is standing still.
    public let speed: Double?
    /// Metres per second; nil is unknown. A speed without it is a speed nevertheless.
    public let speedAccuracy: Double?
  }

  /// The fixes in the order of time, no two of one instant.
  public let points: [Point]

  /// The track of fixes in any order. Approximate ones are left out: they say where a person is to some kilometres.
  public init(_ locations: [LocationSample]) {
    let usable = locations.filter { location in
      location.horizontalAccuracy.map { $0 <= LocationSample.approximateAbove } != false
    }
    // Of several fixes of one instant the most exact one counts.
    let sorted = usable.sorted { WorkoutTrack.key($0).lexicographicallyPrecedes(WorkoutTrack.key($1)) }
    var points: [Point] = []
    var last: LocationSample?
    for location in sorted where location.timestamp != last?.timestamp {
      points.append(
        Point(
          timestamp: location.timestamp, metresFromLast: last.map { $0.metres(to: location) },
          altitude: location.altitude, speed: location.speed, speedAccuracy: location.speedAccuracy))
      last = location
    }
    self.points = points
  }

  /// What orders fixes, whatever order they come in; those that do not know their accuracy behind those that do.
  private static func key(_ location: LocationSample) -> [Double] {
    let unknown = Double.infinity
    return [
      Double(location.timestamp.microseconds), location.horizontalAccuracy ?? unknown, location.latitude,
      location.longitude, location.speed ?? unknown, location.altitude ?? unknown,
    ]
  }
}

extension LocationSample {
  /// Metres of one degree on a ball as large as the Earth.
  private static let metresPerDegree = 111_195.0797

  /// Metres to another place as the crow flies. Over the length of a hop the ball is flat: up to half a per cent from the truth,
  /// which is less than fixes themselves are.
  func metres(to other: LocationSample) -> Double {
    let north = (other.latitude - latitude) * LocationSample.metresPerDegree
    let turn = abs(other.longitude - longitude)
    let east =
      min(turn, 360 - turn) * LocationSample.metresPerDegree * cosine(ofDegrees: (latitude + other.latitude) / 2)
    return (north * north + east * east).squareRoot()
  }
}

/// The cosine of a latitude, from −90 to 90 degrees, by its series: exact to nine places, and without a library of its own.
private func cosine(ofDegrees degrees: Double) -> Double {
  let square = degrees * degrees * (.pi / 180) * (.pi / 180)
  var (term, sum) = (1.0, 1.0)
  for index in 1...9 {
    term *= -square / Double((2 * index - 1) * 2 * index)
    sum += term
  }
  return max(0, sum)
}
