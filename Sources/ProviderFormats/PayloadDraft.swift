public import HealthPayload
public import PayloadDecoder

/// A payload that is being made of a delivery. It reads elements by their table, so that what a zero, a null and a missing
/// field mean is said in one place and nowhere decided by code.
public struct PayloadDraft {
  /// The payload so far.
  public var payload: SyncPayload
  /// What cannot be used of the delivery so far.
  public private(set) var refused: [RefusedElement] = []
  let delivery: Delivery
  /// What was refused already: several rules may read one field.
  private var known: Set<RefusedElement> = []
  /// What was said of presence already: to look through all of it for each element would take the square of their number.
  private var present: Set<Presence> = []
  /// Zones that were looked up, also those that do not exist.
  var zones: [String: ZoneRules?] = [:]

  /// An empty payload of a delivery. Where the table names no platform, the format takes it from the document.
  init(_ delivery: Delivery, _ table: FormatDeclaration) {
    self.delivery = delivery
    payload = SyncPayload(
      payloadID: delivery.payloadID, userID: delivery.userID,
      origin: Origin(
        platform: table.platform ?? "", store: delivery.account.isEmpty ? table.store : delivery.account,
        osMajor: delivery.osMajor),
      read: ReadContext(readAt: delivery.readAt))
    if let zone = delivery.timeZone { payload.timeZones = [TimeZoneStatement(iana: zone)] }
  }

  /// Sets an element aside: it cannot be used, its siblings can.
  public mutating func refuse(_ element: Place, _ code: QuarantineCode, field: String = "") {
    let refusal = RefusedElement(pointer: element.pointer(to: field), code: code, byteRange: element.node.range)
    if known.insert(refusal).inserted { refused.append(refusal) }
  }

  /// Takes an element as the provider's totals of a day, field by field.
  ///
  /// - Parameters:
  ///   - worn: whether the element shows that the device was worn or carried.
  ///   - sources: the devices behind it; of an element that shows no wear they are not named, because then nothing was there
  ///     to measure.
  ///   - complete: whether the day was read as a whole after its end; nil says nothing.
  ///   - unit: the document's word for the unit, where it has one.
  public mutating func days(
    _ shape: Shape, of element: Place, on date: LocalDate, worn: Bool, sources: [String], complete: Bool? = nil,
    unit: String? = nil
  ) {
    for (rule, outcome) in outcomes(shape, of: element, worn: worn, unit: unit) {
      // Nobody contributed to nothing.
      var contributors: [String] = []
      if worn, case .value = outcome { contributors = sources }
      payload.days.append(
        DayEntry(
          metric: rule.metric, localDate: date, outcome: outcome, sources: contributors, complete: complete))
    }
  }

  /// Says once that a device was worn or carried on a day; minutes that are unknown are nil.
  public mutating func present(_ kind: Presence.Kind, on date: LocalDate, source: String, minutes: Int? = nil) {
    let presence = Presence(localDate: date, source: source, kind: kind, minutes: minutes)
    if present.insert(presence).inserted { payload.presence.append(presence) }
  }

  /// Says of all days that were asked for and have no element what that means, metric by metric.
  ///
  /// Call it only for a document that no other follows: a day that is missing on one page may be on the next. For the same
  /// reason it says nothing of a document that is not the first page.
  ///
  /// - Parameter first: the first day of which that is known, where the provider is silent about days that it lets nobody read.
  public mutating func finish(_ shape: Shape, notBefore first: LocalDate? = nil) {
    guard let asked = delivery.asked, delivery.isFirstPage, shape.missingElement == .empty else { return }
    let from = max(asked.lowerBound, first ?? asked.lowerBound)
    guard from <= asked.upperBound else { return }
    let metrics = Set(shape.fields.map(\.metric)).sorted()
    payload.looked += metrics.map { LookedRange(metric: $0, from: from, to: asked.upperBound) }
  }

  /// Says that the read failed, for each day that was asked for.
  ///
  /// - Throws: `missing_field` where nobody knows for which days was asked: a failure would say nothing about any day.
  public mutating func failed(_ shapes: [Shape], code: String) throws(PayloadFault) {
    try everywhere(shapes, .failed(code: code))
  }

  /// Says one outcome of each day that was asked for, metric by metric.
  ///
  /// - Throws: `missing_field` where nobody knows for which days was asked.
  public mutating func everywhere(_ shapes: [Shape], _ outcome: DayEntry.Outcome) throws(PayloadFault) {
    guard let asked = delivery.asked else {
      throw PayloadFault(
        code: .missingField, pointer: "/from",
        detail: "A failed answer says something only about days that were asked for; name them by from and to.")
    }
    for metric in Set(shapes.flatMap(\.fields).map(\.metric)).sorted() {
      for day in asked.lowerBound.daysSince1970...asked.upperBound.daysSince1970 {
        payload.days.append(
          DayEntry(metric: metric, localDate: LocalDate(daysSince1970: day), outcome: outcome))
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
