extension HealthAutoExport {
  private static let deletions = "None: the document has no form for them."
  private static let names = "`source` may name several devices, with `|` between them."

  /// Metrics that are added up, as totals of days.
  static let sums: [Shape] = [
    sum("step_count", "steps", "1", ["count": "1", "steps": "1"]),
    sum("walking_running_distance", "distance_walk_run", "m", WrittenUnits.length),
    sum("cycling_distance", "distance_cycling", "m", WrittenUnits.length),
    sum("flights_climbed", "flights_climbed", "1", ["count": "1", "flights": "1"]),
    sum("active_energy", "active_energy", "kcal", WrittenUnits.energy),
    sum("basal_energy_burned", "basal_energy", "kcal", WrittenUnits.energy),
    sum("apple_exercise_time", "exercise_minutes", "min", WrittenUnits.time),
    sum("apple_stand_hour", "stand_hours", "h", ["count": "h", "hr": "h"]),
    sum("time_in_daylight", "time_in_daylight", "min", WrittenUnits.time),
    sum("wheelchair_push_count", "wheelchair_pushes", "1", WrittenUnits.count),
    sum("dietary_water", "hydration", "mL", WrittenUnits.volume),
    sum("dietary_energy", "dietary_energy", "kcal", WrittenUnits.energy),
    sum("caffeine", "caffeine", "mg", WrittenUnits.substance),
    sum("mindful_minutes", "mindful_minutes", "min", WrittenUnits.time),
  ]

  private static func sum(_ name: String, _ metric: String, _ unit: String, _ words: [String: String]) -> Shape {
    Shape(
      name, place: "data.metrics.data", kind: .days,
      fields: [
        FieldRule(
          "qty", metric, unit, in: words, zero: .empty, null: .empty, absent: .impossible,
          note: "HealthKit has no 0 for a day: it is what the app makes of nothing.")
      ],
      day:
        "`date` as written. For an export by days: each `date` at midnight and one for each day, or `resource` is `days`.",
      identity: "One element per day; the one that was read last counts.", missingElement: .empty,
      deletions: deletions, wear: "Nothing but a number above zero. \(names)")
  }

  /// The same metrics by hours, minutes or samples.
  static func samples(_ shape: Shape) -> Shape {
    var shape = shape
    shape.name += ".samples"
    shape.kind = .records
    for index in shape.fields.indices {
      shape.fields[index].zero = .value
      shape.fields[index].null = .silence
      shape.fields[index].note = "Of a stretch of the day."
    }
    shape.day = "`date` as written. For an export by hours, minutes or samples, or `resource` is `samples`."
    shape.identity = """
      Name and `date`; the one that was read last counts. An element reaches to the next hour or minute if all begin at one. \
      Where there is a total of the day, it counts and not its parts.
      """
    shape.wear = "Nothing but a number above zero. Of several devices with `|` between them the first is named."
    return shape
  }

  /// Metrics that are measured at a time.
  static let pointShapes: [Shape] = [
    point(
      "heart_rate", [("Avg", "heart_rate_avg"), ("Min", "heart_rate_min"), ("Max", "heart_rate_max")], "/min",
      WrittenUnits.rate),
    point("resting_heart_rate", [("qty", "resting_heart_rate")], "/min", WrittenUnits.rate),
    point(
      "heart_rate_variability", [("qty", "hrv_sdnn")], "ms", WrittenUnits.milliseconds,
      note: "HealthKit's SDNN, never to be compared with RMSSD."),
    point("respiratory_rate", [("qty", "respiratory_rate")], "/min", WrittenUnits.rate, .wake),
    point(
      "blood_oxygen_saturation", [("qty", "spo2_avg")], "%", WrittenUnits.percent, .wake,
      note: "Percent: 97. A fraction is out of range and refused."),
    point("weight_body_mass", [("qty", "weight")], "kg", WrittenUnits.mass),
    point(
      "body_fat_percentage", [("qty", "body_fat")], "%", WrittenUnits.percent,
      note: "Percent: 22. A fraction is out of range and refused."),
    point("vo2_max", [("qty", "vo2max")], "mL/min/kg", WrittenUnits.oxygenUptake),
    point("blood_glucose", [("qty", "blood_glucose_avg")], "mg/dL", WrittenUnits.glucose),
    point(
      "blood_pressure", [("systolic", "bp_systolic"), ("diastolic", "bp_diastolic")], "mm[Hg]", WrittenUnits.pressure),
    point("body_temperature", [("qty", "body_temperature")], "Cel", WrittenUnits.temperature),
  ]

  private static func point(
    _ name: String, _ fields: [(path: String, metric: String)], _ unit: String, _ words: [String: String],
    _ rule: Shape.DayRule = .start, note: String = ""
  ) -> Shape {
    Shape(
      name, place: "data.metrics.data", kind: .records,
      fields: fields.map {
        FieldRule($0.path, $0.metric, unit, in: words, zero: .impossible, null: .silence, absent: .silence, note: note)
      },
      day: rule == .wake ? "The day on which the night of `date` ends, from 18:00 to 18:00." : "`date` as written.",
      dayRule: rule, identity: "Name and `date`; the one that was read last counts.", missingElement: .empty,
      deletions: deletions, wear: "The number: a sensor on the body, for those that need one. \(names)")
  }

  /// Nights: four ways to say how long somebody slept, and single stages.
  static let sleepShapes: [Shape] = [
    night(
      "sleep_analysis.stages",
      ["core": "sleep_light", "deep": "sleep_deep", "rem": "sleep_rem", "awake": "sleep_awake"]),
    night("sleep_analysis.total", ["totalSleep": "sleep_duration"], note: "0 is not filled."),
    night(
      "sleep_analysis.sum", ["core+deep+rem": "sleep_duration"],
      note: "Where neither `totalSleep` nor `asleep` is filled."),
    night(
      "sleep_analysis.asleep", ["asleep": "sleep_duration"],
      note: "0 is not filled. Beside stages nobody knows whether it contains them: then it is not taken."),
    Shape(
      "sleep_analysis.samples", place: "data.metrics.data", kind: .records,
      fields: [
        stage("sleep_duration", ["Asleep", "Core", "Deep", "REM"]), stage("sleep_light", ["Core"]),
        stage("sleep_deep", ["Deep"]), stage("sleep_rem", ["REM"]), stage("sleep_awake", ["Awake"]),
      ],
      day: "The day on which the night of `endDate` ends, from 18:00 to 18:00. Naps count like nights.",
      dayRule: .wake, identity: "`startDate` and `endDate`.", missingElement: .silence, deletions: deletions,
      wear: "The stages: somebody slept.", ignored: ["InBed", "qty (the same length in hours)"]),
  ]

  private static func night(_ name: String, _ fields: [String: String], note: String = "") -> Shape {
    let isStages = fields.count > 1
    return Shape(
      name, place: "data.metrics.data", kind: .days,
      fields: fields.sorted { $0.key < $1.key }.map {
        FieldRule(
          $0.key, $0.value, "h", in: WrittenUnits.time, zero: isStages ? .valueIfWorn : .silence, null: .silence,
          absent: .silence, note: note)
      },
      day: "The date of `sleepEnd`, the date of waking up; without it `date` as written.",
      identity: "One night per date; of several the longest, then the one that was read last.",
      missingElement: .silence, deletions: deletions,
      wear: "`core`, `deep` or `rem` above 0: the night has stages, and another stage of 0 is one.",
      ignored: ["inBed, inBedStart, inBedEnd"])
  }

  private static func stage(_ metric: String, _ codes: [String]) -> FieldRule {
    FieldRule(
      "value", metric, "s", taking: .time(codes), zero: .silence, null: .impossible, absent: .silence,
      note: "The word is a code: there is no zero. An element without it is a whole night.")
  }

  static let workout = Shape(
    "workouts", place: "data.workouts", kind: .records,
    fields: [
      FieldRule("end", "workout_count", "1", taking: .once, zero: .impossible, null: .impossible, absent: .impossible),
      FieldRule("duration", "workout_minutes", "s", zero: .impossible, null: .silence, absent: .silence),
    ],
    day: "`start` as written.", identity: "`id`, else one of `start`; the one that was read last counts.",
    missingElement: .silence, deletions: deletions, wear: "None: a workout can be recorded by hand.",
    ignored: [
      "route, with Core Location's -1 for what is not known",
      "activeEnergy, distance, heartRateData (they are metrics)",
      "name, location",
    ])
}
