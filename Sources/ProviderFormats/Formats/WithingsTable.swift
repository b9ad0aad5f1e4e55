/// The tables of what Withings answers.
enum WithingsTable {
  /// A day's totals.
  static let activity = Shape(
    "getactivity", place: "body.activities", kind: .days,
    fields: [
      FieldRule("steps", "steps", "1", zero: .valueIfWorn, null: .silence, absent: .silence),
      FieldRule("distance", "distance_walk_run", "m", zero: .valueIfWorn, null: .silence, absent: .silence),
      FieldRule("calories", "active_energy", "kcal", zero: .valueIfWorn, null: .silence, absent: .silence),
      FieldRule(
        "totalcalories", "total_energy", "kcal", zero: .impossible, null: .silence, absent: .silence,
        note: "Contains the resting energy of a model: it counts only for a day with a heart rate or steps."),
      heart("hr_min", "heart_rate_min"),
      heart("hr_average", "heart_rate_avg"),
      heart("hr_max", "heart_rate_max"),
    ],
    day: "`date` as written.",
    identity: "One element per day; the one that was read last counts.",
    missingElement: .empty,
    deletions: "None: the API has no deletions of days.",
    wear: "`hr_average` above 0. Steps above 0 show that somebody carried it.",
    ignored: [
      "elevation (floors in one description, metres in another)", "soft, moderate, intense, active (by intensity)",
      "hr_zone_0 to hr_zone_3", "more (days are missing only where it is false)",
    ])

  /// Measures that were taken together.
  static let measures = Shape(
    "getmeas", place: "body.measuregrps", kind: .records,
    states: [
      StateRule("category", is: "2", .silence, note: "A goal, not a measure."),
      StateRule("attrib", is: "1", .silence, note: "May be somebody else's, such as a child's on the scale."),
      StateRule("attrib", is: "2", .silence, note: "Typed in, not measured."),
      StateRule("attrib", is: "4", .silence, note: "Typed in when the account was made, perhaps a guess."),
    ],
    fields: [
      measure(1, "weight", "kg"),
      measure(6, "body_fat", "%"),
      measure(9, "bp_diastolic", "mm[Hg]"),
      measure(10, "bp_systolic", "mm[Hg]"),
      measure(71, "body_temperature", "Cel"),
      measure(123, "vo2max", "mL/min/kg"),
    ],
    day: "`date`, in seconds since 1970, in the group's `timezone`, else the answer's, else the delivery's.",
    identity: "`grpid`; the group that was read last counts.",
    missingElement: .empty,
    deletions: "None: a group that is deleted is no longer answered, which says nothing.",
    wear: "Nothing: a scale is not worn.",
    ignored: [
      "type 11 (a pulse of one moment), 54 (oxygen saturation of one moment)", "type 12 and 73 (other temperatures)",
      "types 4, 5, 8, 76, 77, 88, 91 (height, masses, hydration, pulse wave velocity) and later ones",
    ])

  private static func heart(_ path: String, _ metric: String) -> FieldRule {
    FieldRule(path, metric, "/min", zero: .empty, null: .empty, absent: .empty)
  }

  private static func measure(_ type: Int, _ metric: String, _ unit: String) -> FieldRule {
    FieldRule(
      "measures[type=\(type)].value", exponent: "measures[type=\(type)].unit", metric, unit, zero: .impossible,
      null: .impossible, absent: .silence)
  }
}
