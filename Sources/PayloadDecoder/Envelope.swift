import HealthPayload

import struct FoundationEssentials.UUID

/// What the envelope of a payload says.
struct Envelope {
  /// The first date that a day can have.
  static let firstDate = LocalDate(daysSince1970: -25_567)

  let arrivedAt: Instant
  var schema: Token?
  var payloadID: Token?
  var userID: Token?
  /// Whether the payload has an origin, however faulty.
  var hasOrigin = false
  /// Index of the platform; nil until it was read without fault.
  var platform: Int?
  var origin = Origin(platform: "")
  var read = ReadContext() {
    didSet {
      readAt = read.readAt.map { min($0, arrivedAt) } ?? arrivedAt
      isNeverRead = read.lastSuccess == .never
      lastDate = Envelope.lastDate(at: readAt)
    }
  }
  /// When the store was read, as far as that can be believed: nothing is read after it arrived.
  private(set) var readAt: Instant
  /// The last date that a clock anywhere can have shown at the time of the read.
  private(set) var lastDate: LocalDate
  /// Whether the process that read never had a successful read.
  private(set) var isNeverRead = false

  init(arrivedAt: Instant) {
    self.arrivedAt = arrivedAt
    readAt = arrivedAt
    lastDate = Envelope.lastDate(at: arrivedAt)
  }

  /// Place of a fault's field in the schema.
  static func rank(_ fault: PayloadFault) -> Int {
    Key.allCases.firstIndex { "\(fault.pointer)/".hasPrefix("/\($0.name)/") } ?? Key.allCases.count
  }

  private static func lastDate(at instant: Instant) -> LocalDate { instant.date(hoursFromUTC: 14) }

  /// Whether one failed day abandons the payload.
  var isAllOrNothing: Bool { read.allOrNothing ?? (read.mode == .historyLoad) }
}

/// What an envelope without fault certainly names.
struct PayloadIDs {
  let payload: UUID
  let user: UUID
  /// Index of the platform.
  let platform: Int
}

extension PayloadReader {
  /// Notes a fault of the envelope.
  mutating func fault(_ code: DeadLetterCode, _ pointer: String, _ offset: Int?, _ detail: String) {
    faults.append(PayloadFault(code: code, pointer: pointer, byteOffset: offset, detail: detail))
  }

  /// Notes a key that occurs twice in an object of the envelope.
  mutating func checkRepeated(_ name: Token?, in pointer: String) {
    guard let name else { return }
    fault(
      .invalidField, self.pointer(to: name, in: pointer), name.offset, "A key must occur once in an object.")
  }

  /// Reads an object of the envelope into `fields`; false where there is none.
  private mutating func readObject(_ key: Key) throws(ScanError) -> Bool {
    guard try scanner.peek() == UInt8(ascii: "{") else {
      let other = try scanner.value()
      if other.kind != .null {
        fault(.invalidField, "/\(key.name)", other.offset, "The field must be an object.")
        if key == .origin { envelope.hasOrigin = true }
      }
      return false
    }
    try fields.read(from: &scanner, keys: tables.keys, lists: sourceLists)
    checkRepeated(fields.repeated, in: "/\(key.name)")
    return true
  }

  /// Reads where the data were read.
  mutating func readOrigin() throws(ScanError) {
    guard try readObject(.origin) else { return }
    envelope.hasOrigin = true
    if let token = fields.optional(.platform) {
      if let index = tables.platformNames.index(of: token, in: scanner.bytes) {
        envelope.platform = index
        envelope.origin.platform = tables.platforms[index].name
      } else if token.isString {
        fault(.unknownPlatform, "/origin/platform", token.offset, "The platform must be in the table platform.")
      } else {
        fault(.invalidField, "/origin/platform", token.offset, "The platform must be a text.")
      }
    } else {
      missing("/origin/platform", at: fields.range.lowerBound)
    }
    if let store = envelopeText(.store, in: "/origin", characters: 0...128) { envelope.origin.store = store }
    envelope.origin.installationID = envelopeText(.installationID, in: "/origin", characters: 0...128)
    envelope.origin.osMajor = envelopeInteger(.osMajor, in: "/origin")
    envelope.origin.appBuild = envelopeText(.appBuild, in: "/origin", characters: 0...64)
  }

  /// Reads when and how the data were read.
  mutating func readContext() throws(ScanError) {
    guard try readObject(.read) else { return }
    var read = ReadContext()
    read.readAt = envelopeInstant(.readAt)
    if let token = fields[.lastSuccessfulReadAt] {
      if token.kind == .null {
        read.lastSuccess = .never
      } else if let instant = envelopeInstant(.lastSuccessfulReadAt) {
        read.lastSuccess = .at(instant)
      }
    }
    if let token = fields.optional(.mode) {
      if let index = tables.words.modes.names.index(of: token, in: scanner.bytes) {
        read.mode = tables.words.modes.words[index]
      } else if !token.isString {
        // A word that is not known comes from a newer client and is taken as the usual read.
        fault(.invalidField, "/read/mode", token.offset, "The mode must be a text.")
      }
    }
    read.allOrNothing = envelopeFlag(.allOrNothing)
    read.finalPage = envelopeFlag(.finalPage)
    read.loadID = envelopeText(.loadID, in: "/read", characters: 1...128)
    read.page = envelopeInteger(.page, in: "/read")
    if let page = read.page, let token = fields[.page], page < 1 {
      fault(.invalidField, "/read/page", token.offset, "Pages are counted from 1.")
    }
    envelope.read = read
  }

  /// Checks what can be checked once the whole envelope was read. Throws the fault that counts, with the others.
  mutating func checkEnvelope(queueUser: UUID?) throws(PayloadFault) -> PayloadIDs {
    checkSchema()
    let payloadID = identifier(envelope.payloadID, "/payload_id")
    let userID = identifier(envelope.userID, "/user_id")
    if !envelope.hasOrigin { missing("/origin") }
    if let userID, let queueUser, userID != queueUser {
      fault(
        .userMismatch, "/user_id", envelope.userID?.offset, "The payload must be queued for the user that it names.")
    }
    if let fault = firstFault() { throw fault }
    guard let payloadID, let userID, let platform = envelope.platform else {
      throw PayloadFault(code: .missingField, detail: "The payload must say whose it is and from which platform.")
    }
    return PayloadIDs(payload: payloadID, user: userID, platform: platform)
  }

  /// The fault that counts, with the others.
  private mutating func firstFault() -> PayloadFault? {
    guard !faults.isEmpty else { return nil }
    // Of one code the order of the schema decides, whatever the order of keys in the text.
    let sorted = faults.sorted { ($0.code, Envelope.rank($0), $0.pointer) < ($1.code, Envelope.rank($1), $1.pointer) }
    var first = sorted[0]
    first.others = Array(sorted.dropFirst())
    return first
  }

  /// The fault with the ids that were read before it or beside it.
  func naming(_ fault: PayloadFault) -> PayloadFault {
    var named = fault
    named.payloadID = envelope.payloadID.flatMap { scanner.bytes.uuid(of: $0) }
    named.userID = envelope.userID.flatMap { scanner.bytes.uuid(of: $0) }
    return named
  }

  private mutating func checkSchema() {
    guard let token = envelope.schema, token.kind != .null else { return missing("/schema") }
    guard tables.words.schemas.index(of: token, in: scanner.bytes) != nil else {
      return fault(.unsupportedSchema, "/schema", token.offset, "This build takes \(SyncPayload.schema).")
    }
  }

  private mutating func identifier(_ token: Token?, _ pointer: String) -> UUID? {
    guard let token, token.kind != .null else {
      missing(pointer)
      return nil
    }
    guard let uuid = scanner.bytes.uuid(of: token) else {
      fault(.invalidField, pointer, token.offset, "The field must be a UUID.")
      return nil
    }
    return uuid
  }

  /// Notes that a required field of the envelope is missing.
  mutating func missing(_ pointer: String, at offset: Int? = nil) {
    fault(.missingField, pointer, offset, "The field is required.")
  }

  private mutating func envelopeText(_ key: Key, in parent: String, characters: ClosedRange<Int>) -> String? {
    guard let token = fields.optional(key) else { return nil }
    guard let text = scanner.bytes.text(of: token, characters: characters) else {
      fault(
        .invalidField, "\(parent)/\(key.name)", token.offset,
        "The field must be a text of \(characters.lowerBound) to \(characters.upperBound) characters.")
      return nil
    }
    return text
  }

  private mutating func envelopeInteger(_ key: Key, in parent: String) -> Int? {
    guard let token = fields.optional(key) else { return nil }
    if token.kind == .number, token.range.count > limits.digits {
      fault(.tooLarge, "\(parent)/\(key.name)", token.offset, "A number has at most \(limits.digits) digits.")
      return nil
    }
    guard let integer = scanner.bytes.integer(of: token), Int32(exactly: integer) != nil else {
      fault(.invalidField, "\(parent)/\(key.name)", token.offset, "The field must be a whole number.")
      return nil
    }
    return integer
  }

  private mutating func envelopeInstant(_ key: Key) -> Instant? {
    guard let token = fields.optional(key) else { return nil }
    guard let instant = scanner.bytes.instant(of: token) else {
      fault(
        .invalidField, "/read/\(key.name)", token.offset,
        "The field must be an RFC 3339 time with offset, in the years 1900 to 2200.")
      return nil
    }
    return instant
  }

  private mutating func envelopeFlag(_ key: Key) -> Bool? {
    guard let token = fields.optional(key) else { return nil }
    guard token.kind == .yes || token.kind == .no else {
      fault(.invalidField, "/read/\(key.name)", token.offset, "The field must be true or false.")
      return nil
    }
    return token.kind == .yes
  }
}
