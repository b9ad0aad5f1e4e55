import Foundation
import Postgres
import TestSupport

/// How a producer puts payloads into the queue.
enum Way: Sendable, CaseIterable {
  case function, insert, copy

  /// Payloads of one transaction.
  fileprivate var most: Int {
    switch self {
    case .function: 4
    case .insert: 12
    case .copy: 60
    }
  }
}

/// What producers know, who only know what was acknowledged.
struct Dispatch: Sendable {
  /// Deliveries whose transaction was acknowledged.
  var acknowledged: [Int] = []
  /// Transactions whose COMMIT was sent and not answered: they are sent again, whatever became of them.
  var unknown = 0
  /// Transactions that failed before.
  var failed = 0
  /// Transactions that were sent again although their COMMIT was answered, as if the answer had been lost.
  var forgotten = 0
}

/// Puts its share of the deliveries into the queue, in order, and never gives up.
struct ChaosProducer {
  let database: ChaosDatabase
  let input: ChaosInput
  let way: Way
  /// Positions in the deliveries.
  let share: [Int]
  /// Whether it goes on after any error of the server.
  private let bearsErrors: Bool
  private var connection: Connection?
  private var dispatch = Dispatch()

  init(_ database: ChaosDatabase, _ input: ChaosInput, _ way: Way, share: [Int], bearsErrors: Bool = false) {
    self.database = database
    self.input = input
    self.way = way
    self.share = share
    self.bearsErrors = bearsErrors
  }

  /// - Parameter ready: waits until more may be sent; it is told how many this producer has sent.
  mutating func work(seed: UInt64, ready: (Int) async throws -> Void) async throws -> Dispatch {
    var random = SeededNumbers(seed: seed)
    var rest = share[...]
    while !rest.isEmpty {
      try await ready(share.count - rest.count)
      let chunk = Array(rest.prefix(random.number(1...way.most)))
      rest = rest.dropFirst(chunk.count)
      while try await !send(chunk) {}
      if random.chance(2) {
        dispatch.forgotten += 1
        while try await !send(chunk) {}
      }
      dispatch.acknowledged += chunk
    }
    await connection?.close()
    return dispatch
  }

  /// One transaction; false: it was not acknowledged.
  private mutating func send(_ chunk: [Int]) async throws -> Bool {
    let open = try await connected()
    var isCommitting = false
    do throws(PostgresError) {
      try await open.execute("BEGIN")
      try await enqueue(chunk, open)
      try await open.execute(
        "INSERT INTO chaos.sent SELECT * FROM unnest($1::int[], $2::int[])",
        [.int4Array(chunk.map { Int32($0) }), .int4Array(chunk.map { Int32(input.deliveries[$0]) })])
      isCommitting = true
      try await open.execute("COMMIT")
      return true
    } catch {
      guard error.kind == .connectionLost || bearsErrors else { throw error }
      if isCommitting { dispatch.unknown += 1 } else { dispatch.failed += 1 }
      connection = nil
      await open.close()
      if error.kind != .connectionLost { try await moment() }
      return false
    }
  }

  private mutating func connected() async throws -> Connection {
    if let connection { return connection }
    let new = try await database.connect(as: "chaos producer")
    connection = new
    return new
  }

  private func enqueue(_ chunk: [Int], _ open: Connection) async throws(PostgresError) {
    let payloads = chunk.map { input.payloads[input.deliveries[$0]] }
    switch way {
    case .function:
      for payload in payloads {
        try await open.execute(
          "SELECT enqueue_sync_payload($1, $2, $3::text::timestamptz)",
          [.uuid(payload.user), .text(payload.text), .text(payload.receivedAt)])
      }
    case .insert:
      for payload in payloads {
        try await open.execute(
          "INSERT INTO intake.sync_payload (user_id, payload, received_at) VALUES ($1, $2, $3::text::timestamptz)",
          [.uuid(payload.user), .text(payload.text), .text(payload.receivedAt)])
      }
    case .copy:
      try await open.copyIn(
        "COPY intake.sync_payload (user_id, payload, received_at) FROM STDIN",
        payloads.map { CopyText.row([$0.user.uuidString, $0.text, $0.receivedAt]) })
    }
  }
}
