/// HealthKit's kinds of quantities that have a metric here, for all formats that name them as HealthKit does.
struct HealthKitQuantity {
  /// Name of the type without the prefix that all quantities have.
  let name: String
  /// The metrics that one sample is a measurement of.
  let metrics: [String]
  /// UCUM unit of the metrics.
  let unit: String
  /// The words for units that are taken.
  let words: [String: String]
  /// To which day a sample counts.
  let day: Shape.DayRule
  /// What a sample of zero means.
  let zero: Meaning
  /// What a reader should know besides.
  let note: String

  private init(
    _ name: String, _ metrics: [String], _ unit: String, _ words: [String: String], _ day: Shape.DayRule = .start,
    zero: Meaning = .impossible, note: String = ""
  ) {
    self.name = name
    self.metrics = metrics
    self.unit = unit
    self.words = words
    self.day = day
    self.zero = zero
    self.note = note
  }

  /// The type's whole name.
  var type: String { "HKQuantityTypeIdentifier\(name)" }

  /// The table's rows for a number at a path.
  func fields(at path: String) -> [FieldRule] {
    metrics.map {
      FieldRule(path, $0, unit, in: words, zero: zero, null: .impossible, absent: .impossible, note: note)
    }
  }

  static let all: [HealthKitQuantity] = [
    HealthKitQuantity("StepCount", ["steps"], "1", WrittenUnits.count, .split, zero: .value),
    HealthKitQuantity("DistanceWalkingRunning", ["distance_walk_run"], "m", WrittenUnits.length, .split, zero: .value),
    HealthKitQuantity("DistanceCycling", ["distance_cycling"], "m", WrittenUnits.length, .split, zero: .value),
    HealthKitQuantity("FlightsClimbed", ["flights_climbed"], "1", WrittenUnits.count, .split, zero: .value),
    HealthKitQuantity("ActiveEnergyBurned", ["active_energy"], "kcal", WrittenUnits.energy, .split, zero: .value),
    HealthKitQuantity(
      "BasalEnergyBurned", ["basal_energy"], "kcal", WrittenUnits.energy, .split, zero: .value,
      note: "A short sample may be 0; a day of 0 is refused."),
    HealthKitQuantity("AppleExerciseTime", ["exercise_minutes"], "min", WrittenUnits.time, zero: .value),
    HealthKitQuantity("TimeInDaylight", ["time_in_daylight"], "min", WrittenUnits.time, .split, zero: .value),
    HealthKitQuantity("PushCount", ["wheelchair_pushes"], "1", WrittenUnits.count, .split, zero: .value),
    HealthKitQuantity("DietaryWater", ["hydration"], "mL", WrittenUnits.volume, .split, zero: .value),
    HealthKitQuantity("DietaryEnergyConsumed", ["dietary_energy"], "kcal", WrittenUnits.energy, zero: .value),
    HealthKitQuantity("DietaryCaffeine", ["caffeine"], "mg", WrittenUnits.substance, zero: .value),
    HealthKitQuantity(
      "HeartRate", ["heart_rate_avg", "heart_rate_min", "heart_rate_max"], "/min", WrittenUnits.rate),
    HealthKitQuantity("RestingHeartRate", ["resting_heart_rate"], "/min", WrittenUnits.rate),
    HealthKitQuantity(
      "HeartRateVariabilitySDNN", ["hrv_sdnn"], "ms", WrittenUnits.milliseconds,
      note: "Standard deviation of all intervals, never to be compared with other providers' RMSSD."),
    HealthKitQuantity("RespiratoryRate", ["respiratory_rate"], "/min", WrittenUnits.rate, .wake),
    HealthKitQuantity(
      "OxygenSaturation", ["spo2_avg"], "%", WrittenUnits.fraction, .wake, note: "`%` is a fraction: 0.97."),
    HealthKitQuantity("BodyMass", ["weight"], "kg", WrittenUnits.mass),
    HealthKitQuantity(
      "BodyFatPercentage", ["body_fat"], "%", WrittenUnits.fraction, note: "`%` is a fraction: 0.22."),
    HealthKitQuantity("VO2Max", ["vo2max"], "mL/min/kg", WrittenUnits.oxygenUptake),
    HealthKitQuantity("BloodGlucose", ["blood_glucose_avg"], "mg/dL", WrittenUnits.glucose),
    HealthKitQuantity("BloodPressureSystolic", ["bp_systolic"], "mm[Hg]", WrittenUnits.pressure),
    HealthKitQuantity("BloodPressureDiastolic", ["bp_diastolic"], "mm[Hg]", WrittenUnits.pressure),
    HealthKitQuantity("BodyTemperature", ["body_temperature"], "Cel", WrittenUnits.temperature),
    HealthKitQuantity(
      "AtrialFibrillationBurden", ["afib_burden"], "%", WrittenUnits.fraction, zero: .value,
      note: "`%` is a fraction: 0.02."),
  ]

  /// How the local day of each rule is said where offsets and zones are of one kind.
  static func day(_ rule: Shape.DayRule, clock: String) -> String {
    switch rule {
    case .start: "Begin of the sample, on the clock of \(clock)."
    case .split: "Each day that the interval touches, in proportion, on the clock of \(clock)."
    case .wake: "The day on which the night of the sample's end ends, from 18:00 to 18:00, on the clock of \(clock)."
    }
  }
}
