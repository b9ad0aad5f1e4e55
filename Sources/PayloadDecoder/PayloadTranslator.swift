public import HealthPayload

public import struct FoundationEssentials.UUID

/// Makes payloads of texts that are written in another format than ours, before the boundary judges them like any other.
public protocol PayloadTranslator: Sendable {
  /// Our payload that says what a text in another format says.
  ///
  /// - Parameters:
  ///   - text: A text that names no schema of ours.
  ///   - queueUser: The person of the queue row; nil where there is none.
  ///   - arrivedAt: When the text arrived first.
  /// - Returns: nil for a text that names no other format either.
  func translate(
    _ text: [UInt8], queueUser: UUID?, arrivedAt: Instant, limits: DecoderLimits
  ) throws(PayloadFault) -> TranslatedPayload?
}

/// A payload in our format, made of a text in another one.
public struct TranslatedPayload: Sendable, Hashable {
  /// The payload as its JSON text.
  public var text: [UInt8]
  /// What could not be said in our format.
  public var refused: [RefusedElement]

  /// A payload, and what could not be said in it.
  public init(text: [UInt8], refused: [RefusedElement]) {
    self.text = text
    self.refused = refused
  }
}

/// A part of a text in another format that cannot be used; its siblings can.
public struct RefusedElement: Sendable, Hashable {
  /// JSON pointer to the field that is wrong.
  public var pointer: String
  /// What is wrong.
  public var code: QuarantineCode
  /// Where the part stands in the text, in bytes.
  public var byteRange: Range<Int>

  /// A part that cannot be used.
  public init(pointer: String, code: QuarantineCode, byteRange: Range<Int>) {
    self.pointer = pointer
    self.code = code
    self.byteRange = byteRange
  }
}

extension PayloadDecoder {
  /// What the bytes say once translated; the fault itself where they are in no other format.
  func translated(
    _ bytes: Span<UInt8>, after fault: PayloadFault, queueUser: UUID?, arrivedAt: Instant, parts: DecodedParts
  ) -> DecodeResult {
    let text = bytes.withUnsafeBufferPointer(Array.init)
    do throws(PayloadFault) {
      guard let translation = try translation(of: text, after: fault, queueUser, arrivedAt) else { return .dead(fault) }
      switch decode(translation.text, queueUser: queueUser, arrivedAt: arrivedAt, parts: parts) {
      case .dead(var fault):
        // The place is one of the payload that was made, not of the text that was sent.
        fault.byteOffset = nil
        return .dead(fault)
      case .payload(var payload):
        payload.quarantined = translation.quarantined(of: text, beside: payload.quarantined)
        return .payload(payload)
      }
    } catch {
      return .dead(error)
    }
  }

  /// What is wrong with a text in another format, and with the payload that is made of it; nil if it is in none.
  func findings(of bytes: Span<UInt8>, after fault: PayloadFault, arrivedAt: Instant) -> [Finding]? {
    let text = bytes.withUnsafeBufferPointer(Array.init)
    do throws(PayloadFault) {
      guard let translation = try translation(of: text, after: fault, nil, arrivedAt) else { return nil }
      let refused = translation.refused.map { element in
        Finding(
          consequence: .quarantine, code: element.code.rawValue, pointer: element.pointer,
          byteOffset: element.byteRange.lowerBound)
      }
      return refused
        + validate(translation.text, arrivedAt: arrivedAt).map { finding in
          var finding = finding
          finding.byteOffset = nil
          return finding
        }
    } catch {
      return [
        Finding(
          consequence: .deadLetter, code: error.code.rawValue, pointer: error.pointer, byteOffset: error.byteOffset)
      ]
    }
  }

  /// Only a text that does not claim to be ours is asked what else it is: our own payloads pay nothing for the others.
  private func translation(
    of text: [UInt8], after fault: PayloadFault, _ queueUser: UUID?, _ arrivedAt: Instant
  ) throws(PayloadFault) -> TranslatedPayload? {
    guard let translator, fault.code == .missingField, fault.pointer == "/schema" else { return nil }
    return try translator.translate(text, queueUser: queueUser, arrivedAt: arrivedAt, limits: limits)
  }
}

extension TranslatedPayload {
  /// What is set aside: of the text as it came, and of the payload that was made of it. The text of each goes with it.
  fileprivate func quarantined(of source: [UInt8], beside judged: [QuarantinedEntry]) -> [QuarantinedEntry] {
    let unsaid = refused.map { element in
      QuarantinedEntry(
        pointer: element.pointer, code: element.code, byteOffset: element.byteRange.lowerBound,
        byteRange: element.byteRange)
    }
    return unsaid
      + judged.map { entry in
        var entry = entry
        entry.translatedText = Array(text[entry.byteRange])
        return entry
      }
  }
}
