public import FoundationEssentials
public import HealthPayload

/// How much a payload may ask of the decoder.
public struct DecoderLimits: Sendable, Hashable {
  /// Bytes of the text.
  public var maximumBytes: Int
  /// Objects and arrays inside one another.
  public var depth: Int
  /// Entries of all blocks together, and the days of each metric that ranges in `looked` name.
  public var entries: Int
  /// Decimal digits of a number, written without an exponent.
  public var digits: Int

  /// Limits; by default 32 MiB, depth 32, 200,000 entries, 40 digits.
  public init(maximumBytes: Int = 32 << 20, depth: Int = 32, entries: Int = 200_000, digits: Int = 40) {
    self.maximumBytes = maximumBytes
    self.depth = depth
    self.entries = entries
    self.digits = digits
  }
}

/// What decoding keeps of the entries.
public enum DecodedParts: Sendable {
  /// Everything: the payload as it was sent, and what its days say once judged.
  case all
  /// The judged days and records without the entries in `payload.days`, `payload.hours` and
  /// `payload.records`, for readers that would not
  /// look at these. Everything else is kept.
  case judgedDays
}

/// The one boundary at which the bytes of a payload become typed evidence, or are refused with code and place.
public struct PayloadDecoder: Sendable {
  /// What payloads may name.
  public let catalogue: Catalogue
  /// How much they may ask for.
  public let limits: DecoderLimits
  /// What makes payloads of texts in other formats; nil takes none.
  public let translator: (any PayloadTranslator)?

  /// A decoder for payloads of this catalogue.
  public init(
    catalogue: Catalogue, limits: DecoderLimits = DecoderLimits(), translator: (any PayloadTranslator)? = nil
  ) {
    self.catalogue = catalogue
    self.limits = limits
    self.translator = translator
  }

  /// What the bytes of a payload say.
  ///
  /// - Parameters:
  ///   - queueUser: The user of the queue row; nil where there is none to compare with.
  ///   - arrivedAt: When the payload arrived first. It stands in for a read time that is missing or later.
  ///   - parts: What to keep.
  public func decode(
    _ bytes: Span<UInt8>, queueUser: UUID?, arrivedAt: Instant, parts: DecodedParts = .all
  ) -> DecodeResult {
    if let fault = limits.unreadable(bytes) { return .dead(fault) }
    var reader = PayloadReader(bytes, decoder: self, arrivedAt: arrivedAt, parts: parts)
    do {
      try reader.read()
    } catch {
      return .dead(reader.naming(PayloadFault(error, limits)))
    }
    do {
      return .payload(try reader.judge(try reader.checkEnvelope(queueUser: queueUser)))
    } catch {
      return translated(bytes, after: reader.naming(error), queueUser: queueUser, arrivedAt: arrivedAt, parts: parts)
    }
  }

  /// What the bytes of a payload say.
  public func decode(
    _ bytes: [UInt8], queueUser: UUID?, arrivedAt: Instant, parts: DecodedParts = .all
  ) -> DecodeResult {
    decode(bytes.span, queueUser: queueUser, arrivedAt: arrivedAt, parts: parts)
  }

  /// Whose a payload is, as far as its text can be read; nil where it does not say. The rest of it may be wrong.
  public func userID(of bytes: [UInt8], arrivedAt: Instant) -> UUID? {
    switch decode(bytes, queueUser: nil, arrivedAt: arrivedAt, parts: .judgedDays) {
    case .payload(let decoded): decoded.payload.userID
    case .dead(let fault): fault.userID
    }
  }

  /// Everything that is wrong with a payload, envelope and entries, in the order of the text; empty if nothing is.
  public func validate(_ bytes: Span<UInt8>, arrivedAt: Instant) -> [Finding] {
    if let fault = limits.unreadable(bytes) { return Finding.list([fault], []) }
    var reader = PayloadReader(bytes, decoder: self, arrivedAt: arrivedAt, parts: .judgedDays)
    do {
      try reader.read()
    } catch {
      return Finding.list(reader.faults + [PayloadFault(error, limits)], reader.findings)
    }
    do {
      _ = try reader.judge(try reader.checkEnvelope(queueUser: nil))
    } catch {
      return findings(of: bytes, after: error, arrivedAt: arrivedAt)
        ?? Finding.list([error] + error.others, reader.findings)
    }
    return Finding.list([], reader.findings)
  }

  /// Everything that is wrong with a payload, envelope and entries, in the order of the text; empty if nothing is.
  public func validate(_ bytes: [UInt8], arrivedAt: Instant) -> [Finding] {
    validate(bytes.span, arrivedAt: arrivedAt)
  }
}

extension DecoderLimits {
  /// Why the bytes cannot even be looked at, or nil.
  func unreadable(_ bytes: Span<UInt8>) -> PayloadFault? {
    // Places in the text are kept in 32 bits.
    if bytes.count > min(maximumBytes, Int(Int32.max)) {
      return PayloadFault(
        code: .tooLarge, detail: "A payload has at most \(maximumBytes) bytes; send it in parts.")
    }
    do {
      _ = try UTF8Span(validating: bytes)
      return nil
    } catch {
      return PayloadFault(ScanError(code: .notJSON, offset: error.byteOffsets.lowerBound), self)
    }
  }
}

extension PayloadFault {
  /// A text that could not be read to its end.
  init(_ error: ScanError, _ limits: DecoderLimits) {
    let detail =
      switch error.code {
      case .notJSON: "The text is not JSON at byte \(error.offset)."
      case .notAnObject: "The text must be one JSON object."
      case .invalidField: "A key occurs twice, or a string cannot be stored, at byte \(error.offset)."
      default:
        "A payload has at most \(limits.depth) levels and \(limits.entries) entries; it has more at byte \(error.offset)."
      }
    self.init(code: error.code, byteOffset: error.offset, detail: detail)
  }
}

extension Finding {
  /// Faults of the envelope and findings in entries, in the order of the text; what is not in the text comes first.
  fileprivate static func list(_ faults: [PayloadFault], _ findings: [Finding]) -> [Finding] {
    let envelope = faults.map { fault in
      Finding(
        consequence: .deadLetter, code: fault.code.rawValue, pointer: fault.pointer, byteOffset: fault.byteOffset)
    }
    return (envelope + findings).sorted { ($0.byteOffset ?? .min) < ($1.byteOffset ?? .min) }
  }
}
