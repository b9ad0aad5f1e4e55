internal import HealthPayload
internal import PayloadDecoder

/// Garmin Health API: what it pushes about days, and about permissions.
///
/// A day on which the watch lay in a drawer is pushed like any other, with zeros and the resting energy of a model. Only a
/// heart rate or a stress level shows that somebody wore it.
enum Garmin: ProviderFormat {
  static let declaration = FormatDeclaration(
    name: "garmin",
    title: "Garmin Health API: dailies, epochs, permissions",
    platform: "garmin",
    shapes: [
      Shape(
        "dailies", place: "dailies", kind: .days,
        fields: [
          total("steps", "steps", "1"),
          total("distanceInMeters", "distance_walk_run", "m", note: "All that the device counts as distance."),
          total("floorsClimbed", "flights_climbed", "1", note: "A device without a barometer leaves it out."),
          total("activeKilocalories", "active_energy", "kcal"),
          FieldRule(
            "bmrKilocalories", "basal_energy", "kcal", zero: .impossible, null: .silence, absent: .silence,
            note: "Computed from the profile; without wear it is nobody's."),
          heart("minHeartRateInBeatsPerMinute", "heart_rate_min"),
          heart("averageHeartRateInBeatsPerMinute", "heart_rate_avg"),
          heart("maxHeartRateInBeatsPerMinute", "heart_rate_max"),
          heart("restingHeartRateInBeatsPerMinute", "resting_heart_rate"),
        ],
        day: "`calendarDate` as written. `durationInSeconds` shorter than the day: it was going on at the last sync, "
          + "so that its numbers are lower bounds. Without the delivery's `time_zone` each day is taken to have 24 hours, so "
          + "that one of 23 stays a lower bound.",
        identity: "`userId` and `calendarDate`; a summary that is pushed again replaces the earlier. `userId` must be "
          + "the delivery's `account`: of anybody else nothing but the id is kept, as a refusal.",
        missingElement: .silence,
        deletions: "None: a summary is replaced, never deleted.",
        wear: "A heart rate above 0, or `averageStressLevel` or `maxStressLevel` of at least 0 (others are codes).",
        ignored: [
          "epochs: the quarters of an hour of which the dailies are the sum; they are never added to them",
          "activeTimeInSeconds, moderate- and vigorousIntensityDurationInSeconds (Garmin's own measure of exercise)",
          "stress and Body Battery, goals, pushes",
          "sleeps, activities, bodyComps, hrv, pulseOx, allDayRespiration, userMetrics and other summaries",
        ])
    ],
    errors: "Lifecycle: `userPermissionsChange` without `HEALTH_EXPORT` is denied, with it granted, from "
      + "`changeTimeInSeconds` on; `deregistrations` is not connected. Backfill: the HTTP status.",
    sources: [
      "Garmin Health API: daily summaries, epoch summaries, user permissions, deregistrations (as read by Open Wearables)",
      "A daily summary pushed just after midnight has null steps",
    ])

  /// A count that an unworn day has too.
  private static func total(_ path: String, _ metric: String, _ unit: String, note: String = "") -> FieldRule {
    FieldRule(
      path, metric, unit, zero: .valueIfWorn, null: .emptyIfUnworn, absent: .emptyIfUnworn, note: note)
  }

  private static func heart(_ path: String, _ metric: String) -> FieldRule {
    FieldRule(path, metric, "/min", zero: .impossible, null: .empty, absent: .empty)
  }

  static func read(_ delivery: Delivery, into draft: inout PayloadDraft) throws(PayloadFault) {
    guard let body = delivery.body else { return }
    // A push is about many people: without the account nobody knows which of them is meant.
    guard !delivery.account.isEmpty else { throw missing("/account") }
    guard ["dailies", "epochs", "userPermissionsChange", "deregistrations"].contains(where: { body[$0] != nil }) else {
      throw missing("/body/dailies")
    }
    for element in body["dailies"]?.elements ?? [] where draft.isOf(delivery.account, element, "userId") {
      day(element, draft.rules(of: delivery.timeZone), into: &draft)
    }
    for element in body["userPermissionsChange"]?.elements ?? [] where draft.isOf(delivery.account, element, "userId") {
      permission(element, into: &draft)
    }
    for element in body["deregistrations"]?.elements ?? [] where draft.isOf(delivery.account, element, "userId") {
      draft.payload.permissions.append(Permission(state: .notConnected, since: delivery.readAt))
    }
  }

  private static func day(_ element: Place, _ zone: ZoneRules?, into draft: inout PayloadDraft) {
    guard let shape = declaration.shape("dailies"), let date = draft.date(of: element, "calendarDate") else { return }
    guard let duration = element["durationInSeconds"]?.whole else {
      return draft.refuse(element, .missingField, field: "durationInSeconds")
    }
    let worn = isWorn(element)
    if worn { draft.present(.wear, on: date, source: "watch") }
    draft.days(
      shape, of: element, on: date, worn: worn, sources: ["watch"],
      complete: duration < length(of: date, zone) ? false : nil)
  }

  /// Seconds of a day in a zone, or in most.
  private static func length(of date: LocalDate, _ zone: ZoneRules?) -> Int {
    guard let zone else { return 86_400 }
    return Int(zone.start(of: date.adding(days: 1)).microseconds - zone.start(of: date).microseconds) / 1_000_000
  }

  private static func isWorn(_ element: Place) -> Bool {
    let rates = ["min", "average", "max", "resting"].map { "\($0)HeartRateInBeatsPerMinute" }
    if rates.contains(where: { (element[$0]?.whole).map { $0 > 0 } == true }) { return true }
    if element["timeOffsetHeartRateSamples"]?.keys.isEmpty == false { return true }
    return ["averageStressLevel", "maxStressLevel"].contains { (element[$0]?.whole).map { $0 >= 0 } == true }
  }

  private static func permission(_ element: Place, into draft: inout PayloadDraft) {
    guard let permissions = element["permissions"]?.elements else {
      return draft.refuse(element, .missingField, field: "permissions")
    }
    let isGranted = permissions.contains { $0.text == "HEALTH_EXPORT" }
    draft.payload.permissions.append(
      Permission(state: isGranted ? .granted : .denied, since: element["changeTimeInSeconds"]?.instant))
  }
}
