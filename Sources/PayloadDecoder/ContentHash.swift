/// A fingerprint of a payload's content.
public enum ContentHash {
  /// 16 bytes that are equal for the same JSON content, whatever its white space, the order of the keys of its objects,
  /// the escapes in its strings and the notation of its numbers. A text that is not JSON has the fingerprint of its bytes.
  ///
  /// It finds out whether a payload id was used twice; it is no protection against forgery.
  public static func of(_ bytes: Span<UInt8>) -> [UInt8] {
    let print = contentPrint(bytes)
    return (0..<16).map { UInt8(truncatingIfNeeded: print >> (120 - 8 * $0)) }
  }

  /// 16 bytes that are equal for the same JSON content.
  public static func of(_ bytes: [UInt8]) -> [UInt8] { of(bytes.span) }

  private static func contentPrint(_ bytes: Span<UInt8>) -> UInt128 {
    let rawPrint = Fingerprint.of(bytes, 0..<bytes.count, .raw)
    do {
      _ = try UTF8Span(validating: bytes)
      var scanner = Scanner(bytes, maximumDepth: .max)
      let print = try scanner.fingerprint()
      try scanner.finish()
      return print
    } catch {
      return rawPrint
    }
  }
}

/// The arithmetic of fingerprints.
private enum Fingerprint {
  /// Kinds of values, which differ also where their bytes do not: the string `1` is not the number 1.
  enum Kind: UInt128 {
    case raw = 1, null, yes, no, number, string, array, object
  }

  /// Joins two fingerprints in their order.
  static func join(_ left: UInt128, _ right: UInt128) -> UInt128 {
    var mixed = left ^ (right &* 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835)
    mixed = (mixed ^ mixed >> 67) &* 0xD6E8_FEB8_6659_FD93_A0B4_28DB_6C5E_9B3D
    return mixed ^ mixed >> 61
  }

  /// Less than sixteen bytes as one number.
  private static func lastBytes(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt128 {
    if range.upperBound >= 16 {
      let word = bytes.bytes.unsafeLoadUnaligned(fromByteOffset: range.upperBound - 16, as: UInt128.self)
      return UInt128(bigEndian: word) & (1 << UInt128(8 * range.count) &- 1)
    }
    var number: UInt128 = 0
    for index in range { number = number << 8 | UInt128(bytes[index]) }
    return number
  }

  /// Up to fifteen bytes of a number's text, whose fingerprint needs no array.
  struct ShortText {
    var hasDigits = false
    private var bytes: UInt128 = 0
    private var count: UInt128 = 0

    init(_ text: StaticString = "") {
      for index in 0..<text.utf8CodeUnitCount { append(text.utf8Start[index]) }
    }

    mutating func append(_ byte: UInt8) {
      bytes = bytes << 8 | UInt128(byte)
      count += 1
    }

    var fingerprint: UInt128 { join(join(Kind.number.rawValue, count), bytes) }
  }

  /// The fingerprint of bytes.
  static func of(_ bytes: Span<UInt8>, _ range: Range<Int>, _ kind: Kind) -> UInt128 {
    var print = join(kind.rawValue, UInt128(range.count))
    var index = range.lowerBound
    let raw = bytes.bytes
    while index + 16 <= range.upperBound {
      print = join(print, UInt128(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt128.self)))
      index += 16
    }
    return join(print, lastBytes(bytes, index..<range.upperBound))
  }
}

extension Scanner {
  /// The fingerprint of the value that comes next.
  fileprivate mutating func fingerprint() throws(ScanError) -> UInt128 {
    switch try peek() {
    case UInt8(ascii: "{"): return try objectFingerprint()
    case UInt8(ascii: "["): return try arrayFingerprint()
    default: break
    }
    let token = try value()
    switch token.kind {
    case .string: return Fingerprint.of(bytes, token.contents, .string)
    case .escapedString:
      let contents = bytes.unescaped(token.contents)
      return Fingerprint.of(contents.span, 0..<contents.count, .string)
    case .number:
      if let print = shortNumberFingerprint(token) { return print }
      let digits = significantDigits(token)
      return Fingerprint.of(digits.span, 0..<digits.count, .number)
    case .yes: return Fingerprint.Kind.yes.rawValue
    case .no: return Fingerprint.Kind.no.rawValue
    default: return Fingerprint.Kind.null.rawValue
    }
  }

  /// Members are added up, so that their order does not count.
  private mutating func objectFingerprint() throws(ScanError) -> UInt128 {
    var sum: UInt128 = 0
    try open()
    while let name = try nextKey() {
      sum &+= Fingerprint.join(keyFingerprint(name), try fingerprint())
    }
    return Fingerprint.join(Fingerprint.Kind.object.rawValue, sum)
  }

  private func keyFingerprint(_ name: Token) -> UInt128 {
    if name.kind == .string { return Fingerprint.of(bytes, name.contents, .string) }
    let key = bytes.unescaped(name.contents)
    return Fingerprint.of(key.span, 0..<key.count, .string)
  }

  private mutating func arrayFingerprint() throws(ScanError) -> UInt128 {
    var print = Fingerprint.Kind.array.rawValue
    try open()
    while try nextElement() { print = Fingerprint.join(print, try fingerprint()) }
    return print
  }

  /// The fingerprint of a number that has few digits and no exponent: the same as that of its significant digits, without
  /// making a list of them. Nil for others.
  private func shortNumberFingerprint(_ token: Token) -> UInt128? {
    guard token.range.count <= 9 else { return nil }
    var text = Fingerprint.ShortText()
    var zeros = 0
    var power = 0
    var isBehindPoint = false
    for index in token.range {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "-"): text.append(byte)
      case UInt8(ascii: "."): isBehindPoint = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if isBehindPoint { power -= 1 }
        if byte == UInt8(ascii: "0") {
          zeros += 1
          continue
        }
        // Zeros before the first digit do not count, nor do those behind the last one, which never come here.
        if text.hasDigits { for _ in 0..<zeros { text.append(UInt8(ascii: "0")) } }
        zeros = 0
        text.append(byte)
        text.hasDigits = true
      default: return nil
      }
    }
    guard text.hasDigits else { return Fingerprint.ShortText("0").fingerprint }
    power += zeros
    text.append(UInt8(ascii: "e"))
    if power < 0 { text.append(UInt8(ascii: "-")) }
    text.append(UInt8(ascii: "0") + UInt8(power.magnitude))
    return text.fingerprint
  }

  /// A number as sign, digits without zeros at either end, and power of ten; as it is written where its exponent is absurd.
  private func significantDigits(_ token: Token) -> [UInt8] {
    let written = token.range.map { bytes[$0] }
    let isNegative = written[0] == UInt8(ascii: "-")
    let exponentMark = written.firstIndex { $0 | 0x20 == UInt8(ascii: "e") }
    var digits = written[..<(exponentMark ?? written.endIndex)].drop { $0 == UInt8(ascii: "-") }
    var power = 0
    if let exponentMark {
      guard let exponent = Int(String(decoding: written[(exponentMark + 1)...], as: UTF8.self)),
        abs(exponent) < Int.max / 2
      else { return written }
      power = exponent
    }
    if let point = digits.firstIndex(of: UInt8(ascii: ".")) {
      power -= digits.endIndex - point - 1
      digits.remove(at: point)
    }
    digits = digits.drop { $0 == UInt8(ascii: "0") }
    guard !digits.isEmpty else { return [UInt8(ascii: "0")] }
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      power += 1
    }
    return (isNegative ? [UInt8(ascii: "-")] : []) + digits + Array("e\(power)".utf8)
  }
}
