import HealthPayload

/// One pass over one payload: the bytes go in, what they say and what is wrong with them is collected.
///
/// The envelope is read as it comes. Its blocks are read at once where the envelope's `origin` and `read`, which judge their
/// entries, came before them, and else after the rest.
struct PayloadReader: ~Copyable, ~Escapable {
  let tables: CatalogueTables
  let limits: DecoderLimits
  let parts: DecodedParts

  var scanner: Scanner
  var envelope: Envelope
  /// What is wrong with the envelope.
  var faults: [PayloadFault] = []

  /// The entry in hand.
  var fields = Fields()
  var place = EntryPlace(block: .days, index: 0)
  var problems: [Problem] = []
  var sourceLists = SourceLists()
  /// The date that came last and was accepted. Most entries have the date of the one before.
  var knownDate: (print: NamePrint, date: LocalDate)?
  var entryCount = 0

  var quarantined: [QuarantinedEntry] = []
  /// Everything that is wrong with entries.
  var findings: [Finding] = []
  var accepted = AcceptedEntries()

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, decoder: PayloadDecoder, arrivedAt: Instant, parts: DecodedParts) {
    self.parts = parts
    tables = decoder.catalogue.tables
    limits = decoder.limits
    scanner = Scanner(bytes, maximumDepth: decoder.limits.depth)
    envelope = Envelope(arrivedAt: arrivedAt)
    accepted.proof = Array(repeating: false, count: tables.rules.count)
  }

  /// Reads the text to its end.
  mutating func read() throws(ScanError) {
    guard try scanner.peek() == UInt8(ascii: "{") else { return try readOther() }
    try scanner.open()
    let keys = tables.keys
    var seen = SeenKeys()
    var postponed: [(block: Key, offset: Int)] = []
    while let name = try scanner.nextKey() {
      let key = seen.insert(name, in: scanner.bytes, keys: keys).flatMap(Key.init(rawValue:))
      switch key {
      case .schema: envelope.schema = try scanner.value()
      case .payloadID: envelope.payloadID = try scanner.value()
      case .userID: envelope.userID = try scanner.value()
      case .origin: try readOrigin()
      case .read: try readContext()
      case .timeZones, .windows, .permissions, .presence, .days, .hours, .records, .workouts, .deletions, .backfill,
        .readable,
        .looked:
        guard let key else { break }
        if seen.contains(.origin) && seen.contains(.read) {
          try readBlock(key)
        } else {
          _ = try scanner.peek()
          postponed.append((key, scanner.index))
          _ = try scanner.value()
        }
      default: _ = try scanner.value()
      }
    }
    try scanner.finish()
    checkRepeated(seen.repeated, in: "")
    for (block, offset) in postponed {
      scanner.seek(to: offset)
      try readBlock(block)
    }
  }

  /// Reads a text that is no object, to see whether it is JSON at all.
  private mutating func readOther() throws(ScanError) {
    let offset = scanner.index
    do throws(ScanError) {
      _ = try scanner.value()
      try scanner.finish()
    } catch {
      // That it is no object is certain, however deep it may be.
      guard error.code == .tooLarge else { throw error }
    }
    throw ScanError(code: .notAnObject, offset: offset)
  }

  private mutating func readBlock(_ block: Key) throws(ScanError) {
    guard try scanner.peek() == UInt8(ascii: "[") else {
      let other = try scanner.value()
      if other.kind != .null { fault(.invalidField, "/\(block.name)", other.offset, "The block must be an array.") }
      return
    }
    try scanner.open()
    if block == .days { accepted.reserve(entriesIn: scanner.bytes.count - scanner.index, parts) }
    let tables = tables
    var index = 0
    while try scanner.nextElement() {
      entryCount += 1
      guard entryCount <= limits.entries else { throw ScanError(code: .tooLarge, offset: scanner.index) }
      place = EntryPlace(block: block, index: index)
      if !problems.isEmpty { problems.removeAll(keepingCapacity: true) }
      try readEntry(tables)
      index += 1
    }
    if block == .days { accepted.dayCount = Int32(index) }
    if block == .records { accepted.recordCount = Int32(index) }
  }

  private mutating func readEntry(_ tables: CatalogueTables) throws(ScanError) {
    let first = try scanner.peek()
    if place.block == .readable { return readReadable(try scanner.value()) }
    guard first == UInt8(ascii: "{") else {
      let other = try scanner.value()
      problem(.invalidField, at: place.pointer, other.offset)
      refuse(other.range)
      return
    }
    try fields.read(from: &scanner, keys: tables.keys, lists: sourceLists)
    if let name = fields.repeated {
      problem(.duplicateKey, at: pointer(to: name, in: place.pointer), name.offset)
    }
    switch place.block {
    case .days: try readDay(tables)
    case .hours: readHour()
    case .records: readRecord()
    case .workouts: try readWorkout()
    case .deletions: readDeletion()
    case .presence: readPresence()
    case .windows: readWindow()
    case .permissions: readPermission()
    case .timeZones: readTimeZone()
    case .backfill: readBackfill()
    default: readLooked()
    }
  }

  /// JSON pointer to a key; to its object where no pointer can be kept that names the key: one that is overlong, holds the
  /// character zero or half of a surrogate pair. The byte offset beside it says where.
  func pointer(to name: Token, in object: String) -> String {
    guard let key = scanner.bytes.text(of: name, characters: 0...longestKeyInPointer) else { return object }
    // By scalar: as a Character, a tilde with an accent on it is no tilde.
    return key.unicodeScalars.reduce(into: "\(object)/") { pointer, scalar in
      switch scalar {
      case "~": pointer += "~0"
      case "/": pointer += "~1"
      default: pointer.unicodeScalars.append(scalar)
      }
    }
  }
}

/// Characters of a key that a pointer may name. Pointers are kept in an index, whose rows have at most some 2,700 bytes.
private let longestKeyInPointer = 128

/// Which entry is in hand.
struct EntryPlace {
  let block: Key
  let index: Int

  /// JSON pointer to the entry.
  var pointer: String { "/\(block.name)/\(index)" }
}

/// One thing that is wrong with the entry in hand.
struct Problem {
  let code: QuarantineCode
  let pointer: String
  let offset: Int
}
