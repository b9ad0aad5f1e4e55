/// A JSON text as a tree, for formats whose shape is not known beforehand. Numbers stay as they were written.
public struct JSONNode: Sendable, Hashable {
  /// What a value is.
  public indirect enum Value: Sendable, Hashable {
    /// The word `null`.
    case null
    /// A truth value.
    case bool(Bool)
    /// A number, as its text.
    case number(String)
    /// A text without escapes.
    case string(String)
    /// The elements in their order.
    case array([JSONNode])
    /// The members by key.
    case object([String: JSONNode])
  }

  /// What it is.
  public let value: Value
  /// Where it stands, in bytes from the begin of the text.
  public let range: Range<Int>

  /// The tree of a text.
  ///
  /// - Throws: `not_json` with the offset where the grammar breaks, `too_large` where a limit is passed, `invalid_field`
  ///   for a key that occurs twice in an object (readers of JSON disagree about which of them counts) and for a string that
  ///   cannot be stored.
  public init(parsing bytes: [UInt8], limits: DecoderLimits = DecoderLimits()) throws(PayloadFault) {
    if let fault = limits.unreadable(bytes.span) { throw fault }
    var builder = TreeBuilder(Scanner(bytes.span, maximumDepth: limits.depth), limits)
    self = try builder.tree()
  }

  fileprivate init(_ value: Value, _ range: Range<Int>) {
    self.value = value
    self.range = range
  }
}

/// Builds a tree from what the scanner hands out.
private struct TreeBuilder: ~Escapable {
  private var scanner: Scanner
  private let limits: DecoderLimits
  /// Values in hand, which a text of many short ones must not make larger than memory.
  private var count = 0

  @_lifetime(copy scanner)
  init(_ scanner: consuming Scanner, _ limits: DecoderLimits) {
    self.scanner = scanner
    self.limits = limits
  }

  mutating func tree() throws(PayloadFault) -> JSONNode {
    do throws(ScanError) {
      let node = try self.node()
      try scanner.finish()
      return node
    } catch {
      throw PayloadFault(error, limits)
    }
  }

  private mutating func node() throws(ScanError) -> JSONNode {
    count += 1
    // An entry of ours has about a dozen values.
    guard count <= limits.entries * 16 else { throw ScanError(code: .tooLarge, offset: scanner.index) }
    switch try scanner.peek() {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    default: break
    }
    let token = try scanner.value()
    switch token.kind {
    case .null: return JSONNode(.null, token.range)
    case .yes: return JSONNode(.bool(true), token.range)
    case .no: return JSONNode(.bool(false), token.range)
    case .number: return JSONNode(.number(scanner.bytes.plainText(token.range)), token.range)
    default: return JSONNode(.string(try text(of: token)), token.range)
    }
  }

  private mutating func object() throws(ScanError) -> JSONNode {
    let start = scanner.index
    var members: [String: JSONNode] = [:]
    try scanner.open()
    while let key = try scanner.nextKey() {
      let name = try text(of: key)
      guard members[name] == nil else { throw ScanError(code: .invalidField, offset: key.offset) }
      members[name] = try node()
    }
    return JSONNode(.object(members), start..<scanner.index)
  }

  private mutating func array() throws(ScanError) -> JSONNode {
    let start = scanner.index
    var elements: [JSONNode] = []
    try scanner.open()
    while try scanner.nextElement() { elements.append(try node()) }
    return JSONNode(.array(elements), start..<scanner.index)
  }

  private func text(of token: Token) throws(ScanError) -> String {
    guard let text = scanner.bytes.text(of: token) else {
      throw ScanError(code: .invalidField, offset: token.offset)
    }
    return text
  }
}
