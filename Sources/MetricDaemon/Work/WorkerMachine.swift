internal import MetricStore

/// What a worker is for.
enum Purpose: Sendable, Equatable {
  /// Merge what arrives and re-check what is due, until somebody asks to stop.
  case serve
  /// Merge what is queued and derive what that made due, then end.
  case drain
  /// Derive what is due by now, then end.
  case recheck
}

/// One worker's decisions, without the database and without a clock: after each event it names the next action.
struct WorkerMachine: Sendable {
  enum Event: Sendable, Equatable {
    case connected
    case ingested(BatchReport)
    /// How many user-days were derived again; 0 means that nothing is due.
    case derived(Int)
    /// A wait or a pause is over.
    case rested
    case failed(StoreError)
  }

  enum Action: Sendable, Equatable {
    case connect
    case ingest(payloads: Int)
    /// At most so many user-days.
    case derive(days: Int)
    /// Sleep until a producer calls or the time is up.
    case wait
    case pause(Pause)
    case finish(Finish)
  }

  struct Pause: Sendable, Equatable {
    var duration: Duration
    /// nil: nothing went wrong, another worker has the users that are queued.
    var failure: StoreError?
    var reaction: Reaction
    /// Pauses for this reason since the last success, this one included.
    var attempt: Int
    /// The connection is of no use any more and is closed before the pause.
    var closesConnection = false
  }

  enum Finish: Sendable, Equatable {
    case done
    /// The schema is not the one that this build works with, and never was since the start.
    case refused(StoreError)
    /// A command that ends by itself does not wait for a database to come back.
    case failed(StoreError)
    /// An operator or a breaker has stopped the intake; a command that ends by itself does not wait for the end of that.
    case paused(IntakePause)
  }

  private enum Left {
    /// Possibly more: the claim took something.
    case more
    /// What others have in hand: the claim took nothing although the queue is not empty.
    case othersShare
    case nothing
  }

  /// Retries of one batch before the lock holder counts as a lasting problem.
  static let retriesBeforePause = 20
  /// Batches between two looks at what is due, so that a queue that never empties does not starve the re-checks.
  static let batchesPerRecheck = 20

  private let purpose: Purpose
  private var pollInterval: Duration
  private let jitter: @Sendable () -> Double
  private var sizer: BatchSizer
  private var daySizer: BatchSizer
  private var reconnecting = Backoff(first: .milliseconds(100), longest: .seconds(30))
  private var retrying = Backoff(first: .milliseconds(10), longest: .seconds(1))
  private var pausing = Backoff(first: .seconds(1), longest: .seconds(60))
  private var contending: Backoff
  private var batchesSinceRecheck = 0
  private var hasConnected = false
  /// The last re-check failed. Merging may go on beside it, but proves nothing about it.
  private var cannotDerive = false
  /// What the last claim left in the queue.
  private var left = Left.more
  /// The last claim was refused because intake is paused.
  private var intakePause: IntakePause?
  /// What to do when the pause in hand is over.
  private var afterRest: Action = .connect
  /// What was asked for last, other than a rest: the step that an event is about.
  private var step: Action = .connect

  init(
    purpose: Purpose, batchPayloads: Int, derivationDays: Int, pollInterval: Duration,
    jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.purpose = purpose
    self.pollInterval = pollInterval
    self.jitter = jitter
    sizer = BatchSizer(limit: batchPayloads)
    daySizer = BatchSizer(limit: derivationDays)
    // Others' new payloads call nobody who looks in vain at one person's queue, so the looks stay close to each other.
    contending = Backoff(
      first: .milliseconds(10), longest: min(max(pollInterval, .milliseconds(10)), .milliseconds(100)))
  }

  /// Goes on with other limits. A batch that had to shrink begins anew with the new limit.
  mutating func adopt(batchPayloads: Int, pollInterval: Duration) {
    self.pollInterval = pollInterval
    if sizer.limit != max(1, batchPayloads) { sizer = BatchSizer(limit: batchPayloads) }
  }

  /// The first action.
  var start: Action { .connect }

  mutating func next(after event: Event) -> Action {
    let action = decide(event)
    switch action {
    case .connect, .ingest, .derive: step = action
    case .wait, .pause, .finish: break
    }
    return action
  }

  private mutating func decide(_ event: Event) -> Action {
    switch event {
    case .connected:
      hasConnected = true
      return purpose == .recheck ? derive : ingest
    case .ingested(let batch):
      recovered()
      return afterBatch(batch)
    case .derived(let count):
      recovered()
      batchesSinceRecheck = 0
      return afterDerivation(count)
    case .rested:
      return afterRest
    case .failed(let failure):
      return afterFailure(failure)
    }
  }

  private var ingest: Action { .ingest(payloads: sizer.size) }
  private var derive: Action { .derive(days: daySizer.size) }

  /// The step in hand is a re-check.
  private var isDeriving: Bool {
    if case .derive = step { true } else { false }
  }

  /// Whether success of the step in hand means that what went wrong before is over. A failing re-check would otherwise be
  /// repeated at full speed, because every look at an empty queue succeeds in between.
  var endsTrouble: Bool { !cannotDerive || isDeriving }

  /// Only a step that really read or wrote the tables proves that the database works again. A connection alone does not: a
  /// standby takes connections all day.
  private mutating func recovered() {
    guard endsTrouble else { return }
    cannotDerive = false
    reconnecting.reset()
    retrying.reset()
    pausing.reset()
  }

  private mutating func afterBatch(_ batch: BatchReport) -> Action {
    intakePause = batch.pause
    guard batch.payloads > 0 else {
      left = batch.queueIsEmpty || batch.pause != nil ? .nothing : .othersShare
      return derive
    }
    left = .more
    contending.reset()
    sizer.succeeded()
    batchesSinceRecheck += 1
    return batchesSinceRecheck >= WorkerMachine.batchesPerRecheck ? derive : ingest
  }

  private mutating func afterDerivation(_ count: Int) -> Action {
    // Finding nothing due is quick whatever the size.
    if count > 0 { daySizer.succeeded() }
    if purpose == .recheck { return count > 0 ? derive : .finish(.done) }
    // A look at what is due between two batches says nothing about the queue.
    if count > 0 || left == .more { return ingest }
    if left == .othersShare {
      // Sleeping until the next producer calls would miss what the others leave behind.
      let duration = contending.next(jitter: jitter())
      return rest(Pause(duration: duration, reaction: .retry, attempt: contending.attempts), then: ingest)
    }
    guard purpose == .serve else { return .finish(intakePause.map(Finish.paused) ?? .done) }
    afterRest = ingest
    return .wait
  }

  private mutating func afterFailure(_ failure: StoreError) -> Action {
    if step != .connect { cannotDerive = isDeriving }
    switch ErrorPolicy.reaction(to: failure) {
    case .retry:
      guard retrying.attempts < WorkerMachine.retriesBeforePause else { return giveWay(failure) }
      let duration = retrying.next(jitter: jitter())
      let pause = Pause(duration: duration, failure: failure, reaction: .retry, attempt: retrying.attempts)
      return rest(pause, then: step)
    case .shrink:
      if let lone = failure.loneTimeout { return passOver(lone, failure) }
      return shrinkStep() ?? pause(failure)
    case .reconnect:
      return reconnect(failure)
    case .pause:
      return pause(failure)
    case .refuse:
      // A schema that changed under a running service may change back; one that never fitted is the installer's business.
      guard purpose == .serve, hasConnected else { return .finish(.refused(failure)) }
      return pause(failure)
    }
  }

  /// The step in hand with half of what it had; nil if there is nothing to halve.
  private mutating func shrinkStep() -> Action? {
    switch step {
    case .ingest where sizer.canShrink:
      sizer.shrink()
      return ingest
    case .derive where daySizer.canShrink:
      daySizer.shrink()
      return derive
    default: return nil
    }
  }

  /// Twenty times in a row is no coincidence: fewer rows at a time have a better chance.
  private mutating func giveWay(_ failure: StoreError) -> Action {
    retrying.reset()
    _ = shrinkStep()
    return pause(failure)
  }

  /// It is taken apart from now on, so that the others go on. Where no others went on it may be the server that is slow:
  /// then it is tried for ever, and whoever comes meanwhile is not kept waiting for longer than between two looks.
  private mutating func passOver(_ lone: LoneTimeout, _ failure: StoreError) -> Action {
    if lone.isCounted { return ingest }
    guard purpose == .serve else { return .finish(.failed(failure)) }
    // Re-checks go on beside it.
    left = .more
    return rest(
      Pause(duration: pollInterval, failure: failure, reaction: .shrink, attempt: lone.attempts), then: derive)
  }

  private mutating func reconnect(_ failure: StoreError) -> Action {
    guard purpose == .serve else { return .finish(.failed(failure)) }
    // A server that has no time left to notice its own time limit is asked for less, too.
    if failure.isTimeout { _ = shrinkStep() }
    let duration = reconnecting.next(jitter: jitter())
    let pause = Pause(
      duration: duration, failure: failure, reaction: .reconnect, attempt: reconnecting.attempts, closesConnection: true
    )
    return rest(pause, then: .connect)
  }

  /// After a pause everything is looked at afresh, connection and schema included.
  private mutating func pause(_ failure: StoreError) -> Action {
    guard purpose == .serve else { return .finish(.failed(failure)) }
    let duration = pausing.next(jitter: jitter())
    let pause = Pause(
      duration: duration, failure: failure, reaction: .pause, attempt: pausing.attempts, closesConnection: true)
    return rest(pause, then: .connect)
  }

  private mutating func rest(_ pause: Pause, then next: Action) -> Action {
    afterRest = next
    return .pause(pause)
  }
}
