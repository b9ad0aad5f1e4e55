/// Keys of the wire form that the decoder reads. All others are skipped.
enum Key: Int, CaseIterable {
  case schema, payloadID, userID, origin, read
  case timeZones, windows, permissions, presence, days, hours, records, workouts, deletions, backfill, readable, looked
  case platform, store, installationID, osMajor, appBuild
  case readAt, mode, allOrNothing, lastSuccessfulReadAt, loadID, page, finalPage
  case metric, localDate, localHour, outcome, value, unit, sources, complete, coveredMinutes, code
  case recordID, source, start, end, entry, kind, minutes, locations, heartRates
  case iana, from, to, instant, firstGrantAt, historyPermission, ownData, state, since, reached

  /// The key as payloads write it.
  var name: String { Key.names[rawValue] }

  /// The wire form writes words apart that Swift joins with capitals: `payloadID` is `payload_id`.
  fileprivate static let names = allCases.map { key in
    "\(key)".replacing("ID", with: "Id").reduce(into: "") { name, letter in
      name += letter.isUppercase ? "_\(letter.lowercased())" : "\(letter)"
    }
  }
}

/// Finds keys, by their names or by a guess.
final class KeyTable: Sendable {
  static let shared = KeyTable()

  let names = NameTable(Key.names)
  /// What a key looks like with its quotes; nil where it is too long to be recognised by that.
  let quoted = Key.names.map { name in
    let bytes = Array("\"\(name)\"".utf8)
    return bytes.count <= NamePrint.wholeNames ? NamePrint(bytes.span, 0..<bytes.count) : nil
  }
}

/// The keys of one object that came so far.
struct SeenKeys {
  private var known: UInt64 = 0
  private var unknown: UnknownKeys?
  /// The first key that came a second time.
  private(set) var repeated: Token?

  /// Notes a key; returns its raw value, or nil if it means nothing to the decoder.
  @inline(__always)
  mutating func insert(_ name: Token, in bytes: Span<UInt8>, keys: KeyTable) -> Int? {
    guard let key = keys.names.index(of: name, in: bytes) else {
      insertUnknown(name, in: bytes)
      return nil
    }
    insert(key, name)
    return key
  }

  /// Notes the key of this raw value.
  @inline(__always)
  mutating func insert(_ key: Int, _ name: Token) {
    let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: key)
    if known & bit != 0, repeated == nil { repeated = name }
    known |= bit
  }

  private mutating func insertUnknown(_ name: Token, in bytes: Span<UInt8>) {
    var others = unknown ?? UnknownKeys()
    unknown = nil
    if !others.insert(name, in: bytes), repeated == nil { repeated = name }
    unknown = others
  }

  /// Whether a key is among those that came.
  func contains(_ key: Key) -> Bool { known >> UInt64(key.rawValue) & 1 == 1 }
}

/// The keys of one object that mean nothing to the decoder, kept only to see whether one comes twice.
private struct UnknownKeys {
  private var first: Token?
  private var few: [Token] = []
  private var many: Set<[UInt8]> = []

  /// Whether the key is new. Most objects have few such keys; a hostile one with very many must not cost their square.
  mutating func insert(_ name: Token, in bytes: Span<UInt8>) -> Bool {
    guard let first else {
      // Most objects have no second one, and need no list.
      first = name
      return true
    }
    if few.isEmpty { few.append(first) }
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
  private struct Member {
    var token = Token(.null, 0..<0)
    /// The key that came next when this one came last.
    var follower: UInt8 = 0
  }

  /// By key, and one more for the begin of an object.
  private var members = [Member](repeating: Member(), count: Key.allCases.count + 1)
  private var seen = SeenKeys()
  /// Bytes of the whole object.
  private(set) var range = 0..<0
  /// Which of the lists that were read before the sources are, if that was seen.
  private(set) var knownList: Int?

  /// The value of a key, null included; nil if the object has no such key.
  @inline(__always)
  subscript(key: Key) -> Token? {
    seen.contains(key) ? members[key.rawValue].token : nil
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
  ///
  /// Most objects have the keys of the one before in the same order, so that a key is compared with that guess first.
  /// Lists of sources that were read before are recognised and need not be read again.
  mutating func read(from scanner: inout Scanner, keys: KeyTable, lists: borrowing SourceLists) throws(ScanError) {
    seen = SeenKeys()
    knownList = nil
    let start = scanner.index
    var last = members.count - 1
    try scanner.open()
    while try scanner.nextMember() {
      let place = scanner.index
      let guess = Int(members[last].follower)
      if let quoted = keys.quoted[guess], scanner.skip(quoted) {
        seen.insert(guess, Token(.string, place..<scanner.index))
        try scanner.colon()
        if guess == Key.sources.rawValue, let list = lists.list(at: scanner.index, in: scanner.bytes) {
          members[guess].token = scanner.skipArray(to: list.end)
          knownList = list.index
        } else {
          members[guess].token = try scanner.value()
        }
        last = guess
        continue
      }
      let name = try scanner.string()
      try scanner.colon()
      let key = seen.insert(name, in: scanner.bytes, keys: keys)
      let value = try scanner.value()
      guard let key else { continue }
      members[key].token = value
      members[last].follower = UInt8(truncatingIfNeeded: key)
      last = key
    }
    range = start..<scanner.index
  }
}
