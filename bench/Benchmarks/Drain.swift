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
  ///
  /// - Parameters:
  ///   - plans: what each session merges before, so that its plans are made; nil: to make them is part of the work.
  ///   - whenReady: called before the first payload that counts.
  func work(
    _ corpus: some Corpus, after plans: ((Int) -> DrainCorpus)? = nil, whenReady: () async throws -> Void = {}
  ) async throws -> Cost {
    var sessions: [StoreSession] = []
    let journal = BatchJournal(database.options("worker"))
    for _ in 0..<workers { sessions.append(try await StoreSession.open(database.options("worker"), journal: journal)) }
    let decoder = PayloadDecoder(catalogue: try await sessions[0].loadCatalogue())
    if let plans {
      for (number, session) in sessions.enumerated() {
        try await enqueue(plans(number))
        try await empty(session, decoder, plans(number).readAt)
      }
      // A session tells its statistics at the end of a transaction that ends a second after the last that did.
      try await Task.sleep(for: .milliseconds(1_100))
      for session in sessions { try await empty(session, decoder, corpus.readAt) }
    }
    try await enqueue(corpus)
    try await whenReady()
    let cost = try await database.measure(cells: corpus.cells, of: "worker") {
      try await withThrowingTaskGroup { group in
        for session in sessions { group.addTask { try await empty(session, decoder, corpus.readAt) } }
        try await group.waitForAll()
      }
    }
    for session in sessions { await session.close() }
    return cost
  }

  private func enqueue(_ corpus: some Corpus) async throws {
    let feeder = try await StoreSession.open(database.options("feeder"))
    try await feeder.enqueue(corpus.lines, receivedAt: corpus.readAt)
    await feeder.close()
  }

  private func empty(_ session: StoreSession, _ decoder: PayloadDecoder, _ asOf: Instant) async throws {
    var cursor: UUID?
    while try await !session.ingestBatch(decoder: decoder, limits: limits, cursor: &cursor, asOf: asOf).queueIsEmpty {}
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
