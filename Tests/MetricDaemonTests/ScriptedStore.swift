import Foundation
import HealthPayload
import PayloadDecoder
import Synchronization

@testable import MetricDaemon

/// A database that answers as written down beforehand, and keeps a list of what was asked of it.
final class ScriptedStore: Store, StoreOpener {
  /// One answer; each is used once, in order, by the call that it fits.
  enum Answer {
    case open(StoreFailure?)
    case schema(Result<SchemaVerdict, StoreFailure>)
    case batch(Result<IngestedBatch, StoreFailure>)
    case due(Result<Int, StoreFailure>)
    case wait(Result<Bool, StoreFailure>)
    /// Not the database: asks the worker to stop, and gives the answer behind it.
    case stop
    /// Not the database: asks for the catalogue to be read again.
    case reload
  }

  private struct State {
    var answers: [Answer]
    var calls: [String] = []
    var cursors: [UUID?] = []
    var instants: [Instant] = []
  }

  private let state: Mutex<State>
  let stop = StopRequest()
  let reload = ReloadRequest()

  init(_ answers: [Answer]) { state = Mutex(State(answers: answers)) }

  /// What was asked, in order.
  var calls: [String] { state.withLock { $0.calls } }
  var cursors: [UUID?] { state.withLock { $0.cursors } }
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

  func open() async throws(StoreFailure) -> any Store {
    note("open")
    let failure: StoreFailure?? = take { if case .open(let failure) = $0 { failure } else { nil } }
    if let failure, let failure { throw failure }
    return self
  }

  func checkSchema() async throws(StoreFailure) -> SchemaVerdict {
    note("check")
    let result: Result<SchemaVerdict, StoreFailure>? = take { if case .schema(let result) = $0 { result } else { nil } }
    return try result?.get() ?? .current
  }

  func loadCatalogue() async throws(StoreFailure) -> Catalogue {
    note("catalogue")
    do throws(CatalogueError) { return try Catalogue(metrics: [], units: [], platforms: []) } catch {
      throw StoreFailure(.server, message: error.description)
    }
  }

  func listen() async throws(StoreFailure) { note("listen") }

  func ingestBatch(
    decoder: PayloadDecoder, payloads: Int, cursor: UUID?, asOf: Instant
  ) async throws(StoreFailure) -> IngestedBatch {
    note("ingest \(payloads)")
    state.withLock {
      $0.cursors.append(cursor)
      $0.instants.append(asOf)
    }
    let result: Result<IngestedBatch, StoreFailure>? = take { if case .batch(let result) = $0 { result } else { nil } }
    return try result?.get() ?? IngestedBatch(queueWasEmpty: true)
  }

  func deriveDue(limit: Int, asOf: Instant, includeScheduled: Bool) async throws(StoreFailure) -> Int {
    note(includeScheduled ? "derive scheduled" : "derive")
    let result: Result<Int, StoreFailure>? = take { if case .due(let result) = $0 { result } else { nil } }
    guard let result else { return 0 }
    return try result.get()
  }

  func waitForWork(timeout: Duration) async throws(StoreFailure) -> Bool {
    note("wait")
    let result: Result<Bool, StoreFailure>? = take { if case .wait(let result) = $0 { result } else { nil } }
    return try result?.get() ?? false
  }

  func close() async { note("close") }
}
