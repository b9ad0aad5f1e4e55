internal import HealthPayload
internal import PayloadDecoder

/// What bridges between Health Connect and JavaScript hand over as JSON: records that were read, changes, totals of days.
///
/// Health Connect says nothing of days without data, neither in reads nor in totals. Bridges write zeros where it has no
/// total; only `dataOrigins` tells them from zeros that an app has written.
enum HealthConnect: ProviderFormat {
  static let declaration = FormatDeclaration(
    name: "health_connect",
    title: "Health Connect as JSON of a bridge: records, changes, totals by day",
    platform: "health_connect",
    shapes: recordShapes + totalShapes,
    errors: """
      `error`, a text or an object with `code`: a number of HealthConnectException, or the name of a Java exception. \
      SecurityException (5) is a denial. The delivery's `resource` says of what, `from` and `to` of which days. Silence about \
      days that are older than 30 days before `read_at`, or without `read_at`, says nothing: Health Connect is silent where it \
      lets nobody read.
      """,
    sources: [
      "androidx.health.connect.client, reference of records and HealthConnectClient",
      "android.health.connect.HealthConnectException, reference",
      "react-native-health-connect, types of records, results and changes",
    ])

  static func read(_ delivery: Delivery, into draft: inout PayloadDraft) throws(PayloadFault) {
    guard let body = delivery.body else { return }
    if let error = body["error"] {
      try fail(error, delivery, into: &draft)
    } else if body.has("changesTokenExpired") || body.has("deletionChanges") {
      changes(body, into: &draft)
    } else if let buckets = body["result"]?.elements {
      try totals(buckets, delivery, into: &draft)
    } else if let records = body["records"]?.elements {
      for record in records { take(record, type: delivery.resource, into: &draft) }
      // What a page lacks may be on the next one.
      let type = delivery.resource ?? records.first?["recordType"]?.text
      if body["pageToken"] == nil { finish(shapes(of: type), delivery, into: &draft) }
    } else {
      throw missing("/body/records")
    }
  }

  /// An expired token is no answer: nothing is known of what changed or was deleted since, and nothing is said.
  private static func changes(_ body: Place, into draft: inout PayloadDraft) {
    guard body["changesTokenExpired"]?.bool != true else { return }
    for deletion in body["deletionChanges"]?.elements ?? [] {
      guard let id = draft.identifier(of: deletion, "recordId") else { continue }
      // Of what kind the record was is not said: whatever may have been made of it goes.
      let ids = Set(recordShapes.flatMap { $0.recordIDs(of: id) + $0.dayIDs(of: id) })
      draft.payload.deletions += ids.sorted().map { Deletion(.record(id: $0), kind: "changes") }
    }
    for change in body["upsertionChanges"]?.elements ?? [] {
      take(change["record"] ?? change, type: nil, into: &draft)
    }
  }

  private static func take(_ record: Place, type: String?, into draft: inout PayloadDraft) {
    guard let type = record["recordType"]?.text ?? type else {
      draft.refuse(record, .missingField, field: "recordType")
      return
    }
    // Kinds of records without a row in the table are none of ours.
    let shapes = shapes(of: type)
    guard let first = shapes.first else { return }
    guard let id = draft.identifier(of: record, "metadata.id") else { return }
    guard let interval = interval(of: record, into: &draft) else { return }
    let origin = record["metadata.dataOrigin"]
    let element = Element(
      id: id, interval: interval, source: origin?.text ?? origin?["packageName"]?.text,
      entry: record["metadata.recordingMethod"]?.whole == 3 ? .manual : .sensor)
    switch type {
    case "HeartRate": heartRate(first, record, element, into: &draft)
    case "SleepSession": night(shapes, record, element, into: &draft)
    default:
      let known = draft.payload.records.count
      draft.records(
        first, of: record, id: id, during: interval, source: element.source, entry: element.entry)
      // Apps write records anew under the same id: one that went over midnight may not do so any more.
      draft.vacateParts(of: first, since: known, days: interval.days(movedBy: 2))
    }
  }

  /// What all kinds of records have in common.
  private struct Element {
    let id: String
    let interval: WrittenInterval
    let source: String?
    let entry: RecordEntry.Entry

    func record(_ id: String, on date: LocalDate) -> RecordEntry {
      RecordEntry(
        recordID: id, metric: "", localDate: date, source: source, start: interval.start.instant,
        end: interval.end.instant, entry: entry)
    }
  }

  private static func interval(of record: Place, into draft: inout PayloadDraft) -> WrittenInterval? {
    guard record.has("time") else {
      let offsets = (record.offset("startZoneOffset"), record.offset("endZoneOffset"))
      return draft.interval(of: record, "startTime", "endTime", offsets: offsets)
    }
    let time = draft.time(of: record, "time", offset: record.offset("zoneOffset"))
    return time.map { WrittenInterval(start: $0, end: $0) }
  }

  /// A series counts to the days of its samples, not to that of its begin.
  private static func heartRate(_ shape: Shape, _ record: Place, _ element: Element, into draft: inout PayloadDraft) {
    var days: [LocalDate: [(place: Place, length: Int64?)]] = [:]
    for sample in record["samples"]?.elements ?? [] {
      guard let time = draft.time(of: sample, "time", offset: element.interval.start.offset) else { continue }
      days[time.localDate, default: []].append((sample, nil))
    }
    let first = element.interval.start.localDate
    for (date, samples) in days.sorted(by: { $0.key < $1.key }) {
      let day = Int(date.daysSince1970 - first.daysSince1970)
      guard (0..<Shape.mostDays).contains(day) else {
        draft.refuse(record, .invalidField, field: "samples")
        continue
      }
      draft.series(shape, of: samples, like: element.record(Shape.partID(element.id, day), on: date))
    }
  }

  /// A night with stages is as long as its stages of sleep; of one without stages nothing is known but its ends.
  private static func night(_ shapes: [Shape], _ record: Place, _ element: Element, into draft: inout PayloadDraft) {
    let date = element.interval.end.localDate
    let stages = record["stages"]?.elements ?? []
    guard let staged = shapes.first(where: { $0.name == "SleepSession.stages" }), !stages.isEmpty else {
      if let shape = shapes.first(where: { $0.name == "SleepSession" }) {
        let known = draft.payload.records.count
        draft.records(shape, of: record, like: element.record(Shape.id(element.id, with: "/sleep_duration"), on: date))
        // It may have had stages when it was read before.
        let ids = shapes.flatMap { $0.recordIDs(of: element.id) }.filter { $0 != element.id }
        if let taken = draft.payload.records[known...].first {
          draft.vacate(ids.filter { $0 != taken.recordID }, beside: taken)
        }
      }
      return
    }
    let offset = element.interval.start.offset
    let parts = stages.compactMap { stage in
      draft.interval(of: stage, "startTime", "endTime", offsets: (offset, offset)).map { interval in
        (place: stage, length: Optional(interval.end.instant.microseconds - interval.start.instant.microseconds))
      }
    }
    draft.series(staged, of: parts, like: element.record(element.id, on: date))
  }

  /// Without a permission of its own an app reads nothing that is older than 30 days before its first permission, and is not
  /// told so: of older days than that before this read nobody knows whether they were looked at.
  private static func finish(_ shapes: [Shape], _ delivery: Delivery, into draft: inout PayloadDraft) {
    guard let readAt = delivery.readAt else { return }
    // The first day that lies wholly within these 30 days on every clock.
    let first = readAt.date(hoursFromUTC: 14).adding(days: -29)
    for shape in shapes { draft.finish(shape, notBefore: first) }
  }

  /// Totals of calendar days: an interval from midnight to midnight without a zone.
  private static func totals(
    _ buckets: [Place], _ delivery: Delivery, into draft: inout PayloadDraft
  ) throws(PayloadFault) {
    let shapes = totalShapes.filter { shape in
      shape.name == delivery.resource
        || buckets.contains { bucket in shape.fields.contains { bucket.has($0.path) } }
    }
    guard !shapes.isEmpty else { throw missing("/resource") }
    for bucket in buckets {
      guard let date = day(of: bucket) else {
        draft.refuse(bucket, .invalidDate, field: "startTime")
        continue
      }
      let origins = (bucket["result.dataOrigins"]?.elements ?? []).compactMap { $0.text ?? $0["packageName"]?.text }
      for shape in shapes {
        draft.days(shape, of: bucket, on: date, worn: !origins.isEmpty, sources: origins)
      }
    }
    finish(shapes, delivery, into: &draft)
  }

  private static func day(of bucket: Place) -> LocalDate? {
    guard let start = bucket["startTime"]?.text, let end = bucket["endTime"]?.text,
      let first = midnight(start), let next = midnight(end), first.adding(days: 1) == next
    else { return nil }
    return first
  }

  /// The date of a text such as `2026-11-27T00:00`.
  private static func midnight(_ text: String) -> LocalDate? {
    guard ["T00:00", "T00:00:00", "T00:00:00.000"].contains(text.dropFirst(10)) else { return nil }
    return LocalDate(text.prefix(10))
  }

  private static func fail(
    _ error: Place, _ delivery: Delivery, into draft: inout PayloadDraft
  ) throws(PayloadFault) {
    guard let word = (error["code"] ?? error["name"] ?? error).code else { throw missing("/body/error") }
    let failed = shapes(of: delivery.resource)
    guard !failed.isEmpty else { throw missing("/resource") }
    let code = exceptions[word] ?? (Int(word) == nil ? word : "HealthConnectException.\(word)")
    try draft.everywhere(
      failed, code == "HealthConnectException.5" ? .denied(code: code) : .failed(code: code))
  }

  /// What the library for older systems throws in place of a HealthConnectException.
  private static let exceptions = [
    "SecurityException": "HealthConnectException.5", "IOException": "HealthConnectException.4",
    "RemoteException": "HealthConnectException.6", "UnsupportedOperationException": "HealthConnectException.9",
    "java.lang.SecurityException": "HealthConnectException.5", "java.io.IOException": "HealthConnectException.4",
    "android.os.RemoteException": "HealthConnectException.6",
    "java.lang.UnsupportedOperationException": "HealthConnectException.9",
  ]

  /// The rows of a kind of record, or of a kind of total that is named as a resource.
  private static func shapes(of type: String?) -> [Shape] {
    guard let type else { return [] }
    return declaration.shapes.filter { $0.name == type || $0.name == "\(type).stages" }
  }
}

extension Shape {
  /// The ids of the records that are made of a series, day by day.
  fileprivate func dayIDs(of id: String) -> [String] {
    guard fields.contains(where: { $0.taking == .average }) else { return [] }
    return (0..<Shape.mostDays).flatMap { day in recordIDs(of: Shape.partID(id, day)) }
  }
}
