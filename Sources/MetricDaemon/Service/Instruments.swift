internal import HealthPayload
internal import MetricStore
internal import PayloadDecoder
internal import Synchronization

/// What the workers of a process write down about themselves, for whoever monitors it. Writing takes a lock for the time of
/// an addition, and reading copies: a reader never keeps a worker waiting.
public final class Instruments: Sendable {
  private let state = Mutex(ProcessReport())
  /// Whether the workers advance.
  let pulse = Pulse()

  /// Nothing done yet.
  public init() {}

  /// Everything as of now.
  public var report: ProcessReport {
    var report = state.withLock { $0 }
    report.hanging = pulse.overdue()
    return report
  }

  /// A transaction that took payloads is committed, or one that took none looked at the queue.
  func ingested(_ batch: BatchReport, took: Duration, at now: Instant) {
    state.withLock { state in
      state.isIntakePaused = batch.pause != nil
      guard batch.payloads > 0 else { return }
      state.tally.add(batch)
      state.merged += batch.merged
      state.entries += batch.entries
      state.deadLetters.merge(batch.deadLettersByCode, uniquingKeysWith: +)
      if batch.loneTimeout != nil { state.loneTimeouts += 1 }
      state.batchPayloads.observe(Double(batch.payloads))
      state.batchSeconds.observe(took)
      if let claim = batch.claimTook { state.claimSeconds.observe(claim) }
      state.lastBatchAt = now
    }
  }

  func rechecked(_ days: Int, took: Duration) {
    guard days > 0 else { return }
    state.withLock { state in
      state.tally.derivedDays += days
      state.recheckSeconds.observe(took)
    }
  }

  func found(_ deaths: DeathReport) {
    state.withLock { state in
      state.suspects += deaths.suspects
      state.tally.deadLetters += deaths.crashed
      if deaths.crashed > 0 { state.deadLetters[.crashed, default: 0] += deaths.crashed }
    }
  }

  func failed(_ error: StoreError) {
    let reason: RetryReason =
      switch ErrorPolicy.reaction(to: error) {
      case .reconnect: .connection
      case .retry: .contention
      case .shrink: .timeout
      case .pause: .lasting
      case .refuse: .schema
      }
    state.withLock { state in
      state.retries[reason, default: 0] += 1
      if error.loneTimeout != nil { state.loneTimeouts += 1 }
    }
  }

  func set(_ worker: Int, _ condition: StatusBoard.Condition) {
    let state: WorkerState =
      switch condition {
      case .connecting: .connecting
      case .working: .working
      case .idle: .idle
      case .held: .held
      case .unreachable: .unreachable
      case .halted: .halted
      case .paused: .paused
      case .ended: .ended
      }
    self.state.withLock { $0.workers[worker] = state }
  }

  func connected(_ worker: Int) { state.withLock { _ = $0.connected.insert(worker) } }
  func disconnected(_ worker: Int) { state.withLock { _ = $0.connected.remove(worker) } }
  func limited(_ worker: Int, to payloads: Int) { state.withLock { $0.batchLimits[worker] = payloads } }
  func stopping() { state.withLock { $0.isStopping = true } }
}
