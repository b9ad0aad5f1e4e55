public import FoundationEssentials
public import HealthPayload
internal import PayloadDecoder

/// A provider's document as a fetcher hands it over: the bytes as they came, and what only the fetcher knows, which is whose
/// they are, when they were read, and for which days was asked.
public struct Delivery: Sendable {
  /// Which format the document has.
  public let format: String
  /// The person.
  public let userID: UUID
  /// The id of the payload that is made of it.
  public let payloadID: UUID
  /// The provider's account, which is the store of the readings; empty where a person has one.
  public let account: String
  /// When the provider was asked; nil is taken as the time of arrival.
  public let readAt: Instant?
  /// The person's IANA time zone; nil is unknown.
  public let timeZone: String?
  /// For which days was asked, both included; nil is unknown, and then what is not in the document says nothing.
  public let asked: ClosedRange<LocalDate>?
  /// Which resource was asked for; nil leaves it to the document.
  public let resource: String?
  /// Which page of the answer the document is, counted from 1; nil is the first.
  public let page: Int?
  /// Status of the HTTP answer; nil where there was none or all was well.
  public let httpStatus: Int?
  /// Major version of the person's operating system; nil is unknown.
  public let osMajor: Int?
  /// The document; nil where the answer had none.
  public let body: Place?

  /// Whether no other page came before: of a document that is not the first page nobody knows which days the others hold.
  public var isFirstPage: Bool { page == nil || page == 1 }

  /// Whether the answer is none: a status of 400 or more.
  public var isFailure: Bool { if let httpStatus { httpStatus >= 400 } else { false } }

  /// What a text says that names a format; nil for a text that names none.
  ///
  /// - Throws: the fault of the field that is missing or wrong.
  init?(_ text: [UInt8], queueUser: UUID?, limits: DecoderLimits) throws(PayloadFault) {
    let root = Place(try JSONNode(parsing: text, limits: limits))
    guard root.has("format") else { return nil }
    let fields = DeliveryFields(root)
    format = try fields.required("format")
    guard let user = try fields.optional("user_id", { UUID(uuidString: $0) }) ?? queueUser else {
      throw DeliveryFields.missing("user_id")
    }
    userID = user
    account = try fields.optional("account", DeliveryFields.accountText) ?? ""
    readAt = try fields.optional("read_at") { Instant($0) }
    timeZone = try fields.optional("time_zone") { $0 }
    resource = try fields.optional("resource") { $0 }
    asked = try fields.range("from", "to")
    page = try fields.whole("page", 1...1_000_000)
    httpStatus = try fields.whole("http_status", 100...599)
    osMajor = try fields.whole("os_major", 0...1000)
    body = root["body"]
    if let id = try fields.optional("payload_id", { UUID(uuidString: $0) }) {
      payloadID = id
    } else {
      payloadID = UUID(contentHash: ContentHash.of(text))
    }
    guard body != nil || isFailure else { throw DeliveryFields.missing("body") }
  }
}

/// Reads the fields around a document.
private struct DeliveryFields {
  let root: Place

  init(_ root: Place) { self.root = root }

  static func missing(_ name: String) -> PayloadFault {
    PayloadFault(code: .missingField, pointer: "/\(name)", detail: "A delivery needs the field \(name).")
  }

  static func invalid(_ name: String, _ place: Place) -> PayloadFault {
    PayloadFault(
      code: .invalidField, pointer: "/\(name)", byteOffset: place.node.range.lowerBound,
      detail: "The delivery's field \(name) has another form than the documentation says.")
  }

  /// An account is the store of a reading, which has at most 128 characters.
  static func accountText(_ text: String) -> String? { text.unicodeScalars.count <= 128 ? text : nil }

  func required(_ name: String) throws(PayloadFault) -> String {
    guard let text = try optional(name, { $0 }) else { throw DeliveryFields.missing(name) }
    return text
  }

  func optional<Value>(_ name: String, _ parse: (String) -> Value?) throws(PayloadFault) -> Value? {
    guard let place = root[name] else { return nil }
    guard let text = place.text, let value = parse(text) else { throw DeliveryFields.invalid(name, place) }
    return value
  }

  func whole(_ name: String, _ range: ClosedRange<Int>) throws(PayloadFault) -> Int? {
    guard let place = root[name] else { return nil }
    guard case .number(let text) = place.node.value, let number = Int(text), range.contains(number) else {
      throw DeliveryFields.invalid(name, place)
    }
    return number
  }

  /// A range of days; one end alone is the whole range.
  func range(_ from: String, _ to: String) throws(PayloadFault) -> ClosedRange<LocalDate>? {
    let first = try optional(from) { LocalDate($0) }
    let last = try optional(to) { LocalDate($0) }
    guard let begin = first ?? last, let end = last ?? first else { return nil }
    guard begin <= end, end.daysSince1970 - begin.daysSince1970 < LookedRange.maximumDays else {
      throw PayloadFault(
        code: .invalidField, pointer: "/\(to)",
        detail: "The days asked for must run forwards, and be at most \(LookedRange.maximumDays).")
    }
    return begin...end
  }
}
