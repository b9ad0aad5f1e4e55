import Foundation

/// All that is aimed at, measured one after the other, and in the end beside what was seen.
enum GoalsBenchmark {
  typealias Part = (name: String, run: @Sendable () async throws -> [Goal])

  /// In the order in which they are measured.
  static let parts: [Part] = [
    ("bound", { try await BoundBenchmark.run(json: nil) }),
    ("workers", { try await WorkersBenchmark.run() }),
    ("growth", { try await GridBenchmark.growth() }),
    ("latency", { try await LatencyBenchmark.run() }),
    ("producers", { try await ProducerBenchmark.run() }),
    ("fairness", { try await FairnessBenchmark.run() }),
    ("due", { try await DueBenchmark.run() }),
    ("claim", { try await ClaimBenchmark.run() }),
    ("memory", { try await MemoryBenchmark.run() }),
  ]

  /// Measures these parts, or all. One that breaks does not stop the others.
  static func run(_ names: [String]? = nil, json: String?) async throws {
    var goals: [Goal] = []
    var broken: [String] = []
    for part in parts where names?.contains(part.name) ?? true {
      let start = ContinuousClock.now
      do {
        goals += try await part.run()
      } catch {
        broken.append("\(part.name): \(error)")
      }
      let seconds = String(format: "%.0f", (ContinuousClock.now - start) / .seconds(1))
      print("(\(part.name) took \(seconds) s)\n")
    }
    print(Goal.table(goals))
    if let json { try Report.write(goals, to: json) }
    guard broken.isEmpty else { throw BenchmarkFailure("broken: " + broken.joined(separator: "; ")) }
  }
}
