public import HealthPayload
public import PayloadDecoder

/// Why a step of a worker failed and is tried again.
public enum RetryReason: String, Sendable, CaseIterable {
  /// No connection, or one that takes no writes.
  case connection
  /// Another session was in the way: lock, deadlock, serialization.
  case contention
  /// The server took too long; the batch is halved.
  case timeout
  /// Something lasting is wrong with the server, or with us.
  case lasting
  /// The schema is not the one that this build works with.
  case schema
}

/// What a worker is about.
public enum WorkerState: String, Sendable, CaseIterable {
  /// It looks for a connection for the first time, or after one that it closed itself.
  case connecting
  /// It merges and re-checks.
  case working
  /// Nothing is queued.
  case idle
  /// What is queued belongs to people whom other sessions have in hand.
  case held
  /// The intake is paused; it re-checks.
  case halted
  /// The database cannot be reached; it waits and tries again.
  case unreachable
  /// The database is there and something lasting is wrong; it waits and looks again.
  case paused
  /// It has ended.
  case ended
}

/// What a process has done since its start, and how it is. Zero means that it did none of it; nil: nobody has looked yet.
///
/// Counts are of transactions of which the process knows that they are committed. One whose answer was lost with the
/// connection is not in them, though it may be in the database. No count is by person, and none is of a health value.
public struct ProcessReport: Sendable {
  /// What all workers did.
  public internal(set) var tally = Tally()
  /// Payloads that were merged.
  public internal(set) var merged = 0
  /// Day entries, records and days seen empty that were merged.
  public internal(set) var entries = 0
  /// Payloads that were parked, by code. Pages of loads that were given up after a week are not in it.
  public internal(set) var deadLetters: [DeadLetterCode: Int] = [:]
  /// Times that a payload took too long although it was alone.
  public internal(set) var loneTimeouts = 0
  /// Payloads that were in hand when a process or a connection died.
  public internal(set) var suspects = 0
  /// Steps that failed and were tried again.
  public internal(set) var retries: [RetryReason: Int] = [:]
  /// Seconds of each transaction that took payloads, from the claim to the commit.
  public internal(set) var batchSeconds = Histogram(bounds: Bounds.seconds)
  /// Seconds of the claims of these transactions.
  public internal(set) var claimSeconds = Histogram(bounds: Bounds.seconds)
  /// Payloads of these transactions.
  public internal(set) var batchPayloads = Histogram(bounds: Bounds.payloads)
  /// Seconds of each re-check that derived something.
  public internal(set) var recheckSeconds = Histogram(bounds: Bounds.seconds)
  /// What each worker is about.
  public internal(set) var workers: [Int: WorkerState] = [:]
  /// Workers that have a connection whose schema fits.
  public internal(set) var connected: Set<Int> = []
  /// Most payloads of each worker's next batch; smaller than the setting after timeouts.
  public internal(set) var batchLimits: [Int: Int] = [:]
  /// Whether the last claim found the intake paused.
  public internal(set) var isIntakePaused: Bool?
  /// When payloads were last committed.
  public internal(set) var lastBatchAt: Instant?
  /// Workers that should have finished their step by now, in order.
  public internal(set) var hanging: [Int] = []
  /// Whether the process was asked to end.
  public internal(set) var isStopping = false

  private enum Bounds {
    static let seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
    static let payloads = [1.0, 2, 5, 10, 25, 50, 100, 200, 500, 1_000, 10_000]
  }
}
