internal import HealthPayload
internal import PayloadDecoder

/// What an anchored query of HealthKit returned for one type, as JSON: samples that are new, and ids of deleted ones.
///
/// HealthKit condenses old samples: it deletes them and adds one longer sample in their place, in one answer. Both are taken
/// together, so that no day is without its value in between.
enum HealthKitAnchored: ProviderFormat {
  static let declaration = FormatDeclaration(
    name: "healthkit_anchored",
    title: "Answer of an anchored HealthKit query: samples added, ids deleted",
    platform: "healthkit",
    shapes: HealthKitQuantity.all.map(quantity) + [sleep, standHour, mindful, workout],
    errors: """
      `error` with HKError's number as `code`, and `type` beside it; the delivery's `from` and `to` say of which days. \
      11, no data, is an answer: nothing is there. Every other number is a failure.
      """,
    sources: [
      "HealthKit, HKAnchoredObjectQuery, HKDeletedObject, HKError",
      "HealthKit, HKQuantityTypeIdentifier and the enumerations of category values",
      "react-native-healthkit, what it makes of samples",
    ])

  static func read(_ delivery: Delivery, into draft: inout PayloadDraft) throws(PayloadFault) {
    guard let body = delivery.body else { return }
    guard let type = body["type"]?.text ?? delivery.resource else { throw missing("/body/type") }
    // A type without a row in the table is none of ours.
    guard let shape = declaration.shape(type) else { return }
    if let error = body["error"] { return try draft.failed([shape], code: code(of: error)) }
    for id in body["deleted"]?.elements ?? [] {
      guard let uuid = (id["uuid"] ?? id).identifier else {
        draft.refuse(id, .invalidField)
        continue
      }
      draft.delete(shape, id: uuid, kind: "anchored")
    }
    let app = body["app"]?.text
    for sample in body["added"]?.elements ?? [] { take(sample, shape, app, into: &draft) }
  }

  private static func take(_ sample: Place, _ shape: Shape, _ app: String?, into draft: inout PayloadDraft) {
    guard let id = draft.identifier(of: sample, "uuid") else { return }
    let zone = (sample["timeZone"] ?? sample["metadata.HKTimeZone"])?.text
    guard let interval = draft.interval(of: sample, "start", "end", zone: zone) else { return }
    let source = (sample["source.bundleIdentifier"] ?? sample["source.name"] ?? sample["source"])?.text
    let entered = sample["metadata.HKWasUserEntered"]
    let isManual = entered?.bool == true || entered?.whole == 1
    let known = draft.payload.records.count
    draft.records(
      shape, of: sample, id: id, during: interval, source: source, entry: isManual ? .manual : .sensor,
      unit: sample["unit"]?.text)
    // Only what another one has written proves that the type can be read: an app always reads its own samples.
    guard let source, source.hasPrefix("com.apple.") || (app != nil && source != app) else { return }
    draft.provesReadable(since: known)
  }

  private static func code(of error: Place) -> String {
    let number = error["code"] ?? error
    guard let whole = number.whole else { return number.code ?? "HKError" }
    let domain = error["domain"]?.code ?? "com.apple.healthkit"
    return domain == "com.apple.healthkit" ? "HKError.\(whole)" : "\(domain).\(whole)"
  }
}

extension HealthKitAnchored {
  private static let clock = "`timeZone` (HealthKit's metadata HKTimeZone), else of the delivery's `time_zone`"
  private static let identity = "`uuid`, in any case; a sample never changes."
  private static let deletions = """
    `deleted`, ids of samples of this type. HealthKit keeps them for a while only, so that an answer after a long time may \
    lack some.
    """

  private static func quantity(_ quantity: HealthKitQuantity) -> Shape {
    Shape(
      quantity.type, place: "added", kind: .records, fields: quantity.fields(at: "value"),
      day: HealthKitQuantity.day(quantity.day, clock: clock), dayRule: quantity.day,
      identity: identity + (quantity.day == .split ? " The part of a second day has the id with `+1`." : ""),
      missingElement: .silence, deletions: deletions,
      wear: "The samples of a sensor on the body; nothing else.", ignored: ["count, device, other metadata"])
  }

  private static let sleep = Shape(
    "HKCategoryTypeIdentifierSleepAnalysis", place: "added", kind: .records,
    fields: [
      stage("sleep_duration", ["1", "3", "4", "5"]), stage("sleep_light", ["3"]), stage("sleep_deep", ["4"]),
      stage("sleep_rem", ["5"]), stage("sleep_awake", ["2"]),
    ],
    day: HealthKitQuantity.day(.wake, clock: clock) + " Naps count like nights.", dayRule: .wake, identity: identity,
    missingElement: .silence, deletions: deletions, wear: "The samples: a sensor on the body.")

  private static func stage(_ metric: String, _ codes: [String]) -> FieldRule {
    FieldRule(
      "value", metric, "s", taking: .time(codes), zero: .silence, null: .impossible, absent: .impossible,
      note: "Code 0 is in bed, which is no sleep.")
  }

  private static let standHour = Shape(
    "HKCategoryTypeIdentifierAppleStandHour", place: "added", kind: .records,
    fields: [
      FieldRule(
        "value", "stand_hours", "h", taking: .code(["1": 0]), zero: .one, null: .impossible, absent: .impossible,
        note: "Code 0 is an hour in which somebody stood, code 1 one in which nobody did.")
    ],
    day: HealthKitQuantity.day(.start, clock: clock), identity: identity, missingElement: .silence,
    deletions: deletions, wear: "The samples, idle hours too: the watch writes one for each hour on the wrist.")

  private static let mindful = Shape(
    "HKCategoryTypeIdentifierMindfulSession", place: "added", kind: .records,
    fields: [
      FieldRule(
        "end", "mindful_minutes", "s", taking: .length, zero: .impossible, null: .impossible, absent: .impossible,
        note: "From `start` on.")
    ],
    day: HealthKitQuantity.day(.start, clock: clock), identity: identity, missingElement: .silence,
    deletions: deletions, wear: "None.")

  private static let workout = Shape(
    "HKWorkoutTypeIdentifier", place: "added", kind: .records,
    fields: [
      FieldRule("end", "workout_count", "1", taking: .once, zero: .impossible, null: .impossible, absent: .impossible),
      FieldRule(
        "duration", "workout_minutes", "s", zero: .impossible, null: .silence, absent: .silence,
        note: "Seconds without pauses."),
    ],
    day: HealthKitQuantity.day(.start, clock: clock), identity: identity, missingElement: .silence,
    deletions: deletions, wear: "None: a workout can be recorded by hand.",
    ignored: ["workoutActivityType, totalEnergyBurned, totalDistance (they are samples of their own)"])
}
