internal import MetricStore
internal import Synchronization

/// What each worker is about, and the one line that an operator reads about all of them.
final class StatusBoard: Sendable {
  enum Condition: Sendable, Equatable {
    case connecting
    case working
    case idle
    /// What is queued belongs to people whom other sessions have in hand, for longer than a batch takes.
    case held
    /// The database cannot be reached; the number is how often it was tried, the text the last error.
    case unreachable(attempt: Int, String)
    /// The intake is paused; what is due is re-checked all the same.
    case halted(String)
    /// The database is there and something lasting is wrong with it.
    case paused(String)
    case ended
  }

  private struct State {
    var conditions: [Int: Condition] = [:]
    var tally = Tally()
    var lastLine = ""
    var pause: IntakePause?
  }

  private let state = Mutex(State())
  private let instruments: Instruments
  private let publish: @Sendable (String) -> Void

  /// `publish` gets the line each time that it changed.
  init(_ instruments: Instruments = Instruments(), publish: @escaping @Sendable (String) -> Void) {
    self.instruments = instruments
    self.publish = publish
  }

  func set(_ worker: Int, _ condition: Condition) {
    instruments.set(worker, condition)
    let line: String? = state.withLock { state in
      state.conditions[worker] = condition
      // In the order of the workers, so that the same troubles make the same line.
      let conditions = state.conditions.sorted { $0.key < $1.key }.map(\.value)
      let line = StatusBoard.line(conditions, state.tally)
      defer { state.lastLine = line }
      return line == state.lastLine ? nil : line
    }
    if let line { publish(line) }
  }

  /// Adds to the numbers; they show with the next change of a condition, not with every batch.
  func add(_ tally: Tally) { state.withLock { $0.tally.add(tally) } }

  /// What a worker has found out about the intake. True if none has said so before: all workers find it, one line is enough.
  func isNews(_ pause: IntakePause?) -> Bool {
    state.withLock { state in
      defer { state.pause = pause }
      return state.pause != pause
    }
  }

  /// The sum over all workers so far.
  var tally: Tally { state.withLock { $0.tally } }

  static func line(_ conditions: [Condition], _ tally: Tally) -> String {
    var paused: String?
    var halted: String?
    var attempts = 0
    var lastError = ""
    var working = 0
    var idle = 0
    var held = 0
    for condition in conditions {
      switch condition {
      case .paused(let text): paused = text
      case .halted(let text): halted = text
      case .unreachable(let attempt, let text) where attempt > attempts:
        attempts = attempt
        lastError = text
      case .working: working += 1
      case .idle: idle += 1
      case .held: held += 1
      case .connecting, .ended, .unreachable: break
      }
    }
    if let paused { return "paused: \(paused)" }
    if attempts > 0 { return "waiting for the database, attempt \(attempts): \(lastError)" }
    if let halted { return "intake is paused: \(halted)" }
    if working > 0 { return "merging with \(working) of \(conditions.count) workers" }
    if held > 0 { return "waiting for people whom other sessions hold" }
    if idle > 0 { return "waiting for payloads; \(tally.payloads) done since the start" }
    return "waiting for the database"
  }
}
