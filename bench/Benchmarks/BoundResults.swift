import Foundation

/// One read of all people by one way.
struct Measurement: Codable {
  let way: String
  let read: BoundBenchmark.Read
  /// Cells that were there before.
  let size: Int
  let round: Int
  let cost: Cost
  let writes: Writes
}

/// All of a run.
struct BoundResults: Codable {
  let rounds: Int
  let payloads: Int
  let cellsPerPayload: Int
  private(set) var measurements: [Measurement] = []
  private(set) var goals: [Goal] = []
  /// What each read left, by the first way that came to it.
  private var outcomes: [String: String] = [:]

  private enum CodingKeys: CodingKey {
    case rounds, payloads, cellsPerPayload, measurements, goals
  }

  init(rounds: Int, payloads: Int, cellsPerPayload: Int) {
    self.rounds = rounds
    self.payloads = payloads
    self.cellsPerPayload = cellsPerPayload
  }

  /// Adds one. - Throws: if the way has left something else than the others.
  mutating func add(_ measurement: Measurement, _ outcome: String) throws {
    measurements.append(measurement)
    guard outcomes[measurement.read.rawValue, default: outcome] == outcome else {
      throw BenchmarkFailure("\(measurement.way), \(measurement.read.rawValue): not what the others made")
    }
    outcomes[measurement.read.rawValue] = outcome
  }

  /// The rounds of a way and a read, in their order.
  func all(_ way: String, _ read: BoundBenchmark.Read, _ size: Int) -> [Measurement] {
    measurements.filter { $0.way == way && $0.read == read && $0.size == size }.sorted { $0.round < $1.round }
  }

  var sizes: [Int] { Set(measurements.map(\.size)).sorted() }

  /// Medians, one line for each size, way and read.
  var table: String {
    var lines = [
      "\(payloads) payloads of \(cellsPerPayload) cells, one for each person; figures per cell, medians of \(rounds) rounds, in turn",
      "there before\tway\tread\tus of CPU\tclient\tserver\tcells/s\trows\tbytes of WAL",
    ]
    var seen: Set<String> = []
    for size in sizes {
      for one in measurements.filter({ $0.size == size }).sorted(by: { ($0.way, $0.round) < ($1.way, $1.round) }) {
        guard seen.insert("\(size) \(one.way) \(one.read)").inserted else { continue }
        lines.append(line(all(one.way, one.read, size)))
      }
    }
    return lines.map { $0.replacing("\t", with: " | ") }.joined(separator: "\n")
  }

  private func line(_ all: [Measurement]) -> String {
    let first = all[0]
    let cells = Double(first.cost.cells)
    func middle(_ value: (Measurement) -> Double) -> Double { Goal.median(all.map(value)) }
    return "\(first.size)\t\(first.way)\t\(first.read.rawValue)\t"
      + String(
        format: "%.2f\t%.2f\t%.2f\t%.0f\t%.2f\t%.0f", middle(\.cost.perCell), middle { $0.cost.client * 1e6 / cells },
        middle { $0.cost.server * 1e6 / cells }, middle { cells / $0.cost.seconds },
        middle { Double($0.writes.rows) / cells },
        middle { Double($0.writes.walBytes) / cells })
  }

  /// Goal and seen beside each other; keeps them for the JSON.
  mutating func goalTable() -> String {
    goals = BoundGoals(results: self).all
    return "\n" + Goal.table(goals)
  }
}

extension Cost {
  /// Microseconds of processor time, of both sides.
  var perCell: Double { (client + server) * 1e6 / Double(cells) }
}
