import Foundation
import HealthPayload

/// One of the workers of bench/peers: a program of its own, which says itself what it and its server process have spent.
struct PeerProcess {
  let python: String
  /// The program's file name.
  let script: String
  let name: String
  let dsn: String

  private struct Answer: Decodable {
    let cells: Int
    let seconds: Double
    let client: Double
    let server: Double
  }

  /// Empties the queue. Neither its start nor its connecting is counted.
  func work(asOf: Instant) throws -> Cost {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: python)
    process.arguments = ["bench/peers/\(script)", name, dsn, "\(asOf)"]
    process.standardOutput = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchmarkFailure("the peer \(name) failed") }
    let answer = try JSONDecoder().decode(Answer.self, from: text)
    guard answer.cells == BoundBenchmark.cells else {
      throw BenchmarkFailure("the peer \(name) had \(answer.cells) cells")
    }
    return Cost(cells: answer.cells, seconds: answer.seconds, client: answer.client, server: answer.server)
  }
}
