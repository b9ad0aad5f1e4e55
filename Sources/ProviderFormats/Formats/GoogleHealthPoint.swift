internal import HealthPayload
internal import PayloadDecoder

/// Who recorded a point.
struct GoogleHealthSource {
  /// What it is called; nil where the point does not say.
  let name: String?
  /// What the point shows about it; nil shows nothing.
  let presence: Presence.Kind?
  /// Whether somebody typed it in.
  let isManual: Bool

  init(_ place: Place?) {
    let platform = place?["platform"]?.text
    name = place?["device.displayName"]?.text ?? place?["application.packageName"]?.text ?? platform
    isManual = place?["recordingMethod"]?.text == "MANUAL"
    if platform == "FITBIT", !isManual {
      presence = place?["device.formFactor"]?.text == "PHONE" ? .carry : .wear
    } else {
      presence = nil
    }
  }
}

extension GoogleHealth {
  /// When a point was, and how far ahead of UTC the person's clock was.
  struct Times {
    let start: Instant
    let end: Instant
    let date: LocalDate
    /// nil where only the civil date is given.
    let offset: Int64?
  }

  /// The times of an interval or a sample; nil after it was set aside because it lacks them.
  static func times(of element: Place, _ key: String, _ draft: inout PayloadDraft) -> Times? {
    let isSample = element["\(key).sampleTime"] != nil
    let place = isSample ? "\(key).sampleTime" : "\(key).interval"
    let first = isSample ? "physicalTime" : "startTime"
    guard let start = element["\(place).\(first)"]?.text.flatMap({ Instant($0) }),
      let end = isSample ? start : element["\(place).endTime"]?.text.flatMap({ Instant($0) }), start <= end
    else {
      draft.refuse(element, .missingField, field: "\(place).\(first)")
      return nil
    }
    let offset = element.offset("\(place).\(isSample ? "utcOffset" : "startUtcOffset")")
    let civil = civilDate(element["\(place).\(isSample ? "civilTime" : "civilStartTime").date"])
    if offset == nil, let civil { return Times(start: start, end: end, date: civil, offset: nil) }
    guard let time = draft.time(of: element, "\(place).\(first)", offset: offset) else { return nil }
    return Times(start: start, end: end, date: time.localDate, offset: time.offset)
  }

  /// A date of three numbers; nil where one of them is missing, or there is no such day.
  static func civilDate(_ place: Place?) -> LocalDate? {
    guard let year = place?["year"]?.whole, let month = place?["month"]?.whole, let day = place?["day"]?.whole else {
      return nil
    }
    return LocalDate(year: year, month: month, day: day)
  }
}
