import Foundation
import HealthPayload
import MetricStore
import PayloadDecoder
import Postgres
import ProviderFormats
import TestSupport
import Testing

extension DatabaseTemplate {
  /// A database as `migrate` leaves it.
  static let migrated = DatabaseTemplate("migrated") { options in
    try await Migrator.migrate(options, now: instant("2026-11-29T08:00:00Z"))
  }
}

/// An instant as it is written.
func instant(_ text: String) throws -> Instant {
  try #require(Instant(text), "\(text) is no instant")
}

/// A session with its decoder, as a worker of the daemon has them.
struct Worker {
  let store: StoreSession
  let decoder: PayloadDecoder

  init(_ database: TestDatabase) async throws {
    store = try await StoreSession.open(database.options)
    decoder = PayloadDecoder(
      catalogue: try await store.loadCatalogue(), translator: try FormatCatalogue.builtIn())
  }

  /// Merges until the queue is empty, then derives what that made due: what the command drain does.
  func drain(asOf: Instant, limits: BatchLimits = BatchLimits()) async throws {
    var cursor: UUID?
    while try await !store.ingestBatch(decoder: decoder, limits: limits, cursor: &cursor, asOf: asOf).queueIsEmpty {}
    try await deriveDue(asOf: asOf, includeScheduled: false)
  }

  /// Derives until nothing is due: what the command recheck does.
  func deriveDue(asOf: Instant, includeScheduled: Bool) async throws {
    _ = try await store.giveUpExpiredLoads(decoder: decoder, asOf: asOf)
    while try await store.deriveDue(limit: 500, asOf: asOf, includeScheduled: includeScheduled) > 0 {}
  }
}

extension Connection {
  /// All rows of a query, each value as the server writes it.
  func table(_ sql: String) async throws -> [[String?]] {
    let rows = try await execute(sql)
    return try rows.map { row in try rows.columns.indices.map { try row.optionalText($0) } }
  }

  /// The first column of a query.
  func list(_ sql: String) async throws -> [String?] {
    try await table(sql).map { $0.first ?? nil }
  }
}
