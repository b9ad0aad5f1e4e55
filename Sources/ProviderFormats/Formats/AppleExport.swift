internal import HealthPayload
internal import PayloadDecoder

/// The export of Apple Health, as the documents that its XML is cut into while it is read.
///
/// An export holds everything that HealthKit held on that day, under no ids, in the times of the phone. It has a store of its own,
/// so that an app which reads HealthKit and a person who hands in an export are not added up.
enum AppleExport: ProviderFormat {
  static let declaration = FormatDeclaration(
    name: "apple_export",
    title: "Export of Apple Health: export.xml, read as a stream",
    platform: "healthkit",
    store: "apple_export",
    shapes: HealthKitQuantity.all.map(quantity) + [sleep, standHour, mindful, workout, summary],
    errors: "None: a file that is cut off or is no export is refused when it is read.",
    sources: [
      "The document type definition at the head of export.xml",
      "HealthKit, HKQuantityTypeIdentifier, HKCategoryTypeIdentifier and HKActivitySummary",
    ])

  static func read(_ delivery: Delivery, into draft: inout PayloadDraft) throws(PayloadFault) {
    guard let elements = delivery.body?["elements"]?.elements else { throw missing("/body/elements") }
    for element in elements {
      switch element["kind"]?.text {
      case "ActivitySummary": day(element, into: &draft)
      case "Workout": take(element, workout, into: &draft)
      default:
        // A type without a row in the table is none of ours.
        guard let type = element["attributes.type"]?.text, let shape = declaration.shape(type) else { continue }
        take(element, shape, into: &draft)
      }
    }
  }

  private static func take(_ element: Place, _ shape: Shape, into draft: inout PayloadDraft) {
    guard let interval = draft.interval(of: element, "attributes.startDate", "attributes.endDate") else { return }
    let known = draft.payload.records.count
    draft.records(
      shape, of: element, id: identity(of: element, shape, interval), during: interval,
      source: element["attributes.sourceName"]?.text,
      entry: element["metadata.HKWasUserEntered"]?.text == "1" ? .manual : .sensor,
      unit: (element["attributes.unit"] ?? element["attributes.durationUnit"])?.text)
    // On the clock of another export it may have gone over midnight.
    draft.vacateParts(of: shape, since: known, days: interval.daysOnAnyClock)
    // Whoever exports everything can read everything: a sample proves it.
    draft.provesReadable(since: known)
  }

  private static func day(_ element: Place, into draft: inout PayloadDraft) {
    guard let date = draft.date(of: element, "attributes.dateComponents") else { return }
    draft.days(
      summary, of: element, on: date, worn: true, sources: ["Apple Watch"],
      unit: element["attributes.activeEnergyBurnedUnit"]?.text)
  }

  /// The same sample has the same id in each export, also in one that a phone wrote in another zone.
  private static func identity(of element: Place, _ shape: Shape, _ interval: WrittenInterval) -> String {
    let word = { (name: String) in element["attributes.\(name)"]?.text ?? "" }
    return [
      shape.name, word("sourceName"), "\(interval.start.instant)", "\(interval.end.instant)", word("value"),
      word("workoutActivityType"),
    ].joined(separator: "|")
  }
}

extension AppleExport {
  private static let clock = "the phone that exported, which wrote the times with its offset"
  private static let sameSample =
    "Type, source, begin, end and value together: an export has no ids, and the same sample is the same in each export, on "
    + "whatever clock."
  private static let deletions = "None: what is not in a later export may have been deleted, and nobody says so."

  private static func quantity(_ quantity: HealthKitQuantity) -> Shape {
    Shape(
      quantity.type, place: "elements", kind: .records, fields: quantity.fields(at: "attributes.value"),
      day: HealthKitQuantity.day(quantity.day, clock: clock), dayRule: quantity.day, identity: sameSample,
      missingElement: .silence, deletions: deletions, wear: "The samples of a sensor on the body; nothing else.",
      ignored: ["creationDate, device, metadata but for HKWasUserEntered"])
  }

  private static let sleep = Shape(
    "HKCategoryTypeIdentifierSleepAnalysis", place: "elements", kind: .records,
    fields: [
      stage(
        "sleep_duration", ["Asleep", "AsleepUnspecified", "AsleepCore", "AsleepDeep", "AsleepREM"]),
      stage("sleep_light", ["AsleepCore"]), stage("sleep_deep", ["AsleepDeep"]), stage("sleep_rem", ["AsleepREM"]),
      stage("sleep_awake", ["Awake"]),
    ],
    day: HealthKitQuantity.day(.wake, clock: clock) + " Naps count like nights.", dayRule: .wake,
    identity: sameSample, missingElement: .silence, deletions: deletions, wear: "The samples: a sensor on the body.")

  private static func stage(_ metric: String, _ words: [String]) -> FieldRule {
    FieldRule(
      "attributes.value", metric, "s", taking: .time(words.map { "HKCategoryValueSleepAnalysis\($0)" }), zero: .silence,
      null: .impossible, absent: .impossible, note: "InBed is no sleep.")
  }

  private static let standHour = Shape(
    "HKCategoryTypeIdentifierAppleStandHour", place: "elements", kind: .records,
    fields: [
      FieldRule(
        "attributes.value", "stand_hours", "h",
        taking: .code(["HKCategoryValueAppleStandHourStood": 1, "HKCategoryValueAppleStandHourIdle": 0]),
        zero: .silence, null: .impossible, absent: .impossible)
    ],
    day: HealthKitQuantity.day(.start, clock: clock), identity: sameSample, missingElement: .silence,
    deletions: deletions, wear: "The samples, idle hours too: the watch writes one for each hour on the wrist.")

  private static let mindful = Shape(
    "HKCategoryTypeIdentifierMindfulSession", place: "elements", kind: .records,
    fields: [
      FieldRule(
        "attributes.endDate", "mindful_minutes", "s", taking: .length, zero: .impossible, null: .impossible,
        absent: .impossible, note: "From startDate on.")
    ],
    day: HealthKitQuantity.day(.start, clock: clock), identity: sameSample, missingElement: .silence,
    deletions: deletions, wear: "None.")

  private static let workout = Shape(
    "Workout", place: "elements", kind: .records,
    fields: [
      FieldRule(
        "attributes.endDate", "workout_count", "1", taking: .once, zero: .impossible, null: .impossible,
        absent: .impossible),
      FieldRule(
        "attributes.duration", "workout_minutes", "min", in: WrittenUnits.time, zero: .impossible, null: .silence,
        absent: .silence, note: "Without pauses; the unit is durationUnit."),
    ],
    day: HealthKitQuantity.day(.start, clock: clock), identity: sameSample, missingElement: .silence,
    deletions: deletions, wear: "None: a workout can be recorded by hand.",
    ignored: ["WorkoutRoute, WorkoutEvent, WorkoutStatistics (what they add up to are samples of their own)"])

  private static let summary = Shape(
    "ActivitySummary", place: "elements", kind: .days,
    fields: [
      FieldRule(
        "attributes.activeEnergyBurned", "active_energy", "kcal", in: WrittenUnits.energy, zero: .empty, null: .empty,
        absent: .silence,
        note: "The unit is activeEnergyBurnedUnit. The rings' own total over all devices; a day without "
          + "the watch has one too, of 0."),
      FieldRule(
        "attributes.appleExerciseTime", "exercise_minutes", "min", zero: .empty, null: .empty, absent: .silence),
      FieldRule("attributes.appleStandHours", "stand_hours", "h", zero: .empty, null: .empty, absent: .silence),
    ],
    day: "`dateComponents` as written.", identity: "One per day; the one that was read last counts.",
    missingElement: .silence, deletions: deletions, wear: "Nothing: a zero is a still day or one without the watch.",
    ignored: ["goals; appleMoveTime"])
}
