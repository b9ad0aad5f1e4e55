/// Why a text cannot be read to its end.
struct ScanError: Error {
  /// What stops the reading.
  let code: DeadLetterCode
  /// At which byte.
  let offset: Int
}

/// A value in the text: what kind it is and where it stands. Nothing is interpreted yet.
struct Token {
  /// The kinds of JSON values; strings with escapes are told apart, because the others can be used as they stand.
  enum Kind: UInt8 {
    case null, yes, no, number, string, escapedString, array, object
  }

  let kind: Kind
  private let first: Int32
  private let last: Int32

  init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    first = Int32(truncatingIfNeeded: range.lowerBound)
    last = Int32(truncatingIfNeeded: range.upperBound)
  }

  /// The first byte of the value.
  var offset: Int { Int(first) }
  /// All bytes of the value, quotes included.
  var range: Range<Int> { Range(uncheckedBounds: (Int(first), Int(last))) }
  /// The bytes of a string between its quotes.
  var contents: Range<Int> { Range(uncheckedBounds: (Int(first) + 1, Int(last) - 1)) }
  /// Whether the value is a string.
  var isString: Bool { kind == .string || kind == .escapedString }
}

/// Reads JSON from front to back without building anything: it hands out tokens, which are places in the text.
///
/// All accesses to the bytes are checked. The text must be valid UTF-8, which the caller has checked.
struct Scanner: ~Escapable {
  let bytes: Span<UInt8>
  private let maximumDepth: Int
  private var depth = 0
  /// The next byte to be read.
  private(set) var index = 0

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, maximumDepth: Int) {
    self.bytes = bytes
    // Nested values are skipped by recursion, whose depth a setting must not make dangerous.
    self.maximumDepth = min(maximumDepth, 512)
  }

  /// A text that breaks the grammar at `offset`.
  func fault(at offset: Int) -> ScanError { ScanError(code: .notJSON, offset: offset) }

  /// The next byte that is no white space.
  @inline(__always)
  mutating func peek() throws(ScanError) -> UInt8 {
    if index < bytes.count, bytes[index] > 0x20 { return bytes[index] }
    return try peekBehindSpace()
  }

  /// The place is kept in a register while it moves, here and below.
  private mutating func peekBehindSpace() throws(ScanError) -> UInt8 {
    let bytes = bytes
    var place = index
    while place < bytes.count {
      let byte = bytes[place]
      if byte > 0x20 {
        index = place
        return byte
      }
      guard byte != 0x0A else {
        place = bytes.endOfSpaces(from: place &+ 1)
        continue
      }
      guard byte == 0x20 || byte == 0x0D || byte == 0x09 else { throw fault(at: place) }
      place &+= 1
    }
    throw fault(at: place)
  }

  /// Goes to a value that was passed before, when its depth was checked.
  mutating func seek(to offset: Int) {
    index = offset
    depth = 1
  }

  /// Goes over an array whose end is known; returns it.
  mutating func skipArray(to end: Int) -> Token {
    let start = index
    index = end
    return Token(.array, start..<end)
  }

  /// Throws unless nothing but white space is left.
  mutating func finish() throws(ScanError) {
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { throw fault(at: index) }
      index &+= 1
    }
  }

  /// Steps into the object or array that comes next.
  mutating func open() throws(ScanError) {
    depth += 1
    guard depth <= maximumDepth else { throw ScanError(code: .tooLarge, offset: index) }
    index &+= 1
  }

  /// The key of the next member of the object in hand, whose value comes next; nil at the end of the object.
  mutating func nextKey() throws(ScanError) -> Token? {
    guard try nextMember() else { return nil }
    let key = try string()
    try colon()
    return key
  }

  /// Whether a next member of the object in hand comes, whose key begins with the next byte; at its end it is closed.
  @inline(__always)
  mutating func nextMember() throws(ScanError) -> Bool {
    guard try hasNext(opening: UInt8(ascii: "{"), closing: UInt8(ascii: "}")) else { return false }
    guard try peek() == UInt8(ascii: "\"") else { throw fault(at: index) }
    return true
  }

  /// Goes over the colon behind a key.
  @inline(__always)
  mutating func colon() throws(ScanError) {
    guard try peek() == UInt8(ascii: ":") else { throw fault(at: index) }
    index &+= 1
    // Whoever indents puts one space here.
    if index < bytes.count, bytes[index] == 0x20 { index &+= 1 }
  }

  /// Goes over a key, quotes included, if it is the next one; returns whether it was.
  @inline(__always)
  mutating func skip(_ key: NamePrint) -> Bool {
    let end = index &+ key.count
    guard end <= bytes.count, key.isWhole(index..<end, in: bytes) else { return false }
    index = end
    return true
  }

  /// Whether a next element of the array in hand comes; at its end it is closed.
  mutating func nextElement() throws(ScanError) -> Bool {
    try hasNext(opening: UInt8(ascii: "["), closing: UInt8(ascii: "]"))
  }

  /// Goes over the comma before a next item, or over the closing bracket. That no item came yet shows in the byte before:
  /// no value ends with an opening bracket.
  @inline(__always)
  private mutating func hasNext(opening: UInt8, closing: UInt8) throws(ScanError) -> Bool {
    let isFirst = bytes[index - 1] == opening
    let byte = try peek()
    if byte == closing {
      depth -= 1
      index &+= 1
      return false
    }
    if isFirst { return true }
    guard byte == UInt8(ascii: ",") else { throw fault(at: index) }
    index &+= 1
    return true
  }

  /// The next value, whatever it is. Arrays and objects are checked to their end.
  mutating func value() throws(ScanError) -> Token {
    switch try peek() {
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "{"): try object()
    case UInt8(ascii: "["): try array()
    case UInt8(ascii: "t"): try word("true", .yes)
    case UInt8(ascii: "f"): try word("false", .no)
    case UInt8(ascii: "n"): try word("null", .null)
    default: try number()
    }
  }

  /// A scanner of its own for the elements of an array that was passed before.
  @_lifetime(copy self)
  func elements(of array: Token) throws(ScanError) -> Scanner {
    var inner = self
    inner.seek(to: array.offset)
    try inner.open()
    return inner
  }

  private mutating func object() throws(ScanError) -> Token {
    let start = index
    try open()
    while try nextKey() != nil { _ = try value() }
    return Token(.object, start..<index)
  }

  private mutating func array() throws(ScanError) -> Token {
    let start = index
    try open()
    while try nextElement() { _ = try value() }
    return Token(.array, start..<index)
  }

  private mutating func word(_ word: StaticString, _ kind: Token.Kind) throws(ScanError) -> Token {
    let start = index
    for letter in 0..<word.utf8CodeUnitCount {
      guard index < bytes.count, bytes[index] == word.utf8Start[letter] else { throw fault(at: index) }
      index &+= 1
    }
    return Token(kind, start..<index)
  }

  private mutating func number() throws(ScanError) -> Token {
    let start = index
    if bytes[index] == UInt8(ascii: "-") { index &+= 1 }
    let whole = index
    try digits()
    guard index == whole + 1 || bytes[whole] != UInt8(ascii: "0") else { throw fault(at: whole + 1) }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index &+= 1
      try digits()
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index &+= 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index &+= 1 }
      try digits()
    }
    return Token(.number, start..<index)
  }

  private mutating func digits() throws(ScanError) {
    let start = index
    var place = start
    while place < bytes.count, bytes[place] &- UInt8(ascii: "0") < 10 { place &+= 1 }
    guard place > start else { throw fault(at: start) }
    index = place
  }

  /// The string whose quote is the next byte.
  mutating func string() throws(ScanError) -> Token {
    let bytes = bytes
    let start = index
    let end = bytes.endOfPlainText(from: start &+ 1)
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return try string(from: start, oddAt: end) }
    index = end &+ 1
    return Token(.string, start..<index)
  }

  /// A string in which something else than plain text stands before its end.
  private mutating func string(from start: Int, oddAt place: Int) throws(ScanError) -> Token {
    index = place
    while true {
      guard index < bytes.count else { throw fault(at: index) }
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index &+= 1
        return Token(.escapedString, start..<index)
      case UInt8(ascii: "\\"): try escape()
      default: throw fault(at: index)
      }
      index = bytes.endOfPlainText(from: index)
    }
  }

  private mutating func escape() throws(ScanError) {
    index &+= 1
    guard index < bytes.count else { throw fault(at: index) }
    switch bytes[index] {
    case UInt8(ascii: "u"):
      index &+= 1
      for _ in 0..<4 {
        guard index < bytes.count, hexDigit(bytes[index]) != nil else { throw fault(at: index) }
        index &+= 1
      }
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      index &+= 1
    default:
      throw fault(at: index)
    }
  }
}
