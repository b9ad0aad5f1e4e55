import HealthPayload
import PayloadDecoder
import ProviderFormats

/// A format that nobody uses: the worked example of docs/format-authors.md.
enum PedometerClock: ProviderFormat {
  static let declaration = FormatDeclaration(
    name: "pedometer_clock",
    title: "An alarm clock that counts steps",
    platform: "manual",
    shapes: [
      Shape(
        "day", place: "days", kind: .days,
        fields: [
          FieldRule("steps", "steps", "1", zero: .valueIfWorn, null: .empty, absent: .impossible),
          FieldRule("sleep_hours", "sleep_duration", "h", zero: .empty, null: .empty, absent: .silence),
        ],
        day: "`date` as written.",
        identity: "One element per day; the one that was read last counts.",
        missingElement: .empty,
        deletions: "None.",
        wear: "`carried` is true.",
        ignored: ["alarm"])
    ],
    errors: "The HTTP status.",
    sources: ["The clock's leaflet, page 3"])

  static func read(_ delivery: Delivery, into draft: inout PayloadDraft) throws(PayloadFault) {
    guard let shape = declaration.shape("day"), let days = delivery.body?["days"]?.elements else {
      throw missing("/body/days")
    }
    for day in days {
      guard let date = draft.date(of: day, "date") else { continue }
      let carried = day["carried"]?.bool == true
      if carried { draft.present(.carry, on: date, source: "clock") }
      draft.days(shape, of: day, on: date, worn: carried, sources: ["clock"])
    }
    draft.finish(shape)
  }
}
