#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Pedometer data as Core Motion hands them over. Its optionals are honest: nil is no zero.
public struct RawPedometer: Sendable, Hashable {
  /// Begin of the time that was counted.
  public var startDate: Date
  /// End of the time that was counted.
  public var endDate: Date
  /// Steps.
  public var numberOfSteps: Double
  /// Metres.
  public var distance: Double?
  /// Floors up.
  public var floorsAscended: Double?
  /// Floors down.
  public var floorsDescended: Double?
  /// Seconds per metre.
  public var currentPace: Double?
  /// Steps per second.
  public var currentCadence: Double?
  /// Seconds per metre while active.
  public var averageActivePace: Double?

  /// All fields, each said.
  public init(
    startDate: Date, endDate: Date, numberOfSteps: Double, distance: Double?, floorsAscended: Double?,
    floorsDescended: Double?, currentPace: Double?, currentCadence: Double?, averageActivePace: Double?
  ) {
    self.startDate = startDate
    self.endDate = endDate
    self.numberOfSteps = numberOfSteps
    self.distance = distance
    self.floorsAscended = floorsAscended
    self.floorsDescended = floorsDescended
    self.currentPace = currentPace
    self.currentCadence = currentCadence
    self.averageActivePace = averageActivePace
  }
}

/// Pedometer data in which each count says why it is missing, and each other quantity is nil where it is.
public struct PedometerSample: Sendable, Hashable {
  /// Begin of the time that was counted.
  public let start: Instant
  /// End of the time that was counted.
  public let end: Instant
  /// Steps; zero is a count.
  public let steps: Reading<Int>
  /// Floors up; zero is a flat day, `unavailable` a device without a barometer.
  public let floorsAscended: Reading<Int>
  /// Floors down, in the same way.
  public let floorsDescended: Reading<Int>
  /// Metres; nil is unknown.
  public let distance: Double?
  /// Seconds per metre; nil is unknown.
  public let currentPace: Double?
  /// Steps per second; nil is unknown.
  public let currentCadence: Double?
  /// Seconds per metre while active; nil is unknown.
  public let averageActivePace: Double?

  /// The sample of raw data; nil where the time is none. `canCountFloors` is what the device says of itself
  /// (`isFloorCountingAvailable`).
  public init?(_ raw: RawPedometer, canCountFloors: Bool) {
    guard let start = Instant(raw.startDate), let end = Instant(raw.endDate), start <= end else { return nil }
    self.start = start
    self.end = end
    steps = Reading(counted: raw.numberOfSteps)
    floorsAscended = PedometerSample.floors(raw.floorsAscended, canCountFloors)
    floorsDescended = PedometerSample.floors(raw.floorsDescended, canCountFloors)
    distance = raw.distance.flatMap(known)
    currentPace = raw.currentPace.flatMap(known)
    currentCadence = raw.currentCadence.flatMap(known)
    averageActivePace = raw.averageActivePace.flatMap(known)
  }

  private static func floors(_ count: Double?, _ canCountFloors: Bool) -> Reading<Int> {
    if let count { Reading(counted: count) } else if canCountFloors { .notYet } else { .unavailable }
  }
}
