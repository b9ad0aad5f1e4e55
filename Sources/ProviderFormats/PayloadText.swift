internal import FoundationEssentials
internal import HealthPayload
internal import PayloadDecoder

extension SyncPayload {
  /// The payload as its JSON text, the same for the same payload.
  func json() throws(PayloadFault) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(self))
    } catch {
      // The one thing that cannot be encoded is a number of more digits than Foundation holds.
      throw PayloadFault(code: .tooLarge, detail: "A number of the document has more than 38 digits.")
    }
  }
}

extension UUID {
  /// An id that the same content always has, in the form of a UUID whose bits say that it is none of the usual kinds.
  init(contentHash hash: [UInt8]) {
    var b = hash
    b[6] = b[6] & 0x0F | 0x80
    b[8] = b[8] & 0x3F | 0x80
    self.init(
      uuid: (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]))
  }
}
