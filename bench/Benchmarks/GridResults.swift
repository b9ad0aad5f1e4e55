import Foundation

/// One read of all people of a shape, by so many workers.
struct GridMeasurement: Codable {
  let shape: GridShape
  let read: BoundBenchmark.Read
  /// Cells of other people that were there before.
  let size: Int
  let workers: Int
  let round: Int
  let payloads: Int
  let cost: Cost
  let writes: Writes
  /// By how much the database has grown.
  let bytes: Int
}

/// All of a run.
struct GridResults: Codable {
  var measurements: [GridMeasurement] = []

  private func all(_ shape: GridShape, _ read: BoundBenchmark.Read, _ size: Int, _ workers: Int) -> [GridMeasurement] {
    measurements.filter { $0.shape == shape && $0.read == read && $0.size == size && $0.workers == workers }
      .sorted { $0.round < $1.round }
  }

  private var sizes: [Int] { Set(measurements.map(\.size)).sorted() }

  /// Medians, one line for each size, shape, read and number of workers.
  var table: String {
    var lines = [
      "there before | payloads | read | workers | us of CPU per cell | client | server | cells/s | payloads/s | rows | WAL | growth, bytes per cell"
    ]
    for size in sizes {
      for shape in GridShape.allCases {
        for read in shape.reads {
          for workers in [1, 2] {
            let all = all(shape, read, size, workers)
            if !all.isEmpty { lines.append(Self.line(all)) }
          }
        }
      }
    }
    return lines.joined(separator: "\n")
  }

  private static func line(_ all: [GridMeasurement]) -> String {
    let first = all[0]
    let cells = Double(first.cost.cells)
    func middle(_ value: (GridMeasurement) -> Double) -> Double { Goal.median(all.map(value)) }
    return "\(first.size) | \(first.shape.rawValue) | \(first.read.rawValue) | \(first.workers) | "
      + String(
        format: "%.2f | %.2f | %.2f | %.0f | %.1f | %.2f | %.0f | %.0f", middle(\.cost.perCell),
        middle { $0.cost.client * 1e6 / cells }, middle { $0.cost.server * 1e6 / cells },
        middle { cells / $0.cost.seconds }, middle { Double($0.payloads) / $0.cost.seconds },
        middle { Double($0.writes.rows) / cells }, middle { Double($0.writes.walBytes) / cells },
        middle { Double($0.bytes) / cells })
  }

  /// What is compared within a round.
  var ratios: [Goal] {
    sizes.flatMap { size in shapes(size) + workers(size) + identical(size) } + GridShape.allCases.flatMap(growth)
  }

  /// What a cell costs in another shape.
  private func shapes(_ size: Int) -> [Goal] {
    GridShape.allCases.filter { $0 != .sync }.compactMap { shape in
      let pairs = zip(all(shape, .new, size, 1), all(.sync, .new, size, 1))
      let ratios = pairs.map { $0.cost.perCell / $1.cost.perCell }
      return ratios.isEmpty
        ? nil : Goal(beside: "\(size): \(shape.rawValue) / \(GridShape.sync.rawValue), CPU per cell", ratios)
    }
  }

  private func workers(_ size: Int) -> [Goal] {
    GridShape.allCases.compactMap { shape in
      let ratios = zip(all(shape, .new, size, 1), all(shape, .new, size, 2)).map { $0.cost.seconds / $1.cost.seconds }
      guard !ratios.isEmpty else { return nil }
      let what = "\(size): \(shape.rawValue): 2 workers / 1 worker, wall"
      return shape == .sync ? Goal(what, atLeast: 1.65, ratios) : Goal(beside: what, ratios)
    }
  }

  private func identical(_ size: Int) -> [Goal] {
    GridShape.allCases.compactMap { shape in
      let rows = all(shape, .identical, size, 1).map { Double($0.writes.rows) }
      return rows.isEmpty
        ? nil : Goal("\(size): \(shape.rawValue), identical: rows outside intake", atMost: 0, rows)
    }
  }

  /// Of the greatest size to the smallest.
  func growth(_ shape: GridShape) -> [Goal] {
    guard let least = sizes.first, let most = sizes.last, least < most else { return [] }
    let pairs = zip(all(shape, .new, most, 1), all(shape, .new, least, 1))
    let ratios = pairs.map { $0.cost.perCell / $1.cost.perCell }
    return ratios.isEmpty
      ? [] : [Goal("\(shape.rawValue): cost per cell at \(most) / at \(least)", atMost: 1.5, ratios)]
  }
}
