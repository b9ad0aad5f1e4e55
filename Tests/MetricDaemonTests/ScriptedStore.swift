import Foundation
import HealthPayload
import MetricStore
import PayloadDecoder
import Synchronization

@testable import MetricDaemon

/// A database that answers as written down beforehand, and keeps a list of what was asked of it.
final class ScriptedStore: Store, StoreOpener {
  /// One answer; each is used once, in order, by the call that it fits.
  enum Answer {
    case open(StoreError?)
    case schema(Result<SchemaCheck, StoreError>)
    case listen(StoreError)
    case batch(Result<BatchReport, StoreError>)
    case due(Result<Int, StoreError>)
    case wait(Result<Bool, StoreError>)
    case deaths(DeathReport)
    case upkeep(Result<Int, StoreError>)
    /// Not the database: asks the worker to stop, and gives the answer behind it.
    case stop
    /// Not the database: asks for the catalogue to be read again.
    case reload
  }

  private struct State {
    var answers: [Answer]
    var calls: [String] = []
    var cursors: [(before: UUID?, after: UUID?)] = []
    var instants: [Instant] = []
  }

  private let state: Mutex<State>
  let stop = StopRequest()
  let reload = ReloadRequest()

  init(_ answers: [Answer]) { state = Mutex(State(answers: answers)) }

  /// What was asked, in order.
  var calls: [String] { state.withLock { $0.calls } }
  /// The cursor of each batch as it came in and as it went out.
  var cursors: [(before: UUID?, after: UUID?)] { state.withLock { $0.cursors } }
  var instants: [Instant] { state.withLock { $0.instants } }
  /// Answers that nobody asked for.
  var isUsedUp: Bool { state.withLock { $0.answers.isEmpty } }

  private func note(_ call: String) { state.withLock { $0.calls.append(call) } }

  /// The next answer if it fits the call; calls without an answer of their own work out.
  private func take<Value: Sendable>(_ pick: (Answer) -> Value?) -> Value? {
    state.withLock { state in
      while let next = state.answers.first {
        switch next {
        case .stop: stop.request()
        case .reload: reload.request()
        default:
          guard let value = pick(next) else { return nil }
          state.answers.removeFirst()
          return value
        }
        state.answers.removeFirst()
      }
      // The script is over.
      stop.request()
      return nil
    }
  }

  func open() async throws(StoreError) -> any Store {
    note("open")
    let failure: StoreError?? = take { if case .open(let failure) = $0 { failure } else { nil } }
    if let failure, let failure { throw failure }
    return self
  }

  func checkSchema() async throws(StoreError) -> SchemaCheck {
    note("check")
    let result: Result<SchemaCheck, StoreError>? = take { if case .schema(let result) = $0 { result } else { nil } }
    return try result?.get() ?? .current
  }

  func loadCatalogue() async throws(StoreError) -> Catalogue {
    note("catalogue")
    do throws(CatalogueError) { return try Catalogue(metrics: [], units: [], platforms: []) } catch {
      throw StoreError(.systemic, error.description)
    }
  }

  func listen() async throws(StoreError) {
    note("listen")
    let failure: StoreError? = take { if case .listen(let failure) = $0 { failure } else { nil } }
    if let failure { throw failure }
  }

  func noteDeaths(asOf: Instant) async throws(StoreError) -> DeathReport {
    state.withLock { state in
      guard case .deaths(let report) = state.answers.first else { return DeathReport() }
      state.answers.removeFirst()
      return report
    }
  }

  func ingestBatch(
    decoder: PayloadDecoder, limits: BatchLimits, cursor: inout UUID?, asOf: Instant
  ) async throws(StoreError) -> BatchReport {
    note("ingest \(limits.payloads)")
    let before = cursor
    cursor = UUID()
    let after = cursor
    state.withLock {
      $0.cursors.append((before, after))
      $0.instants.append(asOf)
    }
    let result: Result<BatchReport, StoreError>? = take { if case .batch(let result) = $0 { result } else { nil } }
    return try result?.get() ?? BatchReport(queueIsEmpty: true)
  }

  func giveUpExpiredLoads(
    decoder: PayloadDecoder, massDeletion: MassDeletionLimits, asOf: Instant
  ) async throws(StoreError) -> Int { 0 }

  func deriveDue(limit: Int, asOf: Instant, includeScheduled: Bool) async throws(StoreError) -> Int {
    note(includeScheduled ? "derive scheduled" : "derive")
    let result: Result<Int, StoreError>? = take { if case .due(let result) = $0 { result } else { nil } }
    guard let result else { return 0 }
    return try result.get()
  }

  /// Without an answer of its own there is nothing to do; the script goes on.
  func keepUp(asOf: Instant) async throws(StoreError) -> Int {
    let result: Result<Int, StoreError>? = state.withLock {
      guard case .upkeep(let result)? = $0.answers.first else { return nil }
      $0.answers.removeFirst()
      return result
    }
    return try result?.get() ?? 0
  }

  func ensurePartitions(asOf: Instant) async throws(StoreError) -> Int { throw StoreError.server("42501") }

  func wake() {}

  func waitForNotification(timeout: Duration) async throws(StoreError) -> Bool {
    note("wait")
    let result: Result<Bool, StoreError>? = take { if case .wait(let result) = $0 { result } else { nil } }
    return try result?.get() ?? false
  }

  func close() async { note("close") }
}
