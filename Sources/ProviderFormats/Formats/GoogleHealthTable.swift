internal import HealthPayload

/// The tables of Google Health's data types.
enum GoogleHealthTable {
  /// Intervals and samples, each with a source of its own.
  static let lists: [Shape] = [
    interval(
      "steps", FieldRule("steps.count", "steps", "1", zero: .value, null: .impossible, absent: .zero)),
    interval(
      "distance",
      FieldRule(
        "distance.millimeters", "distance_walk_run", "mm", zero: .value, null: .impossible, absent: .zero,
        note: "The data type does not tell walking from riding.")),
    interval(
      "floors", FieldRule("floors.count", "flights_climbed", "1", zero: .value, null: .impossible, absent: .zero)),
    interval(
      "active-energy-burned",
      FieldRule(
        "activeEnergyBurned.kcal", "active_energy", "kcal", zero: .value, null: .impossible, absent: .impossible,
        note: "Not among the types with true zeros: nothing says what a missing number would mean.")),
    sample(
      "weight",
      FieldRule("weight.weightGrams", "weight", "g", zero: .impossible, null: .impossible, absent: .impossible)),
    sample(
      "body-fat",
      FieldRule("bodyFat.percentage", "body_fat", "%", zero: .impossible, null: .impossible, absent: .impossible)),
  ]

  /// One number per day, made of all of the day's heart rates.
  static let dailies: [Shape] = [
    daily(
      "daily-resting-heart-rate",
      FieldRule(
        "dailyRestingHeartRate.beatsPerMinute", "resting_heart_rate", "/min", zero: .impossible, null: .impossible,
        absent: .impossible)),
    daily(
      "daily-heart-rate-variability",
      FieldRule(
        "dailyHeartRateVariability.averageHeartRateVariabilityMilliseconds", "hrv_rmssd", "ms", zero: .impossible,
        null: .impossible, absent: .impossible,
        note: "Root mean square of successive differences, never to be compared with HealthKit's SDNN.")),
  ]

  /// Totals of calendar days over all devices.
  static let rollUps: [Shape] = [
    rollUp("steps", FieldRule("steps.countSum", "steps", "1", zero: .value, null: .impossible, absent: .impossible)),
    rollUp(
      "distance",
      FieldRule(
        "distance.millimetersSum", "distance_walk_run", "mm", zero: .value, null: .impossible, absent: .impossible,
        note: "The data type does not tell walking from riding.")),
    rollUp(
      "floors",
      FieldRule("floors.countSum", "flights_climbed", "1", zero: .value, null: .impossible, absent: .impossible)),
    rollUp(
      "active-energy-burned",
      FieldRule(
        "activeEnergyBurned.kcalSum", "active_energy", "kcal", zero: .empty, null: .impossible, absent: .impossible,
        note: "Not among the types with true zeros.")),
  ]

  /// The key of a data type in a point: `active-energy-burned` is `activeEnergyBurned`.
  static func key(of shape: Shape) -> String {
    shape.fields.first?.path.split(separator: ".").first.map(String.init) ?? shape.name
  }

  private static func interval(_ name: String, _ rule: FieldRule) -> Shape {
    Shape(
      name, place: "dataPoints", kind: .records, fields: [rule],
      day: "The date of `interval.startTime` at `startUtcOffset`, else `civilStartTime`, else in the delivery's zone. "
        + "An interval over midnight is split by its share of each day.", dayRule: .split,
      identity: "Type, source and interval: points have no id. The point that was read last counts.",
      missingElement: .empty,
      deletions: deletions,
      wear: rule.absent == .zero
        ? "Each point that platform `FITBIT` uploaded and nobody typed in: worn, or carried where the device is a `PHONE`. "
          + "Points of other platforms are none."
        : "Nothing.",
      ignored: ignored)
  }

  private static func sample(_ name: String, _ rule: FieldRule) -> Shape {
    Shape(
      name, place: "dataPoints", kind: .records, fields: [rule],
      day: "The date of `sampleTime.physicalTime` at `utcOffset`, else `civilTime`, else in the delivery's zone.",
      identity: "Type, source and time: an id is not always there. The point that was read last counts.",
      missingElement: .empty,
      deletions: deletions,
      wear: "Nothing: a scale is not worn.")
  }

  private static func daily(_ name: String, _ rule: FieldRule) -> Shape {
    Shape(
      name, place: "dataPoints", kind: .days, fields: [rule],
      day: "`date` as written: year, month and day.",
      identity: "One point per day; the one that was read last counts.",
      missingElement: .empty,
      deletions: deletions,
      wear: "The point itself, which needs a heart-rate sensor.")
  }

  private static func rollUp(_ type: String, _ rule: FieldRule) -> Shape {
    Shape(
      "\(type)-dailyRollUp", place: "rollupDataPoints", kind: .days, fields: [rule],
      day: "`civilStartTime.date`; the window must end with that day.",
      identity: "One window per day; the one that was read last counts.",
      missingElement: .empty,
      deletions: "As in the list of the type; the total waits for the next read.",
      wear: rule.zero == .value
        ? "A 0, which is given only for a device that was worn. A window that is not there was not worn."
        : "Nothing.",
      ignored: [
        "total-calories: excludes what was not worn, so that it is no day's total", "roll-ups that are not daily",
      ])
  }

  private static let deletions = "The webhook's `DELETE`: everything of the type in its `physicalTimeInterval`."

  private static let ignored = [
    "heart-rate samples, thousands a day", "sleep, exercise", "nextPageToken (days are missing only on a last page)",
  ]
}
