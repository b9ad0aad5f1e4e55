import Foundation
import HealthPayload
import Postgres

/// What the daemon would send for a corpus, made before: the statements of the merge and of the derivation, with their arrays.
struct PreparedCorpus {
  typealias Statement = (sql: String, parameters: [Parameter])

  /// One transaction each, of as many payloads as the daemon takes.
  let batches: [[Statement]]

  init(_ corpus: DrainCorpus, payloadsPerBatch: Int, ids: Numbers) throws {
    let days = try DrainCorpus.dates.map { text in
      guard let day = LocalDate(text) else { throw BenchmarkFailure("\(text) is no date") }
      return day.daysSince1970
    }
    let metrics = try DrainCorpus.metrics.map { name in
      guard let id = ids.metrics[name] else { throw BenchmarkFailure("the catalogue has no \(name)") }
      return id
    }
    batches = stride(from: 0, to: corpus.people, by: payloadsPerBatch).map { start in
      let batch = Batch(
        corpus: corpus, people: start..<min(start + payloadsPerBatch, corpus.people), platform: ids.platform,
        metrics: metrics, days: days)
      return batch.statements + batch.entries
    }
  }

  /// The numbers that the catalogue has given.
  struct Numbers {
    let platform: Int16
    let metrics: [String: Int16]

    init(_ connection: Connection) async throws {
      let platforms = try await connection.execute(
        "SELECT platform_id FROM public.platform WHERE platform = 'health_connect'")
      platform = try platforms.one().int(0, as: Int16.self)
      var metrics: [String: Int16] = [:]
      for row in try await connection.execute("SELECT metric, metric_id FROM public.metric") {
        metrics[try row.text(0)] = try row.int(1, as: Int16.self)
      }
      self.metrics = metrics
    }
  }

  private struct Batch {
    let corpus: DrainCorpus
    let people: Range<Int>
    let platform: Int16
    let metrics: [Int16]
    let days: [Int32]

    private var users: Parameter { .uuidArray(people.map { corpus.user($0) }) }
    private var platforms: Parameter { .int2Array(people.map { _ in platform }) }
    private var stores: Parameter { .textArray(people.map { _ in "" }) }
    private var reads: Parameter { .timestampArray(people.map { _ in corpus.readAt.microseconds }) }
    private var payloads: Parameter { .uuidArray(people.map { corpus.payloadID($0) }) }
    private var first: Parameter { .int4Array(people.map { _ in 0 }) }
    private var now: Parameter { .timestamp(corpus.readAt.microseconds) }

    private func everybody<Value>(_ value: Value) -> [Value?] { people.map { _ in value } }

    /// What the payloads say beside their entries.
    var statements: [Statement] {
      let beginning: Int64 = 946_684_800_000_000
      return [
        (
          "SELECT evidence.note_origins($1, $2, $3, $4, $5, $6, $7)",
          [users, platforms, stores, reads, .boolArray(everybody(true)), .int4Array(everybody(15)), now]
        ),
        (
          "SELECT evidence.note_time_zones($1, $2, $3, $4, $5, $6, $7)",
          [
            users, .timestampArray(everybody(beginning)), reads, payloads, first,
            .textArray(everybody("Europe/Berlin")), now,
          ]
        ),
        (
          "SELECT evidence.note_permissions($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
          [
            users, platforms, stores, .int2Array(everybody(0)), reads, payloads, first,
            .textArray(everybody("granted")), .timestampArray(people.map { _ in nil }), now,
          ]
        ),
      ]
    }

    /// The merge of the entries, and the derivation of their days.
    var entries: [Statement] {
      let cells = people.indices.flatMap { place in
        days.indices.flatMap { date in metrics.indices.map { (place: place, date: date, metric: $0) } }
      }
      let touched = people.flatMap { person in days.map { (corpus.user(person), $0) } }
      return [
        (
          "SELECT evidence.merge_readings($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
          [
            users, platforms, stores, payloads, reads,
            .int4Array(cells.map { Int32($0.place - people.lowerBound + 1) }),
            .int2Array(cells.map { metrics[$0.metric] }), .dateArray(cells.map { days[$0.date] }),
            .int4Array(cells.map { Int32($0.date * metrics.count + $0.metric) }),
            .textArray(cells.map { _ in "value" }),
            .textArray(cells.map { String(corpus.value(metric: $0.metric, date: $0.date)) }),
            .textArray(cells.map { _ in "{watch-a}" }), .textArray(cells.map { _ in nil }),
            .boolArray(cells.map { _ in nil }), .boolArray(cells.map { _ in true }), now,
          ]
        ),
        (
          "SELECT evidence.derive($1, $2, $3, $4)",
          [.uuidArray(touched.map(\.0)), .dateArray(touched.map(\.1)), now, .bool(false)]
        ),
      ]
    }
  }
}
