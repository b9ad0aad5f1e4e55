internal import HealthPayload
internal import PayloadDecoder

/// Google Health API, version 4: lists of data points, daily roll-ups, and the webhook's deletions.
///
/// Of the types with true zeros a point without its number is a zero, and a minute without a point is nothing at all: the
/// device was not worn, or has not synced.
enum GoogleHealth: ProviderFormat {
  static let declaration = FormatDeclaration(
    name: "google_health",
    title: "Google Health API v4: dataPoints list, dailyRollUp, webhook",
    platform: "google_health",
    shapes: GoogleHealthTable.lists + GoogleHealthTable.dailies + GoogleHealthTable.rollUps,
    errors: "The HTTP status, or `error.code` of the document: 401, 403, 429.",
    sources: [
      "Google Health API: Data presence and true zeros", "Google Health API: Aggregate data",
      "Google Health API v4 REST reference: DataPoint, DataSource, ObservationTimeInterval, DailyRollupDataPoint",
    ])

  static func read(_ delivery: Delivery, into draft: inout PayloadDraft) throws(PayloadFault) {
    guard let body = delivery.body else { return }
    if let code = body["error.code"]?.whole {
      try draft.failed(delivery.shapes(of: declaration), code: "http.\(code)")
    } else if let notice = body["data"] {
      try webhook(notice, delivery, into: &draft)
    } else if let windows = body["rollupDataPoints"]?.elements {
      let shapes = take(windows, GoogleHealthTable.rollUps, into: &draft, window)
      finish(body, shapes, delivery, into: &draft)
    } else {
      try points(body, delivery, into: &draft)
    }
  }

  /// An empty list is left out of the document as a whole, so that only the fetcher knows of what it is a list.
  private static func points(
    _ body: Place, _ delivery: Delivery, into draft: inout PayloadDraft
  ) throws(PayloadFault) {
    let asked = delivery.resource.flatMap { declaration.shape($0) }
    guard let points = body["dataPoints"]?.elements else {
      guard let asked else { throw missing("/resource") }
      return finish(body, [asked], delivery, into: &draft)
    }
    let shapes = take(points, GoogleHealthTable.lists + GoogleHealthTable.dailies, into: &draft, point)
    finish(body, shapes, delivery, into: &draft)
  }

  /// Takes each element by the table of its data type.
  private static func take(
    _ elements: [Place], _ shapes: [Shape], into draft: inout PayloadDraft,
    _ read: (Shape, Place, inout PayloadDraft) -> Void
  ) -> [Shape] {
    var seen: [Shape] = []
    for element in elements {
      guard let shape = shapes.first(where: { element.has(GoogleHealthTable.key(of: $0)) }) else {
        draft.refuse(element, .unknownMetric)
        continue
      }
      if seen.last != shape, !seen.contains(shape) { seen.append(shape) }
      read(shape, element, &draft)
    }
    return seen
  }

  private static func finish(
    _ body: Place, _ shapes: [Shape], _ delivery: Delivery, into draft: inout PayloadDraft
  ) {
    // The last page has an empty token, or none.
    guard body["nextPageToken"]?.text.map(\.isEmpty) != false else { return }
    let asked = delivery.resource.flatMap { declaration.shape($0) }
    for shape in shapes + [asked].compactMap({ $0 }).filter({ !shapes.contains($0) }) { draft.finish(shape) }
  }

  private static func point(_ shape: Shape, _ element: Place, _ draft: inout PayloadDraft) {
    let key = GoogleHealthTable.key(of: shape)
    let source = GoogleHealthSource(element["dataSource"])
    if shape.kind == .days {
      guard let date = civilDate(element["\(key).date"]) else {
        return draft.refuse(element, .invalidDate, field: "\(key).date")
      }
      draft.present(.wear, on: date, source: source.name ?? "wearable")
      return draft.days(shape, of: element, on: date, worn: true, sources: [source.name].compactMap { $0 })
    }
    guard let times = times(of: element, key, &draft) else { return }
    let hasTrueZeros = shape.fields.contains { $0.absent == .zero }
    if hasTrueZeros, let presence = source.presence, let name = source.name {
      draft.present(presence, on: times.date, source: name)
    }
    draft.records(
      shape, of: element,
      like: RecordEntry(
        recordID: "\(shape.name)/\(source.name ?? "")/\(times.start)/\(times.end)", metric: "", localDate: times.date,
        source: source.name, start: times.start, end: times.end, entry: source.isManual ? .manual : .sensor),
      splitAt: times.offset)
  }

  private static func window(_ shape: Shape, _ element: Place, _ draft: inout PayloadDraft) {
    guard let date = civilDate(element["civilStartTime.date"]) else {
      return draft.refuse(element, .invalidDate, field: "civilStartTime.date")
    }
    // A window of several days is the total of none of them.
    guard civilDate(element["civilEndTime.date"]) == date.adding(days: 1) else {
      return draft.refuse(element, .invalidField, field: "civilEndTime")
    }
    let isTrueZero = shape.fields.contains { $0.zero == .value && element[$0.path]?.lenientNumber?.isZero == true }
    if isTrueZero { draft.present(.wear, on: date, source: "wearable") }
    draft.days(shape, of: element, on: date, worn: isTrueZero, sources: ["wearable"])
  }

  private static func webhook(
    _ notice: Place, _ delivery: Delivery, into draft: inout PayloadDraft
  ) throws(PayloadFault) {
    try require(delivery.account, notice["healthUserId"])
    // What was added or changed is fetched by whoever takes the webhook.
    guard notice["operation"]?.text == "DELETE" else { return }
    guard let type = notice["dataType"]?.text, let intervals = notice["intervals"]?.elements else {
      throw missing("/body/data/intervals")
    }
    guard let shape = declaration.shape(type) else { return }
    for interval in intervals {
      guard let start = interval["physicalTimeInterval.startTime"]?.text.flatMap({ Instant($0) }),
        let end = interval["physicalTimeInterval.endTime"]?.text.flatMap({ Instant($0) })
      else {
        draft.refuse(interval, .missingField, field: "physicalTimeInterval")
        continue
      }
      for rule in shape.fields {
        draft.payload.deletions.append(
          Deletion(.interval(metric: rule.metric, start: start, end: end), kind: "webhook"))
      }
    }
  }
}
