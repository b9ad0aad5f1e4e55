/// The daily metrics that the demo's people report, a part of the service's catalogue.
enum Metric: String, CaseIterable {
  case steps
  case distance = "distance_walk_run"
  case floors = "flights_climbed"
  case activeEnergy = "active_energy"
  case basalEnergy = "basal_energy"
  case exercise = "exercise_minutes"
  case workouts = "workout_count"
  case sleep = "sleep_duration"
  case deepSleep = "sleep_deep"
  case restingHeartRate = "resting_heart_rate"
  case heartRate = "heart_rate_avg"
  case wristTemperature = "wrist_temp_deviation"
  case weight
  case water = "hydration"
  case caffeine
  case mindfulness = "mindful_minutes"
  case foodEnergy = "dietary_energy"

  /// What makes a zero of this metric a fact.
  enum ZeroRule {
    /// A device was worn or carried that day.
    case covered
    /// The entry itself says zero and names who counted.
    case explicit
    /// The whole of which it is a part was measured.
    case parent
    /// Zero is a value like any other.
    case ordinary
    /// A living person has none.
    case never
  }

  var zeroRule: ZeroRule {
    switch self {
    case .steps, .distance, .floors, .activeEnergy, .exercise, .workouts: .covered
    case .sleep, .water, .caffeine, .mindfulness, .foodEnergy: .explicit
    case .deepSleep: .parent
    case .wristTemperature: .ordinary
    case .basalEnergy, .restingHeartRate, .heartRate, .weight: .never
    }
  }

  /// What has to be there for the metric to be recorded.
  enum Recorder { case phoneOrWatch, watch, log, scale }

  var recorder: Recorder {
    switch self {
    case .steps, .distance, .floors: .phoneOrWatch
    case .water, .caffeine, .mindfulness, .foodEnergy: .log
    case .weight: .scale
    default: .watch
    }
  }

  /// Grows over the day, so that a part of the day gives a part of the value.
  var accumulates: Bool {
    switch self {
    case .steps, .distance, .floors, .activeEnergy, .basalEnergy, .exercise, .workouts, .water, .caffeine,
      .mindfulness, .foodEnergy:
      true
    default: false
    }
  }
}

/// An exact amount in millionths of the metric's unit. No binary fraction is ever written.
struct Amount: Hashable, Comparable, CustomStringConvertible {
  let millionths: Int

  static let zero = Amount(millionths: 0)
  static func whole(_ number: Int) -> Amount { Amount(millionths: number * 1_000_000) }
  static func tenths(_ number: Int) -> Amount { Amount(millionths: number * 100_000) }
  static func hundredths(_ number: Int) -> Amount { Amount(millionths: number * 10_000) }

  static func < (left: Amount, right: Amount) -> Bool { left.millionths < right.millionths }

  /// Part of this amount, cut to whole units.
  func part(percent: Int) -> Amount { .whole(millionths / 100 * percent / 1_000_000) }

  /// About an eighth more, and always more by at least one.
  var inflated: Amount { Amount(millionths: millionths + part(percent: 12).millionths + 1_000_000) }

  var description: String {
    let size = millionths.magnitude
    let fraction = size % 1_000_000
    let sign = millionths < 0 ? "-" : ""
    guard fraction != 0 else { return "\(sign)\(size / 1_000_000)" }
    var digits = String(fraction)
    digits = String(repeating: "0", count: 6 - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(sign)\(size / 1_000_000).\(digits)"
  }
}

/// A unit in which a platform reports a metric: UCUM symbol and how many of it make one of the metric's unit.
struct Unit {
  let symbol: String
  let multiple: Int
  let divisor: Int

  /// The number to write for an amount. Only conversions that stay exact are in the demo.
  func number(for amount: Amount) -> Amount { Amount(millionths: amount.millionths * multiple / divisor) }

  /// The unit that a platform uses where it is not the metric's own; nil: the metric's own, left unsaid.
  static func used(by platform: String, for metric: Metric) -> Unit? {
    switch (platform, metric) {
    case ("health_connect", .distance): Unit(symbol: "km", multiple: 1, divisor: 1000)
    case ("garmin", .sleep), ("oura", .sleep), ("oura", .deepSleep): Unit(symbol: "s", multiple: 60, divisor: 1)
    case ("withings", .weight): Unit(symbol: "g", multiple: 1000, divisor: 1)
    case ("healthkit", .water): Unit(symbol: "L", multiple: 1, divisor: 1000)
    default: nil
    }
  }
}
