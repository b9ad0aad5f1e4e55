public import Foundation
public import HealthPayload

/// How much a payload may ask of the decoder.
public struct DecoderLimits: Sendable, Hashable {
  /// Bytes of the text.
  public var maximumBytes: Int
  /// Objects and arrays inside one another.
  public var depth: Int
  /// Entries of all blocks together.
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

/// The one boundary at which the bytes of a payload become typed evidence, or are refused with code and place.
public struct PayloadDecoder: Sendable {
  /// What payloads may name.
  public let catalogue: Catalogue
  /// How much they may ask for.
  public let limits: DecoderLimits

  /// A decoder for payloads of this catalogue.
  public init(catalogue: Catalogue, limits: DecoderLimits = DecoderLimits()) {
    self.catalogue = catalogue
    self.limits = limits
  }

  /// What the bytes of a payload say.
  ///
  /// - Parameters:
  ///   - queueUser: The user of the queue row; nil where there is none to compare with.
  ///   - arrivedAt: When the payload arrived first. It stands in for a read time that is missing or later.
  public func decode(_ bytes: Span<UInt8>, queueUser: UUID?, arrivedAt: Instant) -> DecodeResult {
    .dead(PayloadFault(code: .notJSON, detail: "Not decoded yet."))
  }

  /// What the bytes of a payload say.
  public func decode(_ bytes: [UInt8], queueUser: UUID?, arrivedAt: Instant) -> DecodeResult {
    decode(bytes.span, queueUser: queueUser, arrivedAt: arrivedAt)
  }

  /// Everything that is wrong with a payload, envelope and entries, in the order of the text; empty if nothing is.
  public func validate(_ bytes: Span<UInt8>, arrivedAt: Instant) -> [Finding] {
    []
  }
}
