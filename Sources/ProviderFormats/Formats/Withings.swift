internal import HealthPayload
internal import PayloadDecoder

/// Withings' API: days of activity, and measures of scales and other devices.
///
/// Its failures come with HTTP status 200 and a status of their own in the document, so that a document without days is
/// not a read without days.
enum Withings: ProviderFormat {
  static let declaration = FormatDeclaration(
    name: "withings",
    title: "Withings API: getactivity, getmeas, notifications",
    platform: "withings",
    shapes: [WithingsTable.activity, WithingsTable.measures],
    errors: "`status` of the document, 0 where all is well: `Withings.601` is too many requests, 214, 277, 2553, 2555 "
      + "are not authorized, all others a provider's error. Also the HTTP status. A notification with `action` unlink or "
      + "delete: not connected.",
    sources: [
      "Withings API reference: Measure v2 Getactivity, Measure Getmeas (attrib, category, type, unit), response status codes",
      "Withings API: notification of appli 46",
    ])

  static func read(_ delivery: Delivery, into draft: inout PayloadDraft) throws(PayloadFault) {
    guard let document = delivery.body else { return }
    if let action = document["action"]?.text {
      try require(delivery.account, document["userid"])
      if action == "unlink" || action == "delete" {
        draft.payload.permissions.append(Permission(state: .notConnected, since: delivery.readAt))
      }
      return
    }
    // Nothing but a 0 says that the rest is an answer.
    guard let status = document["status"]?.whole else { throw missing("/body/status") }
    guard status == 0 else { return try draft.failed(delivery.shapes(of: declaration), code: "Withings.\(status)") }
    if let days = document["body.activities"]?.elements {
      for day in days { activity(day, into: &draft) }
      finish(document, "getactivity", into: &draft)
    } else if let groups = document["body.measuregrps"]?.elements {
      let zone = document["body.timezone"]?.text
      for group in groups { measures(group, zone ?? delivery.timeZone, into: &draft) }
      finish(document, "getmeas", into: &draft)
    } else {
      throw missing("/body/body")
    }
  }

  /// `more` is true or false, or a number.
  private static func finish(_ document: Place, _ name: String, into draft: inout PayloadDraft) {
    let more = document["body.more"]?.word
    guard more == nil || more == "false" || more == "0", let shape = declaration.shape(name) else { return }
    draft.finish(shape)
  }

  private static func activity(_ day: Place, into draft: inout PayloadDraft) {
    guard let date = draft.date(of: day, "date"), let shape = declaration.shape("getactivity") else { return }
    let source = day["deviceid"]?.identifier ?? (day["is_tracker"]?.bool == true ? "tracker" : "app")
    let hasHeartRate = isAboveZero(day["hr_average"])
    if hasHeartRate { draft.present(.wear, on: date, source: source) }
    draft.days(shape, of: day, on: date, worn: hasHeartRate || isAboveZero(day["steps"]), sources: [source])
  }

  private static func isAboveZero(_ place: Place?) -> Bool {
    if let number = place?.lenientNumber { number > ExactNumber(0) } else { false }
  }

  private static func measures(_ group: Place, _ zone: String?, into draft: inout PayloadDraft) {
    guard let shape = declaration.shape("getmeas") else { return }
    guard let id = draft.identifier(of: group, "grpid") else { return }
    guard let time = draft.time(of: group, seconds: "date", zone: group["timezone"]?.text ?? zone) else { return }
    draft.records(
      shape, of: group,
      like: RecordEntry(
        recordID: id, metric: "", localDate: time.localDate, source: group["deviceid"]?.identifier ?? "withings",
        start: time.instant, end: time.instant))
  }
}
