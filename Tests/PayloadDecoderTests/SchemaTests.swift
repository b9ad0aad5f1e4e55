import Foundation
import HealthPayload
import Testing

@testable import PayloadDecoder

/// Payloads with one change each, and what the decoder says to them, for scripts/check-schema.py to compare with the schema.
@Suite struct SchemaTests {
  /// Values of each type, of which some fit some fields.
  private func replacements() -> [Any] {
    let lengths = [70, 200, 600].map { String(repeating: "y", count: $0) }
    let texts = ["", "x", "2026-11-28", "2026-11-28T00:00:00Z", "steps"] + lengths
    return texts + [NSNull(), true, 0, 1, -1, 1.5, 1_501, [Any](), [String: Any](), ["x"]] as [Any]
  }

  @Test func `the payload with every field is accepted as it stands`() throws {
    let payload = try decoded(
      String(decoding: try file("Tests/PayloadDecoderTests/fixtures/every-field.json"), as: UTF8.self))
    #expect(payload.quarantined.isEmpty && payload.payload.days.count == 3 && payload.payload.windows.count == 3)
  }

  @Test func `changes to any field are told apart by the decoder`() throws {
    let text = try file("Tests/PayloadDecoderTests/fixtures/every-field.json")
    let whole = try JSONSerialization.jsonObject(with: Data(text))
    let decoder = try decoder()
    var lines: [Data] = []
    var verdicts: [String: Int] = [:]
    for changed in variants(of: whole) + (try generated()) {
      let bytes = try JSONSerialization.data(withJSONObject: changed, options: .sortedKeys)
      let codes = decoder.validate(Array(bytes), arrivedAt: try arrival()).map {
        "\($0.consequence.rawValue) \($0.code)"
      }
      verdicts[codes.isEmpty ? "accepted" : "refused", default: 0] += 1
      lines.append(
        try JSONSerialization.data(withJSONObject: ["payload": changed, "codes": codes], options: .sortedKeys))
    }
    #expect(verdicts.values.allSatisfy { $0 > 200 } && verdicts.count == 2, "\(verdicts)")
    if let path = ProcessInfo.processInfo.environment["SCHEMA_CORPUS"] {
      try Data(lines.joined(separator: [UInt8(ascii: "\n")])).write(to: URL(filePath: path))
    }
  }

  /// The value, and the value with each single change at any depth.
  private func variants(of value: Any) -> [Any] {
    switch value {
    case let object as [String: Any]:
      object.keys.sorted().flatMap { key -> [Any] in
        guard let member = object[key] else { return [] }
        let without = object.filter { $0.key != key }
        return [without] + changes(of: member).map { object.merging([key: $0]) { _, new in new } }
      }
    case let array as [Any]:
      array.indices.flatMap { index in
        changes(of: array[index]).map { element in
          var copy = array
          copy[index] = element
          return copy
        }
      } + replacements().map { array + [$0] }
    default: []
    }
  }

  private func changes(of value: Any) -> [Any] { replacements() + variants(of: value) }

  /// Payloads of the app's own types, all of which are accepted.
  private func generated() throws -> [Any] {
    try (1...300).map { seed in
      var generator = PayloadGenerator(seed: UInt64(seed))
      return try JSONSerialization.jsonObject(with: JSONEncoder().encode(generator.payload()))
    }
  }
}
