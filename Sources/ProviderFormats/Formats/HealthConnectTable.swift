extension HealthConnect {
  /// Records by their kind, with the provider's ids.
  static let recordShapes: [Shape] =
    [
      sum("Steps", "count", "steps", "1"),
      sum(
        "Distance", "distance.inMeters", "distance_walk_run", "m",
        note: "Health Connect does not say by which activity: what somebody rode is in it if an app has written it."),
      sum("FloorsClimbed", "floors", "flights_climbed", "1"),
      sum("ActiveCaloriesBurned", "energy.inKilocalories", "active_energy", "kcal"),
      sum(
        "TotalCaloriesBurned", "energy.inKilocalories", "total_energy", "kcal",
        note: "Contains the resting energy of a model."),
      sum("WheelchairPushes", "count", "wheelchair_pushes", "1"),
      sum("Hydration", "volume.inLiters", "hydration", "L"),
      session("MindfulnessSession", [length("mindful_minutes")]),
      session("ExerciseSession", [counted("workout_count"), length("workout_minutes")]),
      nutrition, heartRate, night, stagedNight,
      point("RestingHeartRate", [("beatsPerMinute", "resting_heart_rate", "/min")]),
      point(
        "HeartRateVariabilityRmssd", [("heartRateVariabilityMillis", "hrv_rmssd", "ms")], .wake,
        note: "Root mean square of successive differences, never to be compared with HealthKit's SDNN."),
      point("RespiratoryRate", [("rate", "respiratory_rate", "/min")], .wake),
      point(
        "OxygenSaturation", [("percentage", "spo2_avg", "%")], .wake, note: "Percent, where HealthKit has fractions."),
      point("Weight", [("weight.inKilograms", "weight", "kg")]),
      point("BodyFat", [("percentage", "body_fat", "%")], note: "Percent, where HealthKit has fractions."),
      point("Vo2Max", [("vo2MillilitersPerMinuteKilogram", "vo2max", "mL/min/kg")]),
      point("BloodGlucose", [("level.inMillimolesPerLiter", "blood_glucose_avg", "mmol/L")]),
      point(
        "BloodPressure",
        [
          ("systolic.inMillimetersOfMercury", "bp_systolic", "mm[Hg]"),
          ("diastolic.inMillimetersOfMercury", "bp_diastolic", "mm[Hg]"),
        ]),
      point("BodyTemperature", [("temperature.inCelsius", "body_temperature", "Cel")]),
    ]

  /// Totals of calendar days, by what the bridge calls them.
  static let totalShapes: [Shape] = [
    total("Steps.total", "COUNT_TOTAL", "steps", "1"),
    total("Distance.total", "DISTANCE.inMeters", "distance_walk_run", "m"),
    total("FloorsClimbed.total", "FLOORS_CLIMBED_TOTAL", "flights_climbed", "1"),
    total("ActiveCaloriesBurned.total", "ACTIVE_CALORIES_TOTAL.inKilocalories", "active_energy", "kcal"),
    total(
      "BasalMetabolicRate.total", "BASAL_CALORIES_TOTAL.inKilocalories", "basal_energy", "kcal", zero: .empty,
      note: """
        Without `dataOrigins` it is what the platform computes for a body that it has never seen (1564.5 kcal a day for \
        73 kg, 1.70 m, 30 years): no measurement.
        """),
    total(
      "TotalCaloriesBurned.total", "ENERGY_TOTAL.inKilocalories", "total_energy", "kcal", zero: .empty,
      note: "Contains the resting energy of a model; without `dataOrigins` no measurement."),
    total("Hydration.total", "VOLUME_TOTAL.inLiters", "hydration", "L"),
    total("ExerciseSession.total", "EXERCISE_DURATION_TOTAL.inSeconds", "workout_minutes", "s"),
  ]

  private static let points = "`metadata.id`; the record that was read last counts."
  private static let deleted = """
    `deletionChanges` with `recordId` and no kind: every record goes that may have been made of that id. \
    `changesTokenExpired` is not that nothing changed, and deletes nothing: the payload says nothing. Whoever reads gets a new \
    token and reads again what the permission reaches; `reread_request` names the days that are still unknown. What was deleted \
    meanwhile is not known.
    """
  private static let unworn = "Nothing but a number above zero: a record is there only if an app has written one."

  private static func sum(_ type: String, _ path: String, _ metric: String, _ unit: String, note: String = "") -> Shape
  {
    Shape(
      type, place: "records", kind: .records,
      fields: [FieldRule(path, metric, unit, zero: .value, null: .impossible, absent: .impossible, note: note)],
      day: "Each day that the interval touches, in proportion, on the clock of `startZoneOffset`.", dayRule: .split,
      identity: points + " The part of a second day has the id with `+1`.", missingElement: .empty, deletions: deleted,
      wear: unworn, ignored: ["metadata.device, clientRecordId, lastModifiedTime"])
  }

  private static func session(_ type: String, _ fields: [FieldRule]) -> Shape {
    Shape(
      type, place: "records", kind: .records, fields: fields, day: "`startTime`, on the clock of `startZoneOffset`.",
      identity: points, missingElement: .empty, deletions: deleted, wear: unworn,
      ignored: ["exerciseType, segments, laps, route, title, notes"])
  }

  private static func counted(_ metric: String) -> FieldRule {
    FieldRule("endTime", metric, "1", taking: .once, zero: .impossible, null: .impossible, absent: .impossible)
  }

  private static func length(_ metric: String) -> FieldRule {
    FieldRule(
      "endTime", metric, "s", taking: .length, zero: .impossible, null: .impossible, absent: .impossible,
      note: "From `startTime` on.")
  }

  private static func point(
    _ type: String, _ fields: [(path: String, metric: String, unit: String)], _ rule: Shape.DayRule = .start,
    note: String = ""
  ) -> Shape {
    Shape(
      type, place: "records", kind: .records,
      fields: fields.map {
        FieldRule(
          $0.path, $0.metric, $0.unit, zero: .impossible, null: .impossible, absent: .impossible, note: note)
      },
      day: rule == .wake
        ? "The day on which the night of `time` ends: from 18:00 to 18:00, on the clock of `zoneOffset`."
        : "`time`, on the clock of `zoneOffset`.",
      dayRule: rule, identity: points, missingElement: .empty, deletions: deleted, wear: unworn)
  }

  private static let nutrition = Shape(
    "Nutrition", place: "records", kind: .records,
    fields: [
      FieldRule(
        "energy.inKilocalories", "dietary_energy", "kcal", zero: .silence, null: .silence, absent: .silence,
        note: "Bridges write 0 for what was not logged."),
      FieldRule(
        "caffeine.inMilligrams", "caffeine", "mg", zero: .silence, null: .silence, absent: .silence,
        note: "Bridges write 0 for what was not logged."),
    ],
    day: "`startTime`, on the clock of `startZoneOffset`.", identity: points, missingElement: .empty,
    deletions: deleted,
    wear: "None: what somebody eats is not measured.", ignored: ["all other nutrients"])

  private static let heartRate = Shape(
    "HeartRate", place: "records.samples", kind: .records,
    fields: [("heart_rate_avg", Taking.average), ("heart_rate_min", .lowest), ("heart_rate_max", .highest)].map {
      FieldRule(
        "beatsPerMinute", $0.0, "/min", taking: $0.1, zero: .impossible, null: .impossible, absent: .impossible)
    },
    day:
      "The `time` of each sample, on the clock of `startZoneOffset`; a record over midnight becomes one of each day.",
    identity: points + " The part of a second day has the id with `+1`.", missingElement: .empty, deletions: deleted,
    wear: "The samples: a sensor on the body.")

  private static let night = Shape(
    "SleepSession", place: "records", kind: .records, fields: [length("sleep_duration")],
    day: "`endTime`, the date of waking up, on the clock of `endZoneOffset`.",
    identity: "`metadata.id`; the record that was read last counts. For a session without stages.",
    missingElement: .empty, deletions: deleted, wear: "The record: somebody slept.")

  private static let stagedNight = Shape(
    "SleepSession.stages", place: "records.stages", kind: .records,
    fields: [
      stage("sleep_duration", ["2", "4", "5", "6"]), stage("sleep_light", ["4"]), stage("sleep_deep", ["5"]),
      stage("sleep_rem", ["6"]), stage("sleep_awake", ["1", "7"]),
    ],
    day: "`endTime` of the session, the date of waking up, on the clock of `endZoneOffset`.",
    identity: "`metadata.id` of the session; the record that was read last counts.", missingElement: .silence,
    deletions: deleted, wear: "The record: somebody slept.", ignored: ["stage 0 (unknown), stage 3 (out of bed)"])

  private static func stage(_ metric: String, _ codes: [String]) -> FieldRule {
    FieldRule(
      "stage", metric, "s", taking: .time(codes), zero: .silence, null: .impossible, absent: .impossible,
      note: "Code 0 is an unknown stage.")
  }

  private static func total(
    _ name: String, _ path: String, _ metric: String, _ unit: String, zero: Meaning = .valueIfWorn, note: String = ""
  ) -> Shape {
    Shape(
      name, place: "result", kind: .days,
      fields: [
        FieldRule(
          "result.\(path)", metric, unit, zero: zero, null: .empty, absent: .silence,
          note: note.isEmpty ? "Bridges write 0 where the platform has no total." : note)
      ],
      day: "`startTime` as written: a period from midnight to the next, without a zone.",
      identity: "One total for each day; the one that was read last counts.", missingElement: .empty,
      deletions: "None in totals.",
      wear: "`dataOrigins`: an app has written something. It may be empty beside a true number.",
      ignored: [
        "periods that are no calendar day, such as those of aggregateGroupByDuration", "averages, MEASUREMENTS_COUNT",
      ])
  }
}
