internal import HealthPayload
internal import PayloadDecoder

/// WHOOP's API, version 2: sleeps and cycles with the state of their score, and the webhook's deletions.
enum Whoop: ProviderFormat {
  static let declaration = FormatDeclaration(
    name: "whoop",
    title: "WHOOP API v2: sleep, cycle, webhook",
    platform: "whoop",
    shapes: [
      Shape(
        "sleep", place: "records", kind: .records,
        states: [StateRule("nap", is: "true", .silence, note: "A nap is not the main sleep.")] + unscored,
        fields: [
          stage("total_light + total_slow_wave + total_rem", "sleep_duration"),
          stage("total_slow_wave", "sleep_deep"),
          stage("total_rem", "sleep_rem"),
          stage("total_light", "sleep_light"),
          FieldRule(
            "score.stage_summary.total_awake_time_milli", "sleep_awake", "ms", zero: .value, null: .silence,
            absent: .silence),
          FieldRule(
            "score.respiratory_rate", "respiratory_rate", "/min", zero: .impossible, null: .silence, absent: .silence),
        ],
        day: "The date of `end` at `timezone_offset`: waking up.",
        identity: "`id`; the element that was read last counts. `user_id` must be the delivery's `account`, if it "
          + "names one.",
        missingElement: .empty,
        deletions: "The webhook's `sleep.deleted` with `id`.",
        wear: "A scored night: it is recorded only on the body.",
        ignored: [
          "total_in_bed_time_milli, total_no_data_time_milli", "sleep_needed, performance, consistency, efficiency",
          "recovery (names no day of its own), workouts, body measurements (profile)",
        ]),
      Shape(
        "cycle", place: "records", kind: .records, states: unscored,
        fields: [
          FieldRule(
            "score.kilojoule", "total_energy", "kJ", zero: .impossible, null: .silence, absent: .silence,
            note: "Of a cycle from one sleep to the next, so that a day has its share of two cycles, by time.")
        ],
        day: "Each day from `start` to `end` at `timezone_offset`, by its share of that time.", dayRule: .split,
        identity: "`id`; the element that was read last counts. `user_id` as above.",
        missingElement: .silence,
        deletions: "None: cycles are not deleted.",
        wear: "Nothing.",
        ignored: [
          "a cycle without `end`, which is still going on", "strain", "average_ and max_heart_rate (of no day)",
        ]),
    ],
    errors: "The HTTP status: 401, 403, 429.",
    sources: [
      "WHOOP API v2 reference: Sleep, Cycle, score_state, timezone_offset", "WHOOP API v2 documentation: webhooks",
    ])

  /// What an element means that has no score.
  private static let unscored = [
    StateRule(
      "score_state", is: "PENDING_SCORE", .failed(code: "WHOOP.PENDING_SCORE"), note: "WHOOP is still at it: not yet."),
    StateRule("score_state", is: "UNSCORABLE", .empty, note: "WHOOP had too little data."),
  ]

  /// The time in one stage of sleep, or in several.
  private static func stage(_ stages: String, _ metric: String) -> FieldRule {
    let paths = stages.split(separator: "+").map { stage in
      "score.stage_summary.\(stage.filter { $0 != " " })_sleep_time_milli"
    }
    return FieldRule(
      paths.joined(separator: " + "), metric, "ms", zero: .value, null: .silence, absent: .silence)
  }

  static func read(_ delivery: Delivery, into draft: inout PayloadDraft) throws(PayloadFault) {
    guard let body = delivery.body else { return }
    if let type = body["type"]?.text {
      try require(delivery.account, body["user_id"])
      return try event(type, body, into: &draft)
    }
    // A single element is answered without a list around it.
    guard let elements = body["records"]?.elements ?? (body.has("score_state") ? [body] : nil) else {
      throw missing("/body/records")
    }
    guard !elements.isEmpty || delivery.resource != nil else { throw missing("/resource") }
    for element in elements where delivery.account.isEmpty || draft.isOf(delivery.account, element, "user_id") {
      take(element, delivery, into: &draft)
    }
    guard body["records"] != nil, body["next_token"] == nil else { return }
    if let shape = (delivery.resource ?? elements.first.flatMap(kind)).flatMap({ declaration.shape($0) }) {
      draft.finish(shape)
    }
  }

  /// Sleeps alone say whether they are naps; recoveries and workouts are known by what only they have.
  private static func kind(of element: Place) -> String? {
    if element.has("nap") { return "sleep" }
    let isOther = ["sleep_id", "sport_id", "sport_name"].contains { element.has($0) }
    return isOther || !element.has("start") ? nil : "cycle"
  }

  private static func take(_ element: Place, _ delivery: Delivery, into draft: inout PayloadDraft) {
    guard let shape = kind(of: element).flatMap({ declaration.shape($0) }) else { return }
    guard let id = draft.identifier(of: element, "id") else { return }
    guard let offset = element.offset("timezone_offset") else {
      return draft.refuse(element, .missingField, field: "timezone_offset")
    }
    guard let start = element["start"]?.text.flatMap({ Instant($0) }) else {
      return draft.refuse(element, .missingField, field: "start")
    }
    let isCycle = shape.name == "cycle"
    guard let end = element["end"]?.text.flatMap({ Instant($0) }), start < end else {
      if !isCycle || element["end"] != nil { draft.refuse(element, .missingField, field: "end") }
      return
    }
    let day = WrittenTime(isCycle ? start : end, offset: offset).localDate
    draft.records(
      shape, of: element,
      like: RecordEntry(recordID: id, metric: "", localDate: day, source: "strap", start: start, end: end),
      splitAt: isCycle ? offset : nil)
  }

  private static func event(_ type: String, _ body: Place, into draft: inout PayloadDraft) throws(PayloadFault) {
    // What was updated is fetched by whoever takes the webhook.
    guard type == "sleep.deleted", let shape = declaration.shape("sleep") else { return }
    guard let id = body["id"]?.identifier else { throw missing("/body/id") }
    draft.delete(shape, id: id, kind: "webhook")
  }
}
