internal import Synchronization

/// Whether the workers advance, for the watchdog.
///
/// Before each step a worker says how long the step may take. Waiting for the database is no step: it may take for ever, and a
/// restart would not bring the database back.
final class Pulse: Sendable {
  /// nil: waiting for the database, or ended.
  private let deadlines: Mutex<[Int: ContinuousClock.Instant]> = Mutex([:])

  /// `worker` begins a step that ends within `duration`, or (nil) begins to wait for the database.
  func expect(_ worker: Int, within duration: Duration?, from now: ContinuousClock.Instant = .now) {
    deadlines.withLock { $0[worker] = duration.map { now + $0 } }
  }

  /// The workers that should have finished their step by now, in order; empty when all is well.
  func overdue(at now: ContinuousClock.Instant = .now) -> [Int] {
    deadlines.withLock { deadlines in deadlines.filter { $0.value < now }.keys.sorted() }
  }
}
