public import FoundationEssentials
public import HealthPayload
public import PayloadDecoder

/// The formats that a build takes besides its own.
public struct FormatCatalogue: PayloadTranslator {
  /// The formats in the order of their names.
  public let formats: [any ProviderFormat.Type]

  /// A catalogue of formats.
  ///
  /// - Throws: the first gap in a table. A format whose table leaves something to guess is not loaded at all.
  public init(_ formats: [any ProviderFormat.Type]) throws(CatalogueError) {
    let tables = formats.map { $0.declaration }
    for table in tables { try FormatCatalogue.check(table) }
    guard Set(tables.map(\.name)).count == tables.count else {
      throw CatalogueError("Two formats have one name: \(tables.map(\.name)).")
    }
    self.formats = formats.sorted { $0.declaration.name < $1.declaration.name }
  }

  /// The tables, in the order of their names.
  public var declarations: [FormatDeclaration] { formats.map { $0.declaration } }

  /// The format of this name; nil if there is none.
  public func format(named name: String) -> (any ProviderFormat.Type)? {
    formats.first { $0.declaration.name == name }
  }

  /// Our payload that says what a delivery says; nil for a text that is none.
  public func translate(
    _ text: [UInt8], queueUser: UUID?, arrivedAt: Instant, limits: DecoderLimits
  ) throws(PayloadFault) -> TranslatedPayload? {
    guard let delivery = try Delivery(text, queueUser: queueUser, limits: limits) else { return nil }
    guard let format = format(named: delivery.format) else {
      throw PayloadFault(
        code: .unsupportedSchema, pointer: "/format",
        detail: "This build takes \(declarations.map(\.name).joined(separator: ", ")).")
    }
    if let queueUser, queueUser != delivery.userID {
      throw PayloadFault(
        code: .userMismatch, pointer: "/user_id", detail: "The delivery names another user than its queue row.")
    }
    var draft = PayloadDraft(delivery, format.declaration)
    if let status = delivery.httpStatus, delivery.isFailure {
      try draft.failed(delivery.shapes(of: format.declaration), code: "http.\(status)")
    } else {
      try format.read(delivery, into: &draft)
    }
    return TranslatedPayload(text: try draft.payload.json(), refused: draft.refused)
  }

  /// Throws if the table of a format leaves something to guess.
  private static func check(_ table: FormatDeclaration) throws(CatalogueError) {
    func gap(_ what: String) -> CatalogueError { CatalogueError("The table of format \(table.name) lacks \(what).") }
    if table.name.isEmpty || table.title.isEmpty { throw gap("its name or title") }
    if (table.platform == nil) == table.platforms.isEmpty { throw gap("its platform, or has several") }
    if table.shapes.isEmpty { throw gap("its kinds of elements") }
    if table.errors.isEmpty { throw gap("how errors are said") }
    if table.sources.isEmpty { throw gap("where its facts are from") }
    for shape in table.shapes {
      let sentences = [
        ("its day", shape.day), ("its identity", shape.identity), ("its deletions", shape.deletions),
        ("its evidence of wear", shape.wear),
      ]
      for (what, sentence) in sentences where sentence.isEmpty { throw gap("\(what) in \(shape.name)") }
      for rule in shape.fields where rule.path.isEmpty || rule.metric.isEmpty || rule.unit.isEmpty {
        throw gap("path, metric or unit of a field in \(shape.name)")
      }
      for state in shape.states where [.value, .valueIfWorn, .zero].contains(state.meaning) {
        throw gap("what \(state.path) \(state.state) in \(shape.name) means: only a field can have a value")
      }
      for rule in shape.fields where [rule.null, rule.absent].contains(where: { $0 == .value || $0 == .valueIfWorn }) {
        throw gap("what null or absence of \(rule.path) in \(shape.name) means: nothing is there to be a value")
      }
    }
  }
}
