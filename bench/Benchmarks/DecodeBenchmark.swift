import Foundation
import Glibc
import HealthPayload
import PayloadDecoder

/// How fast payloads become typed evidence, beside Foundation's Codable on the same bytes; and their fingerprints, which the
/// daemon makes too.
enum DecodeBenchmark {
  private static let rounds = 7
  private static let bytesPerRound = 4_000_000

  static func run() throws {
    let decoder = PayloadDecoder(catalogue: try catalogue())
    let arrivedAt = Instant(microseconds: 1_800_000_000_000_000)
    let corpora = [
      ("a day, indented", PayloadCorpus.texts(count: 50, days: 2, indented: true)),
      ("a day, compact", PayloadCorpus.texts(count: 50, days: 2, indented: false)),
      ("a year, indented", PayloadCorpus.texts(count: 2, days: 365, indented: true)),
      ("a year, compact", PayloadCorpus.texts(count: 2, days: 365, indented: false)),
    ]
    print(
      "median MB per second of CPU", "decoder", "Codable", " exact", "content hash", " ratio", "of exact",
      separator: "\t")
    for (name, texts) in corpora {
      let data = texts.map { Data($0) }
      let plain = JSONDecoder()
      // They take turns, so that a busy machine slows all alike.
      let rates = try medians(bytes: texts.map(\.count).reduce(0, +)) {
        for text in texts {
          // As the daemon decodes.
          let result = decoder.decode(text, queueUser: nil, arrivedAt: arrivedAt, parts: .judgedDays)
          guard case .payload(let decoded) = result, decoded.quarantined.isEmpty, !decoded.days.isEmpty
          else { throw BenchmarkError.refused }
        }
      } _: {
        for text in data { _ = try plain.decode(CodablePayload<String, Double>.self, from: text) }
      } _: {
        for text in data { _ = try plain.decode(CodablePayload<UUID, Decimal>.self, from: text) }
      } _: {
        for text in texts where ContentHash.of(text).isEmpty { throw BenchmarkError.refused }
      }
      let cells = rates + [rates[0] / rates[1], rates[0] / rates[2]]
      let columns = cells.map { String(format: "%7.1f", $0) }.joined(separator: "\t")
      print("\(name), \(texts[0].count) bytes\t\(columns)")
    }
  }

  /// Medians of millions of bytes for each second that this thread had the processor.
  private static func medians(bytes: Int, _ tasks: (() throws -> Void)...) throws -> [Double] {
    let repetitions = max(1, bytesPerRound / bytes)
    var rates = tasks.map { _ in [Double]() }
    for _ in 0..<rounds {
      for (index, task) in tasks.enumerated() {
        let start = processorTime()
        for _ in 0..<repetitions { try task() }
        rates[index].append(Double(bytes * repetitions) / 1e6 / (processorTime() - start))
      }
    }
    return rates.map { $0.sorted()[rounds / 2] }
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

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

/// The wire form as one would write it for Codable: every field typed, nothing checked.
struct CodablePayload<ID: Decodable, Number: Decodable>: Decodable {
  struct Origin: Decodable {
    var platform: String; var store, installation_id: String?; var os_major: Int?; var app_build: String?
  }
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
    var record_id, metric, local_date: String; var source, start, end: String?; var value: Number?;
    var unit, entry: String?
  }
  var schema: String
  var payload_id, user_id: ID
  var origin: Origin
  var read: Read?
  var time_zones: [Zone]?
  var presence: [Presence]?
  var days: [Day]?
  var records: [Record]?
}
