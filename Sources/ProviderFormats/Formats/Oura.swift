internal import HealthPayload
internal import PayloadDecoder

/// Oura's API, version 2: answers about days and nights, and the webhook's deletions.
///
/// The required integers of an unworn day are zeros; only `non_wear_time` tells them from those of a day on which nobody
/// moved. Elements have ids by which they are deleted, so that they are kept as records.
enum Oura: ProviderFormat {
  static let declaration = FormatDeclaration(
    name: "oura",
    title: "Oura API v2: daily_activity, sleep, webhook",
    platform: "oura",
    shapes: [
      Shape(
        "daily_activity", place: "data", kind: .records,
        fields: [
          FieldRule("steps", "steps", "1", zero: .valueIfWorn, null: .impossible, absent: .impossible),
          FieldRule(
            "active_calories", "active_energy", "kcal", zero: .valueIfWorn, null: .impossible, absent: .impossible),
          FieldRule(
            "total_calories", "total_energy", "kcal", zero: .impossible, null: .impossible, absent: .impossible,
            note: "Contains the resting energy of a model, so that it counts only for a day on which the ring was worn."
          ),
        ],
        day: "`day` as written; it runs from 04:00 to 04:00 local time.",
        identity: "`id`; the element that was read last counts.",
        missingElement: .empty,
        deletions: "The webhook's `delete` with `object_id`.",
        wear: "`non_wear_time` below 12 hours.",
        ignored: [
          "equivalent_walking_distance (computed from all activity, not walked)", "score, contributors, met",
          "resting_time, sedentary_time, low_, medium_ and high_activity_time",
        ]),
      Shape(
        "sleep", place: "data", kind: .records,
        fields: [
          FieldRule("total_sleep_duration", "sleep_duration", "s", zero: .value, null: .silence, absent: .silence),
          FieldRule("deep_sleep_duration", "sleep_deep", "s", zero: .value, null: .silence, absent: .silence),
          FieldRule("rem_sleep_duration", "sleep_rem", "s", zero: .value, null: .silence, absent: .silence),
          FieldRule("light_sleep_duration", "sleep_light", "s", zero: .value, null: .silence, absent: .silence),
          FieldRule("awake_time", "sleep_awake", "s", zero: .value, null: .silence, absent: .silence),
          FieldRule(
            "average_hrv", "hrv_rmssd", "ms", zero: .impossible, null: .silence, absent: .silence,
            note: "Root mean square of successive differences, never to be compared with HealthKit's SDNN."),
          FieldRule("average_breath", "respiratory_rate", "/min", zero: .impossible, null: .silence, absent: .silence),
        ],
        day: "`day` as written: the date of waking up.",
        identity: "`id`; the element that was read last counts.",
        missingElement: .empty,
        deletions: "`type: deleted`, and the webhook's `delete` with `object_id`.",
        wear: "The element itself: a night is recorded only on the finger.",
        ignored: [
          "type sleep, late_nap and rest (naps are not the main sleep)",
          "average_heart_rate, lowest_heart_rate (of the night, not of the day)", "readiness, sleep phases, movement",
        ]),
    ],
    errors: "The HTTP status: 401, 403 (also an expired subscription), 429.",
    sources: [
      "Oura API v2 OpenAPI document, schemas DailyActivityModel and SleepModel", "Oura API v2 documentation, webhooks",
    ])

  static func read(_ delivery: Delivery, into draft: inout PayloadDraft) throws(PayloadFault) {
    guard let body = delivery.body else { return }
    if let event = body["event_type"]?.text {
      try delete(event, body, into: &draft)
      return
    }
    guard let elements = body["data"]?.elements else { throw missing("/body/data") }
    let shape = try shape(of: elements, delivery)
    for element in elements {
      if shape.name == "sleep" { night(shape, element, into: &draft) } else { day(shape, element, into: &draft) }
    }
    if body["next_token"] == nil { draft.finish(shape) }
  }

  /// An empty answer looks the same for every resource.
  private static func shape(of elements: [Place], _ delivery: Delivery) throws(PayloadFault) -> Shape {
    let name = elements.first.map { $0.has("bedtime_start") ? "sleep" : "daily_activity" }
    guard let shape = declaration.shape(delivery.resource ?? name ?? "") else { throw missing("/resource") }
    return shape
  }

  private static func day(_ shape: Shape, _ element: Place, into draft: inout PayloadDraft) {
    guard let identity = draft.identity(of: element, id: "id", date: "day") else { return }
    guard let unworn = element["non_wear_time"]?.whole else {
      draft.refuse(element, .missingField, field: "non_wear_time")
      return
    }
    let worn = unworn < 12 * 3600
    if worn { draft.present(.wear, on: identity.date, source: "ring", minutes: (86_400 - unworn) / 60) }
    draft.records(
      shape, of: element, worn: worn,
      like: RecordEntry(recordID: identity.id, metric: "", localDate: identity.date, source: "ring"))
  }

  private static func night(_ shape: Shape, _ element: Place, into draft: inout PayloadDraft) {
    guard let identity = draft.identity(of: element, id: "id", date: "day") else { return }
    switch element["type"]?.text {
    case "deleted": draft.delete(shape, id: identity.id, kind: "sleep_deleted")
    case "long_sleep":
      draft.records(
        shape, of: element,
        like: RecordEntry(
          recordID: identity.id, metric: "", localDate: identity.date, source: "ring",
          start: element["bedtime_start"]?.text.flatMap { Instant($0) },
          end: element["bedtime_end"]?.text.flatMap { Instant($0) }))
    default: break
    }
  }

  private static func delete(_ event: String, _ body: Place, into draft: inout PayloadDraft) throws(PayloadFault) {
    // What was created or updated is fetched by whoever takes the webhook.
    guard event == "delete" else { return }
    guard let type = body["data_type"]?.text, let id = body["object_id"]?.identifier else {
      throw missing("/body/object_id")
    }
    guard let shape = declaration.shape(type) else { return }
    draft.delete(shape, id: id, kind: "webhook")
  }
}
