import Foundation
import Postgres
import TestSupport
import Testing

/// An input, and what one worker made of it in one go.
struct ChaosReplay: Sendable {
  let size: ChaosSize
  let input: ChaosInput
  let database: ChaosDatabase

  /// Plays the input into a database of that name, on the suite's server unless another one is named.
  init(_ size: ChaosSize, _ name: String, on server: ThrowawayCluster? = nil) async throws {
    self.size = size
    input = ChaosInput(size)
    database = try await ChaosDatabase(name, on: server)
    let connection = try await database.connect()
    let rows = input.deliveries.map { [input] position in
      let payload = input.payloads[position]
      return CopyText.row([payload.user.uuidString, payload.text, payload.receivedAt])
    }
    try await connection.copyIn("COPY intake.sync_payload (user_id, payload, received_at) FROM STDIN", rows)
    await connection.close()
    try await Self.finish(database, size, workers: 1)
  }

  /// Merges what is still queued.
  static func finish(_ database: ChaosDatabase, _ size: ChaosSize, workers: Int) async throws {
    let result = try await database.dailymetricd("drain", "--workers", String(workers), "--as-of", size.asOf)
    guard result.status == 0 else { throw ChaosFailure("drain ended with \(result.status): \(result.stderr)") }
  }

  /// Expects every row of another database to be the same.
  func expectSame(_ other: ChaosDatabase) async throws {
    let comparison = ChaosComparison(expected: database, actual: other)
    let evidence = try await comparison.differencesOfEvidence()
    #expect(evidence.isEmpty, "\(evidence.joined(separator: "\n"))\n\(size.command)")
    for each in [database, other] {
      let result = try await each.dailymetricd("recheck", "--as-of", size.asOf)
      #expect(result.status == 0, "\(result.stderr)")
    }
    let cells = try await comparison.differencesOfCells()
    #expect(cells.isEmpty, "\(cells.joined(separator: "\n"))\n\(size.command)")
  }
}
