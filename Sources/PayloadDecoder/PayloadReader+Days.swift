import HealthPayload

extension PayloadReader {
  /// Reads the day entry in hand.
  mutating func readDay(_ tables: CatalogueTables) throws(ScanError) {
    let metric = metric(required(.metric), tables)
    let date = date(.localDate, required(.localDate))
    let kind = word(.outcome, tables.words.outcomes, else: .unknownOutcome)
    let sources = try sources()
    let code = text(.code, fields.optional(.code), characters: 0...128)
    let complete = flag(.complete)
    let coveredMinutes = minutes(.coveredMinutes)
    var measurement: Measurement?
    if kind == .value {
      measurement = self.measurement(metric, tables)
      if let metric, let measurement, let code = tables.fault(in: measurement, metric) { problem(code, .value) }
    } else if kind != nil, fields[.value] != nil {
      problem(.unexpectedValue, .value)
    }
    guard problems.isEmpty, let metric, let date, let kind, (kind == .value) == (measurement != nil) else {
      return refuseDay(metric, date)
    }
    if parts == .all {
      accepted.days.append(
        DayEntry(
          metric: tables.rules[metric.index].name, localDate: date,
          outcome: DayEntry.Outcome(kind, measurement?.written, tables.unit(of: measurement, metric), code),
          sources: sources, complete: complete, coveredMinutes: coveredMinutes))
    }
    var verdict = Verdict(kind: kind, value: measurement?.converted, code: code.map(platformCode))
    judge(&verdict, metric, hasSources: !sources.isEmpty)
    accepted.judgedDays.append(
      JudgedDay(
        metric: metric.id, localDate: date, position: Int32(place.index), kind: verdict.kind, value: verdict.value,
        sources: sources, code: verdict.code, complete: complete, proven: true))
    accepted.judgedMetrics.append(metric.index)
  }

  /// What the laws may change in an entry.
  private struct Verdict {
    var kind: JudgedDay.Kind
    var value: ExactNumber?
    var code: String?
  }

  /// Applies the laws that concern one entry alone, and notes what concerns the others.
  @inline(__always)
  private mutating func judge(_ verdict: inout Verdict, _ metric: MetricFacts, hasSources: Bool) {
    if verdict.kind == .failed {
      if verdict.code == "HKError.11" {
        // The one error that means "no data" and nothing else.
        verdict.kind = .empty
      } else {
        accepted.hasFailedDay = true
      }
    }
    guard verdict.kind == .value, let value = verdict.value else { return }
    if metric.needsSource && !hasSources {
      verdict.kind = .empty
      verdict.value = nil
      verdict.code = JudgedDay.derivedDefault
    } else if !value.isZero {
      accepted.proof[metric.index] = true
    } else if metric.isSum, let token = fields[.value] {
      accepted.zeros.append(
        AcceptedEntries.Zero(
          entry: accepted.days.count - 1, judged: accepted.judgedDays.count,
          pointer: "\(place.pointer)/\(Key.value.name)",
          offset: token.offset, range: fields.range))
    }
  }

  /// Puts the entry into quarantine. A value that cannot be one of its metric is something that was read all the same.
  private mutating func refuseDay(_ metric: MetricFacts?, _ date: LocalDate?) {
    accepted.noteRefused(metric, date, last: envelope.lastDate)
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
  @inline(__always)
  private mutating func sources() throws(ScanError) -> [String] {
    guard let token = fields.optional(.sources) else { return [] }
    guard token.kind == .array else {
      problem(.invalidField, .sources)
      return []
    }
    // Of two lists in one entry only the last was looked at; it is not always the one that was recognised.
    if let index = fields.knownList, fields.repeated == nil { return sourceLists[index] }
    if let known = sourceLists.find(token.range, in: scanner.bytes) { return known }
    return try newSources(token)
  }

  /// Sources that no list before had in this way.
  private mutating func newSources(_ token: Token) throws(ScanError) -> [String] {
    var sources: [String] = []
    var many: Set<[UInt8]> = []
    var elements = try scanner.elements(of: token)
    var index = 0
    while try elements.nextElement() {
      let element = try elements.value()
      if let source = scanner.bytes.text(of: element, characters: 1...256) {
        // By bytes, as the database compares them: two spellings of é are equal Strings. A set costs more than it gains until
        // there are many.
        let isNew =
          sources.count < 16
          ? !sources.contains { $0.utf8.elementsEqual(source.utf8) } : many.insert(Array(source.utf8)).inserted
        if isNew { sources.append(source) }
        if sources.count == 16 { many = Set(sources.map { Array($0.utf8) }) }
      } else {
        problem(.invalidField, at: "\(place.pointer)/\(Key.sources.name)/\(index)", element.offset)
      }
      index += 1
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
  /// The outcome of an entry that was accepted.
  fileprivate init(_ kind: JudgedDay.Kind, _ value: ExactNumber?, _ unit: String?, _ code: String?) {
    switch (kind, value) {
    case (.value, let value?): self = .value(value, unit: unit)
    case (.denied, _): self = .denied(code: code)
    case (.unavailable, _): self = .unavailable(code: code)
    case (.failed, _): self = .failed(code: code)
    default: self = .empty
    }
  }
}
