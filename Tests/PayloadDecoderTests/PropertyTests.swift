import Foundation
import HealthPayload
import Testing

@testable import PayloadDecoder

@Suite struct PropertyTests {
  @Test func `what the app's types encode, the decoder reads as the same types`() throws {
    let decoder = try decoder()
    let encoder = JSONEncoder()
    for seed in 1...500 {
      var generator = PayloadGenerator(seed: UInt64(seed))
      let payload = generator.payload()
      let bytes = Array(try encoder.encode(payload))
      guard case .payload(let read) = decoder.decode(bytes, queueUser: payload.userID, arrivedAt: try arrival()) else {
        Issue.record("seed \(seed) is a dead letter")
        continue
      }
      #expect(read.quarantined.isEmpty, "seed \(seed): \(read.quarantined)")
      #expect(read.payload == payload, "seed \(seed)")
      let again = Array(try encoder.encode(read.payload))
      #expect(ContentHash.of(again) == ContentHash.of(bytes), "seed \(seed)")
    }
  }

  @Test func `damage never turns what is unknown into a number, nor a number into a smaller one`() throws {
    let decoder = try decoder()
    var generator = SeededGenerator(seed: 7)
    let entries = [
      day("steps", "2026-11-28", value: "8123", #","unit":"1","sources":["watch-a","phone-a"],"complete":true"#),
      day("weight", "2026-11-28", value: "81.45"), day("hydration", "2026-11-28", value: "0", #","sources":["cup"]"#),
      #"{"metric":"steps","local_date":"2026-11-27","outcome":"empty","sources":[],"complete":true}"#,
      #"{"metric":"sleep_duration","local_date":"2026-11-28","outcome":"failed","code":"HKError.6","complete":false}"#,
      #"{"metric":"steps","local_date":"2026-11-26","outcome":"unavailable"}"#,
    ]
    let head = Sample.days().utf8.count - 2
    for _ in 0..<20_000 {
      let index = Int.random(in: entries.indices, using: &generator)
      let damaged = damage(entries[index], &generator)
      guard damaged != entries[index] else { continue }
      let bytes = Array(Sample.days(damaged).utf8)
      guard case .payload(let read) = decoder.decode(bytes, queueUser: nil, arrivedAt: try arrival()) else { continue }
      for day in read.days where day.kind == .value {
        let intact = try decoded(Sample.days(entries[index])).days[0]
        #expect(intact.kind == .value, "\(damaged) makes a number of what was unknown")
        if let value = day.value, let before = intact.value { #expect(value >= before, "\(damaged)") }
      }
      for entry in read.quarantined { #expect(entry.byteRange.lowerBound >= head) }
    }
  }

  /// Drops or replaces a part of an entry: a member, a value, or a member's key; digits stay what they are.
  private func damage(_ entry: String, _ generator: inout SeededGenerator) -> String {
    let parts = entry.dropFirst().dropLast().split(separator: ",\"").map { $0.hasPrefix("\"") ? String($0) : "\"\($0)" }
    var members = parts.filter { !$0.hasPrefix("\"unit\"") }
    let index = Int.random(in: members.indices, using: &generator)
    let key = String(members[index].prefix { $0 != ":" })
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: members.remove(at: index)
    case 1: members[index] = "\(key):null"
    case 2:
      members[index] =
        "\(key):\(["\"\"", "[]", "{}", "true", "\"x\"", "\"value\""].randomElement(using: &generator) ?? "[]")"
    case 3: members[index] = members[index].replacing(key, with: "\"\(key.dropFirst().dropLast().reversed())\"")
    case 4: members.append(members[index])
    default: members.swapAt(index, 0)
    }
    return "{\(members.joined(separator: ","))}"
  }

  @Test func `any bytes are answered, always in the same way`() throws {
    let decoder = try decoder(DecoderLimits(maximumBytes: 100_000, depth: 8, entries: 50))
    var generator = SeededGenerator(seed: 11)
    // Short payloads, so that most bytes mean something.
    let seeds = try (1...50).map { seed in
      var payloads = PayloadGenerator(seed: UInt64(seed), most: 1)
      return Array(try JSONEncoder().encode(payloads.payload()))
    }
    let arrivedAt = try arrival()
    var outcomes: [Bool: Int] = [:]
    for round in 0..<100_000 {
      var bytes = seeds[Int.random(in: seeds.indices, using: &generator)]
      for _ in 0..<Int.random(in: 1...3, using: &generator) { mutate(&bytes, &generator) }
      let result = decoder.decode(bytes, queueUser: nil, arrivedAt: arrivedAt)
      switch result {
      case .payload(let read):
        outcomes[true, default: 0] += 1
        for entry in read.quarantined { try #require(entry.byteRange.upperBound <= bytes.count) }
      case .dead(let fault):
        outcomes[false, default: 0] += 1
        if let offset = fault.byteOffset { try #require((0...bytes.count).contains(offset)) }
      }
      if round % 100 == 0 {
        #expect(decoder.decode(bytes, queueUser: nil, arrivedAt: arrivedAt) == result)
        let findings = decoder.validate(bytes, arrivedAt: arrivedAt)
        if case .dead = result { #expect(!findings.isEmpty) }
        #expect(ContentHash.of(bytes) == ContentHash.of(bytes))
        let judged = decoder.decode(bytes, queueUser: nil, arrivedAt: arrivedAt, parts: .judgedDays)
        #expect(judged == result.withoutEntries)
      }
    }
    #expect(outcomes.values.allSatisfy { $0 > 5_000 }, "\(outcomes)")
  }

  @Test func `a list of sources that was read before hides nothing that comes after it`() throws {
    let list = #","sources":["watch-a","phone-a"]"#
    func codes(_ second: String) throws -> [String] {
      let first = day("steps", "2026-11-28", value: "1", list)
      let text = Sample.days(first, day("steps", "2026-11-27", value: "1", second))
      return try decoder().validate(Array(text.utf8), arrivedAt: try arrival()).map { "\($0.code) \($0.pointer)" }
    }
    #expect(try codes(list) == [])
    #expect(
      try codes(list + #","sources":[1]"#) == ["duplicate_key /days/1/sources", "invalid_field /days/1/sources/0"])
    #expect(try codes(list + "x") == ["not_json "])
    #expect(try codes(#","sources":["watch-a","phone-a",2]"#) == ["invalid_field /days/1/sources/2"])
  }

  @Test func `who asks for judged days alone gets the same ones`() throws {
    let decoder = try decoder()
    let entries = [
      day("steps", "2026-11-28", value: "0"), day("basal_energy", "2026-11-28", value: "0"),
      day("steps", "2026-11-27", value: "0"), day("weight", "2026-11-27", value: "81.45"),
      day("steps", "2026-11-26", value: #""many""#), day("steps", "2026-11-26", value: "8123"),
    ]
    let bytes = Array(Sample.days(entries.joined(separator: ",")).utf8)
    let all = decoder.decode(bytes, queueUser: nil, arrivedAt: try arrival())
    let judged = decoder.decode(bytes, queueUser: nil, arrivedAt: try arrival(), parts: .judgedDays)
    #expect(judged == all.withoutEntries)
    #expect(judged != all)
  }

  private func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    let place = Int.random(in: bytes.indices, using: &generator)
    let marks = Array("{}[]\",:\\u0-+eE.1tfn \u{0}\u{7F}".utf8) + [0xFF, 0xC3, 0xED]
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
    case 1: bytes[place] = marks[Int.random(in: marks.indices, using: &generator)]
    case 2: bytes.remove(at: place)
    case 3: bytes.insert(marks[Int.random(in: marks.indices, using: &generator)], at: place)
    case 4: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...40, using: &generator)))
    default:
      let end = min(bytes.count, place + Int.random(in: 1...60, using: &generator))
      bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: bytes.indices, using: &generator))
    }
    if bytes.isEmpty { bytes = [0x20] }
  }
}

extension DecodeResult {
  /// The result without what a reader of judged days does not look at.
  fileprivate var withoutEntries: DecodeResult {
    guard case .payload(var decoded) = self else { return self }
    decoded.payload.days = []
    decoded.payload.hours = []
    decoded.payload.records = []
    return .payload(decoded)
  }
}
