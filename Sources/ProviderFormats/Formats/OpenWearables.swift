internal import HealthPayload
internal import PayloadDecoder

/// What the mobile SDK of Open Wearables sends: records, stages of sleep and workouts from HealthKit or Health Connect.
///
/// The shape cannot say that something was looked for and not found, that a read failed, or that a record was deleted:
/// what is not there says nothing.
enum OpenWearables: ProviderFormat {
  static let declaration = FormatDeclaration(
    name: "open_wearables",
    title: "Open Wearables, sync of the mobile SDK",
    platform: nil,
    // Samsung Health is a store of its own, which has no platform here.
    platforms: ["apple": "healthkit", "google": "health_connect", "health_connect": "health_connect"],
    store: "open_wearables",
    shapes: HealthKitQuantity.all.map(apple) + androidShapes + [sleep, workout],
    errors: "None: the document has no form for a read that failed.",
    sources: [
      "open-wearables, schemas of the mobile SDK's sync request, its constants of metric types and sleep phases",
      "HealthKit and Health Connect, for what the numbers mean",
    ])

  static func read(_ delivery: Delivery, into draft: inout PayloadDraft) throws(PayloadFault) {
    guard let body = delivery.body, let data = body["data"] else { throw missing("/body/data") }
    guard let provider = body["provider"]?.text, let platform = declaration.platforms[provider.lowercased()] else {
      throw PayloadFault(
        code: .unknownPlatform, pointer: "/body/provider",
        detail: "Known providers are \(declaration.platforms.keys.sorted().joined(separator: ", ")).")
    }
    draft.payload.origin.platform = platform
    if delivery.readAt == nil { draft.payload.read.readAt = body["syncTimestamp"]?.text.flatMap { Instant($0) } }
    for record in data["records"]?.elements ?? [] {
      guard let type = record["type"]?.text else {
        draft.refuse(record, .missingField, field: "type")
        continue
      }
      // Types without a row in the table are none of ours.
      guard let shape = declaration.shape(type), shape.place == "data.records" else { continue }
      take(record, shape, into: &draft)
    }
    nights(data["sleep"]?.elements ?? [], into: &draft)
    for session in data["workouts"]?.elements ?? [] { take(session, workout, into: &draft) }
  }

  private static func take(_ element: Place, _ shape: Shape, into draft: inout PayloadDraft) {
    guard let element = Element(element, into: &draft) else { return }
    let unit = element.place["unit"] ?? element.place["values[type=duration].unit"]
    draft.records(
      shape, of: element.place, id: element.id, during: element.interval, source: element.source,
      entry: element.entry, unit: unit?.text)
  }

  /// The stages of a night have one parent: the night ends when the last of them does.
  private static func nights(_ stages: [Place], into draft: inout PayloadDraft) {
    let elements = stages.compactMap { Element($0, into: &draft) }
    var ends: [String: WrittenTime] = [:]
    for element in elements {
      guard let parent = element.place["parentId"]?.identifier else { continue }
      if let known = ends[parent], known.instant >= element.interval.end.instant { continue }
      ends[parent] = element.interval.end
    }
    for element in elements {
      let end = element.place["parentId"]?.identifier.flatMap { ends[$0] }
      draft.records(
        sleep, of: element.place,
        like: RecordEntry(
          recordID: element.id, metric: "", localDate: end?.localDate ?? element.interval.wakeDate,
          source: element.source, start: element.interval.start.instant, end: element.interval.end.instant,
          entry: element.entry))
    }
  }

  /// What records, stages and workouts have in common.
  private struct Element {
    let place: Place
    let id: String
    let interval: WrittenInterval
    let source: String?
    let entry: RecordEntry.Entry

    /// nil after the element was set aside.
    init?(_ place: Place, into draft: inout PayloadDraft) {
      let offset = place.offset("zoneOffset")
      guard let interval = draft.interval(of: place, "startDate", "endDate", offsets: (offset, offset)) else {
        return nil
      }
      self.place = place
      self.interval = interval
      let names = ["deviceId", "deviceName", "name", "bundleIdentifier", "appId"]
      source = names.lazy.compactMap { place["source.\($0)"]?.identifier }.first
      entry = place["source.recordingMethod"]?.text == "manual" ? .manual : .sensor
      let kind = place["type"]?.text ?? place["stage"]?.text ?? ""
      id =
        place["id"]?.identifier
        ?? "\(kind)/\(source ?? "")/\(interval.start.instant)/\(interval.end.instant)"
    }
  }
}
