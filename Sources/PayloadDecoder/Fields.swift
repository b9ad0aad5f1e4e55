/// Keys of the wire form that the decoder reads. All others are skipped.
enum Key: Int, CaseIterable {
  case schema, payloadID, userID, origin, read
  case timeZones, windows, permissions, presence, days, records, deletions, backfill, readable, looked
  case platform, store, installationID, osMajor, appBuild
  case readAt, mode, allOrNothing, lastSuccessfulReadAt, loadID, page, finalPage
  case metric, localDate, outcome, value, unit, sources, complete, coveredMinutes, code
  case recordID, source, start, end, entry, kind, minutes
  case iana, from, to, instant, firstGrantAt, historyPermission, ownData, state, since, reached

  /// The key as payloads write it.
  var name: String { Key.names[rawValue] }

  static let table = NameTable(names)

  /// The wire form writes words apart that Swift joins with capitals: `payloadID` is `payload_id`.
  private static let names = allCases.map { key in
    "\(key)".replacing("ID", with: "Id").reduce(into: "") { name, letter in
      name += letter.isUppercase ? "_\(letter.lowercased())" : "\(letter)"
    }
  }
}

/// The keys of one object that came so far.
struct SeenKeys {
  private var known: UInt64 = 0
  private var unknown: UnknownKeys?
  /// The first key that came a second time.
  private(set) var repeated: Token?

  /// Notes a key; returns which one it is, or nil if it means nothing to the decoder.
  mutating func insert(_ name: Token, in bytes: Span<UInt8>, keys: NameTable) -> Key? {
    guard let index = keys.index(of: name, in: bytes) else {
      var others = unknown ?? UnknownKeys()
      if !others.insert(name, in: bytes), repeated == nil { repeated = name }
      unknown = others
      return nil
    }
    let bit: UInt64 = 1 << UInt64(index)
    if known & bit != 0, repeated == nil { repeated = name }
    known |= bit
    return Key(rawValue: index)
  }

  /// Whether a key is among those that came.
  func contains(_ key: Key) -> Bool { known >> UInt64(key.rawValue) & 1 == 1 }
}

/// The keys of one object that mean nothing to the decoder, kept only to see whether one comes twice.
private struct UnknownKeys {
  private var few: [Token] = []
  private var many: Set<[UInt8]> = []

  /// Whether the key is new. Most objects have few such keys; a hostile one with very many must not cost their square.
  mutating func insert(_ name: Token, in bytes: Span<UInt8>) -> Bool {
    let text = bytes.unescaped(name.contents)
    if few.count < 8 {
      for other in few where bytes.unescaped(other.contents) == text { return false }
      few.append(name)
      return true
    }
    if many.isEmpty { for other in few { many.insert(bytes.unescaped(other.contents)) } }
    return many.insert(text).inserted
  }
}

/// The members of one object, as tokens by key.
struct Fields {
  private var tokens = [Token](repeating: Token(.null, 0..<0), count: Key.allCases.count)
  private var seen = SeenKeys()
  /// Bytes of the whole object.
  private(set) var range = 0..<0

  /// The value of a key, null included; nil if the object has no such key.
  subscript(key: Key) -> Token? {
    seen.contains(key) ? tokens[key.rawValue] : nil
  }

  /// The value of a key that may be missing; null counts as missing.
  @inline(__always)
  func optional(_ key: Key) -> Token? {
    guard let token = self[key], token.kind != .null else { return nil }
    return token
  }

  /// The first key that occurs a second time.
  var repeated: Token? { seen.repeated }

  /// Reads the object that comes next, in place of the one before.
  mutating func read(from scanner: inout Scanner, keys: NameTable) throws(ScanError) {
    seen = SeenKeys()
    let start = scanner.index
    try scanner.open()
    while let name = try scanner.nextKey() {
      let key = seen.insert(name, in: scanner.bytes, keys: keys)
      let value = try scanner.value()
      if let key { tokens[key.rawValue] = value }
    }
    range = start..<scanner.index
  }
}
