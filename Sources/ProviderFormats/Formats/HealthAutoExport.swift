internal import HealthPayload
internal import PayloadDecoder

/// What the app Health Auto Export posts: HealthKit's metrics by name, day by day or sample by sample, and workouts.
///
/// A day without data is no element. Fields of a night that nothing filled are 0. Dates carry the clock's offset, in some
/// languages with twelve hours and a narrow space before AM and PM.
enum HealthAutoExport: ProviderFormat {
  static let declaration = FormatDeclaration(
    name: "health_auto_export",
    title: "Health Auto Export, REST export in JSON",
    platform: "healthkit",
    store: "health_auto_export",
    shapes: sums + sums.map(samples) + pointShapes + sleepShapes + [workout],
    errors: "None: the app sends nothing when it could not read.",
    sources: [
      "health-auto-export-server, its models of metrics and workouts", "Health Auto Export, help: JSON export format",
      "apple-health-ingester, its types of the same export",
    ])

  static func read(_ delivery: Delivery, into draft: inout PayloadDraft) throws(PayloadFault) {
    guard let data = delivery.body?["data"], data.has("metrics") || data.has("workouts") else {
      throw missing("/body/data")
    }
    let metrics = (data["metrics"]?.elements ?? []).compactMap { Metric($0, into: &draft) }
    let steps = Buckets(of: metrics, resource: delivery.resource)
    for metric in metrics { take(metric, steps, into: &draft) }
    for session in data["workouts"]?.elements ?? [] { take(session, into: &draft) }
  }

  /// A metric with the elements whose time could be read.
  private struct Metric {
    let name: String
    let unit: String?
    let shape: Shape
    let elements: [(place: Place, time: WrittenTime)]

    /// nil for a metric that has no row in the table.
    init?(_ place: Place, into draft: inout PayloadDraft) {
      // Older versions of the app write `weight_&_body_mass`.
      let words = place["name"]?.text?.split(separator: "_").filter { $0 != "&" }
      guard let name = words?.joined(separator: "_"),
        let shape = declaration.shape(name) ?? (name == "sleep_analysis" ? sleepShapes.first : nil)
      else { return nil }
      self.name = name
      self.shape = shape
      unit = place["units"]?.text
      let data = place["data"]?.elements ?? []
      guard name != "sleep_analysis" else {
        elements = []
        HealthAutoExport.nights(data, unit, into: &draft)
        return
      }
      elements = data.compactMap { element in draft.time(of: element, "date").map { (element, $0) } }
    }
  }

  /// How the sums of a document are cut. Where that is not said, it is seen in all of them together: if each begins at
  /// midnight and no day has two, they are days.
  private struct Buckets {
    let areDays: Bool
    /// Microseconds of one that is no day; nil where they are single samples.
    let length: Int64?

    init(of metrics: [Metric], resource: String?) {
      let summed = metrics.filter { $0.shape.kind == .days }
      let times = summed.flatMap(\.elements).map(\.time)
      let isWhole = { (seconds: Int64) in times.allSatisfy { $0.secondsOfDay % seconds == 0 } }
      let isSingle = summed.allSatisfy { Set($0.elements.map(\.time.localDate)).count == $0.elements.count }
      switch resource {
      case "days": areDays = true
      case "samples": areDays = false
      default: areDays = !times.isEmpty && isWhole(86_400) && isSingle
      }
      length = isWhole(3_600) ? 3_600_000_000 : isWhole(60) ? 60_000_000 : nil
    }
  }

  private static func take(_ metric: Metric, _ buckets: Buckets, into draft: inout PayloadDraft) {
    let isSum = metric.shape.kind == .days
    let shape = isSum && !buckets.areDays ? samples(metric.shape) : metric.shape
    for (element, time) in metric.elements {
      let names = element.sourceNames
      if shape.kind == .days {
        draft.days(shape, of: element, on: time.localDate, worn: true, sources: names.unique, unit: metric.unit)
      } else {
        let end = isSum ? buckets.length.map { time.later(by: $0) } : time
        draft.records(
          shape, of: element,
          like: RecordEntry(
            recordID: "\(metric.name)/\(time.instant)", metric: "",
            localDate: shape.dayRule == .wake ? WrittenInterval(start: time, end: time).wakeDate : time.localDate,
            source: names.first, start: time.instant, end: end?.instant),
          unit: metric.unit)
      }
    }
    if metric.name != "sleep_analysis" { draft.finish(shape) }
  }

  /// Of nights with one date the longest is taken last, which is the one that counts.
  private static func nights(_ elements: [Place], _ unit: String?, into draft: inout PayloadDraft) {
    var nights: [(place: Place, date: LocalDate, length: Int64)] = []
    for element in elements {
      guard !element.has("value") else {
        stage(element, into: &draft)
        continue
      }
      let isTimed = element.has("sleepStart") && element.has("sleepEnd")
      let interval = isTimed ? draft.interval(of: element, "sleepStart", "sleepEnd") : nil
      let date = interval?.end.localDate ?? element["date"]?.text.flatMap { LocalDate($0.prefix(10)) }
      guard let date else {
        draft.refuse(element, .invalidDate, field: "date")
        continue
      }
      let length = interval.map { $0.end.instant.microseconds - $0.start.instant.microseconds }
      nights.append((element, date, length ?? .min))
    }
    for night in nights.sorted(by: { $0.length < $1.length }) {
      take(night: night.place, on: night.date, unit, into: &draft)
    }
  }

  private static func take(night: Place, on date: LocalDate, _ unit: String?, into draft: inout PayloadDraft) {
    let isFilled = { (field: String) in night[field]?.lenientNumber.map { !$0.isZero } == true }
    let isStaged = ["core", "deep", "rem"].contains(where: isFilled)
    for shape in sleepShapes where shape.kind == .days {
      // Of the ways to say how long somebody slept the first that is filled; two that may overlap say nothing together.
      switch shape.name {
      case "sleep_analysis.sum" where isFilled("totalSleep") || isFilled("asleep"): continue
      case "sleep_analysis.asleep" where isFilled("totalSleep") || isStaged: continue
      default: break
      }
      let worn = isStaged || shape.name != "sleep_analysis.stages"
      draft.days(shape, of: night, on: date, worn: worn, sources: night.sourceNames.unique, unit: unit)
    }
  }

  private static func stage(_ element: Place, into draft: inout PayloadDraft) {
    guard let shape = sleepShapes.last, let interval = draft.interval(of: element, "startDate", "endDate") else {
      return
    }
    draft.records(
      shape, of: element, id: "sleep_analysis/\(interval.start.instant)/\(interval.end.instant)", during: interval,
      source: element["source"]?.text)
  }

  private static func take(_ session: Place, into draft: inout PayloadDraft) {
    guard let interval = draft.interval(of: session, "start", "end") else { return }
    draft.records(
      workout, of: session, id: session["id"]?.identifier ?? "workout/\(interval.start.instant)", during: interval,
      source: session["source"]?.text)
  }
}

extension WrittenTime {
  /// What the writer's clock showed, in seconds after midnight.
  fileprivate var secondsOfDay: Int64 {
    instant.microseconds / 1_000_000 + offset - Int64(localDate.daysSince1970) * 86_400
  }

  /// So many microseconds later on the same clock.
  fileprivate func later(by microseconds: Int64) -> WrittenTime {
    WrittenTime(Instant(microseconds: instant.microseconds + microseconds), offset: offset)
  }
}

extension Place {
  /// The devices and apps of an element: `Watch A|Phone A`.
  fileprivate var sourceNames: [String] { self["source"]?.text?.split(separator: "|").map { $0.trimmed } ?? [] }
}

extension Substring {
  /// Without spaces around it.
  fileprivate var trimmed: String {
    var rest = drop { $0 == " " }
    while rest.last == " " { rest = rest.dropLast() }
    return String(rest)
  }
}

extension [String] {
  /// Each name once, in the order in which it came first.
  fileprivate var unique: [String] {
    var known: Set<String> = []
    return filter { !$0.isEmpty && known.insert($0).inserted }
  }
}
