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

  /// Empties the queue, once the process says that its plans are made. Neither its start nor its connecting is counted.
  func work(asOf: Instant, whenReady: () async throws -> Void) async throws -> Cost {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: python)
    process.arguments = ["bench/peers/\(script)", name, dsn, "\(asOf)"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    // One line, or nothing if it failed.
    guard try output.fileHandleForReading.read(upToCount: 1) != nil else {
      throw BenchmarkFailure("the peer \(name) failed")
    }
    try await whenReady()
    try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
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
