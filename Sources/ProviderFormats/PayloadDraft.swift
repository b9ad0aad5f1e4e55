internal import FoundationEssentials
public import HealthPayload
public import PayloadDecoder

/// A payload that is being made of a delivery. It reads elements by their table, so that what a zero, a null and a missing
/// field mean is said in one place and nowhere decided by code.
public struct PayloadDraft {
  /// The payload so far.
  public var payload: SyncPayload
  /// What cannot be used of the delivery so far.
  public private(set) var refused: [RefusedElement] = []
  private let delivery: Delivery

  /// An empty payload of a delivery.
  ///
  /// - Throws: `unknown_platform` where neither the format nor the delivery's own document names one.
  init(_ delivery: Delivery, platform: String?) {
    self.delivery = delivery
    payload = SyncPayload(
      payloadID: delivery.payloadID, userID: delivery.userID,
      origin: Origin(platform: platform ?? "", store: delivery.account, osMajor: delivery.osMajor),
      read: ReadContext(readAt: delivery.readAt))
    if let zone = delivery.timeZone { payload.timeZones = [TimeZoneStatement(iana: zone)] }
  }

  /// Sets an element aside: it cannot be used, its siblings can.
  public mutating func refuse(_ element: Place, _ code: QuarantineCode, field: String = "") {
    refused.append(RefusedElement(pointer: element.pointer(to: field), code: code, byteRange: element.node.range))
  }

  /// Takes an element as the provider's totals of a day, field by field.
  ///
  /// - Parameters:
  ///   - worn: whether the element shows that the device was worn or carried.
  ///   - sources: the devices behind it; of an element that shows no wear they are not named, because then nothing was there
  ///     to measure.
  ///   - complete: whether the day was read as a whole after its end; nil says nothing.
  public mutating func days(
    _ shape: Shape, of element: Place, on date: LocalDate, worn: Bool, sources: [String], complete: Bool? = nil
  ) {
    for (rule, outcome) in outcomes(shape, of: element, worn: worn) {
      payload.days.append(
        DayEntry(
          metric: rule.metric, localDate: date, outcome: outcome, sources: worn ? sources : [], complete: complete))
    }
  }

  /// Takes an element as one record for each of its fields that has a value; what a field says besides becomes a day entry.
  ///
  /// - Parameters:
  ///   - record: what the records have in common: the provider's id of the element, or one that the same element always
  ///     gets, its day, source and interval.
  ///   - offset: how many seconds the person's clock was ahead of UTC, where the records count to each day by their share of
  ///     it; nil where they count to the record's day as a whole.
  public mutating func records(
    _ shape: Shape, of element: Place, worn: Bool = true, like record: RecordEntry, splitAt offset: Int64? = nil
  ) {
    for (rule, outcome) in outcomes(shape, of: element, worn: worn) {
      guard case .value(let number, let unit) = outcome else {
        payload.days.append(DayEntry(metric: rule.metric, localDate: record.localDate, outcome: outcome))
        continue
      }
      var record = record
      record.recordID = PayloadDraft.recordID(record.recordID, rule, in: shape)
      record.metric = rule.metric
      record.value = number
      record.unit = unit
      if !worn { record.source = nil }
      if let offset { payload.records += record.splitByDay(offset: offset) } else { payload.records.append(record) }
    }
  }

  /// Takes back all records of an element, by the provider's id of it.
  public mutating func delete(_ shape: Shape, id: String, kind: String) {
    payload.deletions += shape.fields.map { rule in
      Deletion(.record(id: PayloadDraft.recordID(id, rule, in: shape)), kind: kind)
    }
  }

  /// An element with several fields becomes several records, each with an id of its own. UUIDs are compared without case,
  /// also where something stands behind them.
  private static func recordID(_ id: String, _ rule: FieldRule, in shape: Shape) -> String {
    guard shape.fields.count > 1 else { return id }
    return "\(UUID(uuidString: id) == nil ? id : id.lowercased())/\(rule.metric)"
  }

  /// What an element says of each metric of its table.
  private mutating func outcomes(_ shape: Shape, of element: Place, worn: Bool) -> [(FieldRule, DayEntry.Outcome)] {
    let state = shape.states.first { element[$0.path]?.word == $0.state }
    if let state, state.meaning == .impossible {
      refuse(element, .invalidField, field: state.path)
      return []
    }
    return shape.fields.compactMap { rule in
      let outcome =
        if let state {
          outcome(state.meaning, nil, element, rule, worn: worn, .missingValue)
        } else {
          outcome(of: element, by: rule, worn: worn)
        }
      return outcome.map { (rule, $0) }
    }
  }

  /// What a field says by its rule; nil says nothing, or was set aside.
  private mutating func outcome(of element: Place, by rule: FieldRule, worn: Bool) -> DayEntry.Outcome? {
    switch element.quantity(rule) {
    case .absent: return outcome(rule.absent, nil, element, rule, worn: worn, .missingValue)
    case .null: return outcome(rule.null, nil, element, rule, worn: worn, .missingValue)
    case .unreadable(let path):
      refuse(element, .notANumber, field: path)
      return nil
    case .number(let number):
      guard number.isZero else { return .value(number, unit: rule.unit) }
      return outcome(rule.zero, number, element, rule, worn: worn, .impossibleZero)
    }
  }

  private mutating func outcome(
    _ meaning: Meaning, _ number: ExactNumber?, _ element: Place, _ rule: FieldRule, worn: Bool, _ code: QuarantineCode
  ) -> DayEntry.Outcome? {
    switch meaning {
    case .value: return number.map { .value($0, unit: rule.unit) }
    case .valueIfWorn: return worn ? number.map { .value($0, unit: rule.unit) } : .empty
    case .zero: return .value(ExactNumber(0), unit: rule.unit)
    case .empty: return .empty
    case .emptyIfUnworn: return worn ? nil : .empty
    case .failed(let code): return .failed(code: code)
    case .unavailable: return .unavailable()
    case .silence: return nil
    case .impossible:
      refuse(element, code, field: rule.path)
      return nil
    }
  }

  /// Says once that a device was worn or carried on a day; minutes that are unknown are nil.
  public mutating func present(_ kind: Presence.Kind, on date: LocalDate, source: String, minutes: Int? = nil) {
    let presence = Presence(localDate: date, source: source, kind: kind, minutes: minutes)
    if payload.presence.last != presence, !payload.presence.contains(presence) { payload.presence.append(presence) }
  }

  /// Says of all days that were asked for and have no element what that means, metric by metric.
  ///
  /// Call it only for a document that no other follows: a day that is missing on one page may be on the next. For the same
  /// reason it says nothing of a document that is not the first page.
  public mutating func finish(_ shape: Shape) {
    guard let asked = delivery.asked, delivery.isFirstPage, shape.missingElement == .empty else { return }
    let metrics = Set(shape.fields.map(\.metric)).sorted()
    payload.looked += metrics.map { LookedRange(metric: $0, from: asked.lowerBound, to: asked.upperBound) }
  }

  /// Says that the read failed, for each day that was asked for.
  ///
  /// - Throws: `missing_field` where nobody knows for which days was asked: a failure would say nothing about any day.
  public mutating func failed(_ shapes: [Shape], code: String) throws(PayloadFault) {
    guard let asked = delivery.asked else {
      throw PayloadFault(
        code: .missingField, pointer: "/from",
        detail: "A failed answer says something only about days that were asked for; name them by from and to.")
    }
    for metric in Set(shapes.flatMap(\.fields).map(\.metric)).sorted() {
      for day in asked.lowerBound.daysSince1970...asked.upperBound.daysSince1970 {
        payload.days.append(
          DayEntry(metric: metric, localDate: LocalDate(daysSince1970: day), outcome: .failed(code: code)))
      }
    }
  }
}

extension Delivery {
  /// The kinds of elements that were asked for: the one that the delivery names, else all.
  func shapes(of declaration: FormatDeclaration) -> [Shape] {
    guard let resource, let shape = declaration.shape(resource) else { return declaration.shapes }
    return [shape]
  }
}
