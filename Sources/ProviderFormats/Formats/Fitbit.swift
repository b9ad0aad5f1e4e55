internal import HealthPayload
internal import PayloadDecoder

/// Files of the Fitbit Web API, which was switched off in November 2026: daily summaries and time series in archives.
///
/// It filled days on which the tracker lay in a drawer with zeros and with the calories of a model. Only a heart rate shows
/// that somebody wore it.
enum Fitbit: ProviderFormat {
  static let declaration = FormatDeclaration(
    name: "fitbit",
    title: "Fitbit archive: daily activity summary and time series",
    platform: "fitbit",
    shapes: [
      Shape(
        "summary", place: "summary", kind: .days,
        fields: [
          FieldRule("steps", "steps", "1", zero: .valueIfWorn, null: .empty, absent: .silence),
          FieldRule("floors", "flights_climbed", "1", zero: .valueIfWorn, null: .empty, absent: .silence),
          FieldRule(
            "distances[activity=total].distance", "distance_walk_run", "km", zero: .valueIfWorn, null: .empty,
            absent: .silence, note: "Kilometres: the API answered in metric units unless a header asked for others."),
          FieldRule("activityCalories", "active_energy", "kcal", zero: .valueIfWorn, null: .empty, absent: .silence),
          FieldRule(
            "caloriesBMR", "basal_energy", "kcal", zero: .impossible, null: .empty, absent: .silence,
            note: "Computed from the profile; without wear it is nobody's."),
          FieldRule(
            "caloriesOut", "total_energy", "kcal", zero: .impossible, null: .empty, absent: .silence,
            note: "Contains caloriesBMR."),
          FieldRule("restingHeartRate", "resting_heart_rate", "/min", zero: .impossible, null: .empty, absent: .empty),
        ],
        day: "The day that was asked for: the document names none.",
        identity: "One summary per day; the one that was read last counts.",
        missingElement: .silence,
        deletions: "None: the format has no deletions.",
        wear: "`restingHeartRate`, which needs a heart-rate sensor on the wrist.",
        ignored: [
          "activeScore (-1 is a sentinel)", "sedentaryMinutes (1440 on an unworn day)", "marginalCalories, elevation",
          "lightlyActiveMinutes, fairlyActiveMinutes, veryActiveMinutes", "goals, activities",
        ]),
      series("activities-steps", "steps", "1", zero: .empty),
      series("activities-floors", "flights_climbed", "1", zero: .empty),
      series("activities-distance", "distance_walk_run", "km", zero: .empty),
      series("activities-activityCalories", "active_energy", "kcal", zero: .empty),
      Shape(
        "activities-heart", place: "activities-heart", kind: .days,
        fields: [
          FieldRule(
            "value.restingHeartRate", "resting_heart_rate", "/min", zero: .impossible, null: .empty, absent: .empty)
        ],
        day: "`dateTime` as written.",
        identity: "One element per day; the one that was read last counts.",
        missingElement: .empty,
        deletions: "None: the format has no deletions.",
        wear: "`value.restingHeartRate`."),
    ],
    errors: "The HTTP status, where the fetcher kept it.",
    sources: [
      "Fitbit Web API reference: Get Daily Activity Summary, Get Activity Time Series",
      "Google Health API, data presence and true zeros: Fitbit often returned zeros even if the device was not worn",
    ])

  /// A time series of one number a day, written as texts, in which nothing tells a zero from an unworn day.
  private static func series(_ name: String, _ metric: String, _ unit: String, zero: Meaning) -> Shape {
    Shape(
      name, place: name, kind: .days,
      fields: [FieldRule("value", metric, unit, zero: zero, null: .empty, absent: .impossible)],
      day: "`dateTime` as written.",
      identity: "One element per day; the one that was read last counts.",
      missingElement: .empty,
      deletions: "None: the format has no deletions.",
      wear: "Nothing: a zero is an unworn, an unsynced or a still day.")
  }

  static func read(_ delivery: Delivery, into draft: inout PayloadDraft) throws(PayloadFault) {
    guard let body = delivery.body else { return }
    if let summary = body["summary"], let shape = declaration.shape("summary") {
      guard let day = delivery.asked, day.lowerBound == day.upperBound else { throw missing("/from") }
      let worn = summary["restingHeartRate"] != nil
      if worn { draft.present(.wear, on: day.lowerBound, source: "tracker") }
      draft.days(shape, of: summary, on: day.lowerBound, worn: worn, sources: ["tracker"])
      return
    }
    var isKnown = false
    for shape in declaration.shapes.dropFirst() {
      guard let elements = body[shape.place]?.elements else { continue }
      isKnown = true
      for element in elements { day(shape, element, into: &draft) }
      draft.finish(shape)
    }
    guard isKnown else { throw missing("/body/summary") }
  }

  private static func day(_ shape: Shape, _ element: Place, into draft: inout PayloadDraft) {
    guard let date = draft.date(of: element, "dateTime") else { return }
    let worn = element["value.restingHeartRate"] != nil
    if worn { draft.present(.wear, on: date, source: "tracker") }
    draft.days(shape, of: element, on: date, worn: worn, sources: ["tracker"])
  }
}
