import Foundation
import HealthPayload
import PayloadDecoder

/// How fast payloads become typed evidence, beside Foundation's Codable on the same bytes.
enum DecodeBenchmark {
  private static let rounds = 9
  private static let bytesPerRound = 8_000_000

  static func run() throws {
    let decoder = PayloadDecoder(catalogue: try catalogue())
    let arrivedAt = Instant(microseconds: 1_800_000_000_000_000)
    let corpora = [
      ("a day, indented", PayloadCorpus.texts(count: 50, days: 2, indented: true)),
      ("a day, compact", PayloadCorpus.texts(count: 50, days: 2, indented: false)),
      ("a year, indented", PayloadCorpus.texts(count: 2, days: 365, indented: true)),
      ("a year, compact", PayloadCorpus.texts(count: 2, days: 365, indented: false)),
    ]
    print("median MB/s of \(rounds) rounds".padded(to: 32), "decoder", "Codable", " exact", " ratio", "of exact", separator: "  ")
    for (name, texts) in corpora {
      let own = try rate(of: texts) { text in
        guard case .payload(let decoded) = decoder.decode(text, queueUser: nil, arrivedAt: arrivedAt),
          decoded.quarantined.isEmpty
        else { throw BenchmarkError.refused }
        return decoded.days.count
      }
      let plain = try rate(of: texts, decodedBy: CodablePayload<String, Double>.self)
      let exact = try rate(of: texts, decodedBy: CodablePayload<UUID, Decimal>.self)
      print(
        "\(name), \(texts[0].count) bytes".padded(to: 32), cell(own), cell(plain), cell(exact), cell(own / plain),
        cell(own / exact), separator: "  ")
    }
  }

  private static func rate(of texts: [[UInt8]], decodedBy type: (some CountedPayload).Type) throws -> Double {
    let decoder = JSONDecoder()
    let data = Dictionary(uniqueKeysWithValues: texts.map { ($0, Data($0)) })
    return try rate(of: texts) { text in
      guard let bytes = data[text] else { throw BenchmarkError.refused }
      return try decoder.decode(type, from: bytes).dayCount
    }
  }

  /// Median of millions of bytes per second.
  private static func rate(of texts: [[UInt8]], _ decode: ([UInt8]) throws -> Int) throws -> Double {
    let bytes = texts.map(\.count).reduce(0, +)
    let repetitions = max(1, bytesPerRound / bytes)
    var rates: [Double] = []
    for _ in 0..<rounds {
      let start = ContinuousClock.now
      for _ in 0..<repetitions {
        for text in texts where try decode(text) == 0 { throw BenchmarkError.refused }
      }
      let time = (ContinuousClock.now - start) / .seconds(1)
      rates.append(Double(bytes * repetitions) / 1e6 / time)
    }
    return rates.sorted()[rounds / 2]
  }

  private static func cell(_ number: Double) -> String { String(format: "%7.1f", number) }

  private static func catalogue() throws -> Catalogue {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../catalogue")
    return try Catalogue(
      metricsCSV: Array(Data(contentsOf: folder.appending(path: "metrics.csv"))),
      unitsCSV: Array(Data(contentsOf: folder.appending(path: "units.csv"))))
  }
}

enum BenchmarkError: Error {
  case refused
}

extension String {
  func padded(to width: Int) -> String { padding(toLength: width, withPad: " ", startingAt: 0) }
}

/// A payload of which one can see that it was decoded.
protocol CountedPayload: Decodable {
  var dayCount: Int { get }
}

/// The wire form as one would write it for Codable: every field typed, nothing checked.
struct CodablePayload<ID: Decodable, Number: Decodable>: CountedPayload {
  struct Origin: Decodable { var platform: String; var store, installation_id: String?; var os_major: Int?; var app_build: String? }
  struct Read: Decodable {
    var read_at: String?; var mode: String?; var all_or_nothing: Bool?; var last_successful_read_at: String?
    var load_id: String?; var page: Int?; var final_page: Bool?
  }
  struct Zone: Decodable { var from: String?; var iana: String }
  struct Presence: Decodable { var local_date, source, kind: String; var minutes: Int? }
  struct Day: Decodable {
    var metric, local_date, outcome: String; var value: Number?; var unit: String?; var sources: [String]?
    var complete: Bool?; var code: String?
  }
  struct Record: Decodable {
    var record_id, metric, local_date: String; var source, start, end: String?; var value: Number?; var unit, entry: String?
  }
  var schema: String
  var payload_id, user_id: ID
  var origin: Origin
  var read: Read?
  var time_zones: [Zone]?
  var presence: [Presence]?
  var days: [Day]?
  var records: [Record]?

  var dayCount: Int { days.map(\.count).map { $0 } ?? records?.count ?? 1 }
}
