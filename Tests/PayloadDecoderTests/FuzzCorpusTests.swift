import Foundation
import HealthPayload
import Testing

@testable import PayloadDecoder

/// What the fuzzer has found worth keeping, one input a line in fuzz/corpus.base64; scripts/fuzz.sh looks for more.
@Suite struct FuzzCorpusTests {
  @Test func `every input that the fuzzer kept has an answer, and findings exactly where something is wrong`() throws {
    let lines = String(decoding: try file("fuzz/corpus.base64"), as: UTF8.self).split(separator: "\n")
    #expect(lines.count > 100)
    let arrivedAt = try arrival()
    let decoder = try decoder(DecoderLimits(maximumBytes: 1 << 16, depth: 8, entries: 100))
    for line in lines {
      let bytes = Array(try #require(Data(base64Encoded: String(line))))
      let findings = decoder.validate(bytes, arrivedAt: arrivedAt)
      switch decoder.decode(bytes, queueUser: nil, arrivedAt: arrivedAt) {
      case .payload(let payload):
        #expect(findings.isEmpty == payload.quarantined.isEmpty, "\(line)")
        #expect(payload.quarantined.allSatisfy { (0...bytes.count).contains($0.byteRange.upperBound) }, "\(line)")
        #expect(payload.days.allSatisfy { ($0.kind == .value) == ($0.value != nil) }, "\(line)")
      case .dead: #expect(!findings.isEmpty, "\(line)")
      }
      #expect(ContentHash.of(bytes).count == 16)
    }
  }
}
