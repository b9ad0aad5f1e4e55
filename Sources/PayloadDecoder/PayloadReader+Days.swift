import HealthPayload

extension PayloadReader {
  /// Reads the day entry in hand.
  mutating func readDay() throws(ScanError) {
    let metric = metric(required(.metric))
    let date = date(.localDate, required(.localDate))
    let kind = word(.outcome, outcomes, else: .unknownOutcome)
    let sources = try sources()
    let code = text(.code, fields.optional(.code), characters: 0...128)
    let complete = flag(.complete)
    let coveredMinutes = minutes(.coveredMinutes)
    var measurement: Measurement?
    if kind == .value {
      measurement = self.measurement(metric: metric)
      if let metric, let measurement, let code = metric.fault(in: measurement.converted, whole: measurement.whole) {
        problem(code, .value)
      }
    } else if kind != nil, fields[.value] != nil {
      problem(.unexpectedValue, .value)
    }
    guard problems.isEmpty, let metric, let date, let kind, let outcome = DayEntry.Outcome(kind, measurement, code)
    else {
      return refuseDay(metric, date)
    }
    accepted.days.append(
      DayEntry(
        metric: metric.name, localDate: date, outcome: outcome, sources: sources, complete: complete,
        coveredMinutes: coveredMinutes))
    var day = JudgedDay(
      metric: metric.id, localDate: date, position: Int32(place.index), kind: kind, value: measurement?.converted,
      sources: sources, code: code.map(platformCode), complete: complete, proven: true)
    judge(&day, metric)
    accepted.judgedDays.append(consume day)
    accepted.judgedMetrics.append(metric.index)
  }

  /// Applies the laws that concern one entry alone, and notes what concerns the others.
  private mutating func judge(_ day: inout JudgedDay, _ metric: MetricRule) {
    if day.kind == .failed {
      if day.code == "HKError.11" {
        // The one error that means "no data" and nothing else.
        day.kind = .empty
      } else {
        accepted.hasFailedDay = true
      }
    }
    guard day.kind == .value, let value = day.value else { return }
    if metric.needsSource && day.sources.isEmpty {
      day.kind = .empty
      day.value = nil
      day.code = JudgedDay.derivedDefault
    } else if !value.isZero {
      accepted.proof[metric.index] = true
    } else if metric.isSum, let token = fields[.value] {
      accepted.zeros.append(
        AcceptedEntries.Zero(
          day: accepted.days.count - 1, judged: accepted.judgedDays.count,
          pointer: "\(place.pointer)/\(Key.value.name)",
          offset: token.offset, range: fields.range))
    }
  }

  /// Puts the entry into quarantine. A value that cannot be one of its metric is something that was read all the same.
  private mutating func refuseDay(_ metric: MetricRule?, _ date: LocalDate?) {
    guard let code = refuse(fields.range), let metric, let date else { return }
    switch code {
    case .unknownUnit, .outOfRange, .impossibleZero:
      accepted.judgedDays.append(
        JudgedDay(
          metric: metric.id, localDate: date, position: Int32(place.index), kind: .invalid,
          code: code.rawValue, proven: true))
      accepted.judgedMetrics.append(metric.index)
      if code == .impossibleZero && metric.isSum { accepted.tainted.insert(date) }
    default: break
    }
  }

  /// The sources of the entry, each once.
  private mutating func sources() throws(ScanError) -> [String] {
    guard let token = fields.optional(.sources) else { return [] }
    guard token.kind == .array else {
      problem(.invalidField, .sources)
      return []
    }
    if let known = sourceLists.find(token.range, in: scanner.bytes) { return known }
    var sources: [String] = []
    var many: Set<String> = []
    for (index, element) in try scanner.elements(of: token).enumerated() {
      if let source = scanner.bytes.text(of: element, characters: 1...256) {
        // A set costs more than it gains until there are many.
        let isNew = sources.count < 16 ? !sources.contains(source) : many.insert(source).inserted
        if isNew { sources.append(source) }
        if sources.count == 16 { many = Set(sources) }
      } else {
        problem(.invalidField, at: "\(place.pointer)/\(Key.sources.name)/\(index)", element.offset)
      }
    }
    if problems.isEmpty { sourceLists.keep(sources, at: token.range) }
    return sources
  }
}

extension JudgedDay {
  /// The code of a number that a platform computed for a body that no device saw.
  static let derivedDefault = "derived_default"
}

extension DayEntry.Outcome {
  /// The outcome of an entry; nil where a value has no number.
  fileprivate init?(_ kind: JudgedDay.Kind, _ measurement: Measurement?, _ code: String?) {
    switch kind {
    case .value:
      guard let measurement else { return nil }
      self = .value(measurement.written, unit: measurement.unit)
    case .empty: self = .empty
    case .failed: self = .failed(code: code)
    case .denied: self = .denied(code: code)
    case .unavailable: self = .unavailable(code: code)
    case .invalid: return nil
    }
  }
}
