extension OpenWearables {
  private static let clock = "`zoneOffset`, else of the delivery's `time_zone`"
  private static let identity = """
    `id`, else one of type, source, begin and end; the record that was read last counts.
    """
  private static let deletions = "None: the document has no form for them."
  private static let wear = "The records of a sensor on the body; nothing else."
  private static let rest = ["metadata, source.appId beside a device"]

  /// A record whose type is named as HealthKit names it.
  static func apple(_ quantity: HealthKitQuantity) -> Shape {
    record(quantity.type, quantity.fields(at: "value"), quantity.day)
  }

  private static func record(_ type: String, _ fields: [FieldRule], _ rule: Shape.DayRule) -> Shape {
    Shape(
      type, place: "data.records", kind: .records, fields: fields,
      day: HealthKitQuantity.day(rule, clock: clock), dayRule: rule,
      identity: identity + (rule == .split ? " The part of a second day has the id with `+1`." : ""),
      missingElement: .silence, deletions: deletions, wear: wear, ignored: rest)
  }

  /// Records whose types are named as the SDK names them on Android.
  static let androidShapes: [Shape] = [
    sum("STEP_COUNT", "steps", "1", WrittenUnits.count.merging(["steps": "1"]) { first, _ in first }),
    sum(
      "DISTANCE", "distance_walk_run", "m", WrittenUnits.length,
      note: "Health Connect does not say by which activity: what somebody rode is in it if an app has written it."),
    sum("FLOORS_CLIMBED", "flights_climbed", "1", WrittenUnits.count.merging(["floors": "1"]) { first, _ in first }),
    sum("ACTIVE_CALORIES_BURNED", "active_energy", "kcal", WrittenUnits.energy),
    sum(
      "TOTAL_CALORIES_BURNED", "total_energy", "kcal", WrittenUnits.energy,
      note: "Contains the resting energy of a model."),
    sum("HYDRATION", "hydration", "mL", WrittenUnits.volume),
    point("HEART_RATE", ["heart_rate_avg", "heart_rate_min", "heart_rate_max"], "/min", WrittenUnits.rate),
    point("RESTING_HEART_RATE", ["resting_heart_rate"], "/min", WrittenUnits.rate),
    point(
      "HEART_RATE_VARIABILITY", ["hrv_rmssd"], "ms", WrittenUnits.milliseconds, .wake,
      note: "Health Connect has only RMSSD, never to be compared with HealthKit's SDNN."),
    point("RESPIRATORY_RATE", ["respiratory_rate"], "/min", WrittenUnits.rate, .wake),
    point("OXYGEN_SATURATION", ["spo2_avg"], "%", WrittenUnits.percent, .wake, note: "Percent: 97."),
    point("WEIGHT", ["weight"], "kg", WrittenUnits.mass),
    point("BODY_FAT", ["body_fat"], "%", WrittenUnits.percent, note: "Percent: 22."),
    point("BODY_TEMPERATURE", ["body_temperature"], "Cel", WrittenUnits.temperature),
    point("VO2_MAX", ["vo2max"], "mL/min/kg", WrittenUnits.oxygenUptake),
    point("BLOOD_GLUCOSE", ["blood_glucose_avg"], "mg/dL", WrittenUnits.glucose),
    point("BLOOD_PRESSURE_SYSTOLIC", ["bp_systolic"], "mm[Hg]", WrittenUnits.pressure),
    point("BLOOD_PRESSURE_DIASTOLIC", ["bp_diastolic"], "mm[Hg]", WrittenUnits.pressure),
  ]

  private static func sum(
    _ type: String, _ metric: String, _ unit: String, _ words: [String: String], note: String = ""
  ) -> Shape {
    record(
      type,
      [
        FieldRule(
          "value", metric, unit, in: words, zero: .value, null: .impossible, absent: .impossible, note: note)
      ], .split)
  }

  private static func point(
    _ type: String, _ metrics: [String], _ unit: String, _ words: [String: String], _ rule: Shape.DayRule = .start,
    note: String = ""
  ) -> Shape {
    record(
      type,
      metrics.map {
        FieldRule(
          "value", $0, unit, in: words, zero: .impossible, null: .impossible, absent: .impossible, note: note)
      }, rule)
  }

  static let sleep = Shape(
    "sleep", place: "data.sleep", kind: .records,
    fields: [
      stage("sleep_duration", ["sleeping", "light", "deep", "rem"]), stage("sleep_light", ["light"]),
      stage("sleep_deep", ["deep"]), stage("sleep_rem", ["rem"]), stage("sleep_awake", ["awake"]),
    ],
    day: """
      The end of the last stage with the same `parentId`, the date of waking up; without a parent the day on which the night \
      of the stage ends, from 18:00 to 18:00; on the clock of \(clock). Naps count like nights.
      """,
    identity: identity, missingElement: .silence, deletions: deletions, wear: "The stages: somebody slept.",
    ignored: ["stages in_bed and unknown", "values (scores)"])

  private static func stage(_ metric: String, _ codes: [String]) -> FieldRule {
    FieldRule(
      "stage", metric, "s", taking: .time(codes), zero: .silence, null: .impossible, absent: .impossible,
      note: "The word is a code: there is no zero.")
  }

  static let workout = Shape(
    "workouts", place: "data.workouts", kind: .records,
    fields: [
      FieldRule(
        "endDate", "workout_count", "1", taking: .once, zero: .impossible, null: .impossible, absent: .impossible),
      FieldRule(
        "values[type=duration].value", "workout_minutes", "min", in: WrittenUnits.time, zero: .impossible,
        null: .silence, absent: .silence, note: "Milliseconds."),
    ],
    day: HealthKitQuantity.day(.start, clock: clock), identity: identity, missingElement: .silence,
    deletions: deletions, wear: "None: a workout can be recorded by hand.",
    ignored: [
      "all other values: energy, distance, heart rate (they are records of their own)",
      "route, samples, segments, laps", "title, notes",
    ])
}
