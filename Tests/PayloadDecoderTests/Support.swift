import Foundation
import HealthPayload
import Testing

@testable import PayloadDecoder

/// The root of the repository.
let repository = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

/// The bytes of a file of the repository.
func file(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: repository.appending(path: path))) }

/// The catalogue of the repository.
func catalogue() throws -> Catalogue { try loadedCatalogue.get() }

private let loadedCatalogue = Result {
  try Catalogue(metricsCSV: file("catalogue/metrics.csv"), unitsCSV: file("catalogue/units.csv"))
}

/// A decoder with the catalogue of the repository.
func decoder(_ limits: DecoderLimits = DecoderLimits()) throws -> PayloadDecoder {
  PayloadDecoder(catalogue: try catalogue(), limits: limits)
}

/// The instant that a text names.
func instant(_ text: String) throws -> Instant { try #require(Instant(text)) }

/// The date that a text names.
func date(_ text: String) throws -> LocalDate { try #require(LocalDate(text)) }

/// When all payloads of these tests arrive.
func arrival() throws -> Instant { try instant("2026-11-29T08:00:00Z") }

/// A payload with defaults for all that a test is not about. Members replace the defaults of the same key; nil removes them.
struct Sample {
  var members: [(key: String, json: String?)] = [
    ("schema", #""dailymetricd.sync/1""#), ("payload_id", #""00000000-0000-4000-8000-00000000000A""#),
    ("user_id", #""7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa""#), ("origin", #"{"platform":"health_connect"}"#),
    ("read", #"{"read_at":"2026-11-29T07:05:00Z"}"#),
  ]

  init(_ changes: KeyValuePairs<String, String?> = [:]) {
    for (key, json) in changes {
      if let index = members.firstIndex(where: { $0.key == key }) {
        members[index].json = json
      } else {
        members.append((key, json))
      }
    }
  }

  /// A payload with these day entries.
  static func days(_ entries: String..., changes: KeyValuePairs<String, String?> = [:]) -> String {
    var sample = Sample(changes)
    sample.members.append(("days", "[\(entries.joined(separator: ","))]"))
    return sample.text
  }

  var text: String {
    let pairs = members.compactMap { member in member.json.map { "\"\(member.key)\":\($0)" } }
    return "{\(pairs.joined(separator: ","))}"
  }
}

/// A day entry with the outcome `value`; members are appended as they are.
func day(_ metric: String, _ date: String, value: String, _ more: String = "") -> String {
  #"{"metric":"\#(metric)","local_date":"\#(date)","outcome":"value","value":\#(value)\#(more)}"#
}

/// What became of a payload.
func result(of text: String, limits: DecoderLimits = DecoderLimits(), queueUser: UUID? = nil) throws -> DecodeResult {
  try decoder(limits).decode(Array(text.utf8), queueUser: queueUser, arrivedAt: arrival())
}

/// What a payload says that can be used.
func decoded(_ text: String, at place: SourceLocation = #_sourceLocation) throws -> DecodedPayload {
  switch try result(of: text) {
  case .payload(let payload): return payload
  case .dead(let fault):
    Issue.record("dead letter \(fault.code.rawValue) at \(fault.pointer): \(fault.detail)", sourceLocation: place)
    throw fault
  }
}

/// Why a payload cannot be used; nil if it can.
func fault(of text: String, limits: DecoderLimits = DecoderLimits(), queueUser: UUID? = nil) throws -> PayloadFault? {
  guard case .dead(let fault) = try result(of: text, limits: limits, queueUser: queueUser) else { return nil }
  return fault
}

/// Code and pointer of each entry in quarantine.
func quarantined(in text: String) throws -> [String] {
  try decoded(text).quarantined.map { "\($0.code.rawValue) \($0.pointer)" }
}

/// A generator of the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }
}
