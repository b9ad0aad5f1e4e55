import Foundation
import HealthPayload
import MetricStore
import PayloadDecoder
import Postgres

/// The daemon's work on what is in the queue, without the process around it.
struct Drain {
  let database: ScratchDatabase
  let workers: Int
  /// How much one transaction takes.
  var limits = BatchLimits()

  init(_ database: ScratchDatabase, workers: Int) {
    self.database = database
    self.workers = workers
  }

  /// Enqueues a corpus, which is not measured, and empties the queue.
  func work(_ corpus: some Corpus) async throws -> Cost {
    let feeder = try await StoreSession.open(database.options("feeder"))
    try await feeder.enqueue(corpus.lines, receivedAt: corpus.readAt)
    await feeder.close()
    var sessions: [StoreSession] = []
    let journal = BatchJournal(database.options("worker"))
    for _ in 0..<workers { sessions.append(try await StoreSession.open(database.options("worker"), journal: journal)) }
    let catalogue = try await sessions[0].loadCatalogue()
    let cost = try await database.measure(cells: corpus.cells, of: "worker") {
      try await withThrowingTaskGroup { group in
        for session in sessions {
          group.addTask {
            let decoder = PayloadDecoder(catalogue: catalogue)
            var cursor: UUID?
            while try await !session.ingestBatch(
              decoder: decoder, limits: limits, cursor: &cursor, asOf: corpus.readAt
            ).queueIsEmpty {}
          }
        }
        try await group.waitForAll()
      }
    }
    for session in sessions { await session.close() }
    return cost
  }
}

/// Payloads that come together.
protocol Corpus: Sendable {
  var lines: [EnqueuedLine] { get }
  /// The cells that they are about.
  var cells: Int { get }
  /// When all of them were read and arrived.
  var readAt: Instant { get }
}
