internal import FoundationEssentials
public import HealthPayload
internal import PayloadDecoder

extension PayloadDraft {
  /// Takes an element as one record for each of its fields that has a value; what a field says besides becomes a day entry.
  ///
  /// - Parameters:
  ///   - record: what the records have in common: the provider's id of the element, or one that the same element always
  ///     gets, its day, source and interval.
  ///   - offset: how many seconds the person's clock was ahead of UTC, where the records count to each day by their share of
  ///     it; nil where they count to the record's day as a whole.
  ///   - unit: the document's word for the unit, where it has one.
  public mutating func records(
    _ shape: Shape, of element: Place, worn: Bool = true, like record: RecordEntry, splitAt offset: Int64? = nil,
    unit: String? = nil
  ) {
    if offset != nil, let length = record.length, length > Int64(Shape.mostDays - 1) * 86_400_000_000 {
      refuse(element, .invalidField)
      return
    }
    for (rule, outcome) in outcomes(shape, of: element, worn: worn, unit: unit, length: record.length) {
      var record = record
      if !worn { record.source = nil }
      take(outcome, by: rule, in: shape, like: record, splitAt: offset)
    }
  }

  /// Takes elements that belong together, such as the samples of a series or the stages of a night, as one record for each
  /// field: its mean, its extremes, or a time.
  ///
  /// - Parameter elements: each with its own length in microseconds; nil where it has none.
  public mutating func series(_ shape: Shape, of elements: [(place: Place, length: Int64?)], like record: RecordEntry) {
    let known = payload.records.count
    var lacking: [String] = []
    defer {
      // Times are sums, so that a moment of nothing beside one changes nothing.
      if payload.records.count > known { vacate(lacking, beside: payload.records[known]) }
    }
    for rule in shape.fields {
      var numbers: [ExactNumber] = []
      var unit: String?
      for element in elements {
        switch outcome(of: element.place, by: rule, worn: true, unit: nil, length: element.length) {
        case .value(let number, let written)?:
          numbers.append(number)
          unit = written
        case let other?: payload.days.append(DayEntry(metric: rule.metric, localDate: record.localDate, outcome: other))
        case nil: break
        }
      }
      guard let number = rule.taking.number(of: numbers) else {
        if case .time = rule.taking { lacking.append(shape.recordID(record.recordID, rule)) }
        continue
      }
      take(.value(number, unit: unit), by: rule, in: shape, like: record, splitAt: nil)
    }
  }

  /// Takes back all records of an element, by the provider's id of it.
  public mutating func delete(_ shape: Shape, id: String, kind: String) {
    payload.deletions += shape.recordIDs(of: id).map { Deletion(.record(id: $0), kind: kind) }
  }

  /// Takes the number away from ids that an element had in an earlier read and has no longer, such as that of its part on a
  /// second day. A deletion would bury the ids for ever; instead each is put beside a record that the element still has, as a
  /// moment in which nothing was added.
  mutating func vacate(_ ids: [String], beside record: RecordEntry) {
    var vacant = record
    vacant.value = ExactNumber(0)
    vacant.end = vacant.start
    for id in ids {
      vacant.recordID = id
      payload.records.append(vacant)
    }
  }

  /// Vacates the parts that an element may have had on further days when it was read before.
  ///
  /// - Parameters:
  ///   - known: how many records there were before the element was taken.
  ///   - days: to how many days it may have counted.
  mutating func vacateParts(of shape: Shape, since known: Int, days: Int) {
    let parts = payload.records.count - known
    guard shape.dayRule == .split, shape.fields.count == 1, parts > 0, parts < days else { return }
    let first = payload.records[known]
    vacate((parts..<days).map { Shape.partID(first.recordID, $0) }, beside: first)
  }

  private mutating func take(
    _ outcome: DayEntry.Outcome, by rule: FieldRule, in shape: Shape, like record: RecordEntry, splitAt offset: Int64?
  ) {
    guard case .value(let number, let unit) = outcome else {
      payload.days.append(DayEntry(metric: rule.metric, localDate: record.localDate, outcome: outcome))
      return
    }
    var record = record
    record.recordID = shape.recordID(record.recordID, rule)
    record.metric = rule.metric
    // Something that is counted has no number of its own.
    record.value = rule.taking == .once ? nil : number
    record.unit = rule.taking == .once ? nil : unit
    if let offset { payload.records += record.splitByDay(offset: offset) } else { payload.records.append(record) }
  }
}

extension Shape {
  /// Over how many days a number is split at most. Longer intervals say too little about any single day.
  public static let mostDays = 5

  /// An element with several fields becomes several records, each with an id of its own.
  func recordID(_ id: String, _ rule: FieldRule) -> String {
    fields.count == 1 ? id : Shape.id(id, with: "/\(rule.metric)")
  }

  /// The first part keeps the id.
  static func partID(_ id: String, _ index: Int) -> String { index == 0 ? id : Shape.id(id, with: "+\(index)") }

  /// An id with something behind it. UUIDs are compared without case, also then.
  static func id(_ id: String, with suffix: String) -> String {
    (UUID(uuidString: id) == nil ? id : id.lowercased()) + suffix
  }

  /// The ids of all records that may have been made of an element.
  func recordIDs(of id: String) -> [String] {
    fields.map { recordID(id, $0) }.flatMap { id in
      (0..<(dayRule == .split ? Shape.mostDays : 1)).map { Shape.partID(id, $0) }
    }
  }
}

extension RecordEntry {
  /// Microseconds between its begin and its end; nil where it lacks one of them.
  fileprivate var length: Int64? {
    guard let start, let end else { return nil }
    return end.microseconds - start.microseconds
  }
}

extension Taking {
  /// What is taken of the numbers of a series; nil where there are none, or too many digits.
  fileprivate func number(of numbers: [ExactNumber]) -> ExactNumber? {
    switch self {
    case .lowest: numbers.min()
    case .highest: numbers.max()
    case .time: ExactNumber.sum(numbers)
    default: ExactNumber.mean(numbers)
    }
  }
}
