internal import FoundationEssentials
internal import HealthPayload
internal import MetricStore
internal import PayloadDecoder

/// What all workers of a process share.
struct Surroundings: Sendable {
  let opener: any StoreOpener
  let stop: StopRequest
  let reload: ReloadRequest
  let pulse: Pulse
  let board: StatusBoard
  let journal: Journal
  let now: @Sendable () -> Instant
  /// Sleeps for a pause; tests only write it down.
  let rest: @Sendable (Duration) async -> Void
  /// What an operator has changed since the start; nil: nothing can change.
  var freshSettings: (@Sendable () -> WorkerSettings)?
  var instruments = Instruments()
  /// What knows the formats besides our own; nil takes only ours.
  var translator: (any PayloadTranslator)?
}

/// How a worker works.
struct WorkerSettings: Sendable {
  let purpose: Purpose
  let batchPayloads: Int
  let pollInterval: Duration
  let derivationLimit: Int
  /// How long one step may take before the watchdog is told that the worker hangs.
  let stepDeadline: Duration
  let decoderLimits: DecoderLimits
  let massDeletion: MassDeletionLimits
}

/// One connection and one loop: claims and merges batches, re-checks what is due, sleeps.
///
/// All decisions are the machine's; the worker carries them out and says what happened.
struct Worker: Sendable {
  enum End: Sendable, Equatable {
    case stopped
    case finished(WorkerMachine.Finish)
  }

  let number: Int
  private(set) var settings: WorkerSettings
  let surroundings: Surroundings
  private var machine: WorkerMachine
  private var store: (any Store)?
  private var decoder: PayloadDecoder?
  private var catalogueGeneration = 0
  private var cursor: UUID?
  private var upkeep = Upkeep()
  private var intakePause: IntakePause?
  private var report: ProgressReport

  init(
    number: Int, settings: WorkerSettings, surroundings: Surroundings,
    jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
  ) {
    self.number = number
    self.settings = settings
    self.surroundings = surroundings
    machine = WorkerMachine(
      purpose: settings.purpose, batchPayloads: settings.batchPayloads, derivationDays: settings.derivationLimit,
      pollInterval: settings.pollInterval, jitter: jitter)
    report = ProgressReport(worker: number, journal: surroundings.journal)
  }

  /// Works until its purpose is fulfilled or somebody asks to stop; the batch in hand is finished or rolled back first.
  mutating func run() async -> End {
    var action = machine.start
    var end = End.stopped
    while end == .stopped {
      // Before the question whether to stop: what has ended by itself says so also when somebody asks just then.
      if case .finish(let finish) = action { end = .finished(finish) }
      guard end == .stopped, !surroundings.stop.isRequested else { break }
      action = machine.next(after: await perform(action))
    }
    await close()
    report.flush()
    surroundings.pulse.expect(number, within: nil)
    surroundings.board.set(number, .ended)
    return end
  }

  private mutating func perform(_ action: WorkerMachine.Action) async -> WorkerMachine.Event {
    do throws(StoreError) {
      switch action {
      case .connect:
        try await connect()
        return .connected
      case .ingest(let payloads): return .ingested(try await ingest(payloads))
      case .derive(let days): return .derived(try await derive(days))
      case .wait:
        try await wait()
        return .rested
      case .pause(let pause):
        await rest(pause)
        return .rested
      case .finish: return .rested
      }
    } catch {
      surroundings.instruments.failed(error)
      return .failed(error)
    }
  }

  private mutating func connect() async throws(StoreError) {
    surroundings.pulse.expect(number, within: nil)
    await close()
    if !report.isInTrouble { surroundings.board.set(number, .connecting) }
    let store = try await surroundings.opener.open()
    self.store = store
    surroundings.pulse.expect(number, within: settings.stepDeadline)
    if case .newerCompatible(let sentence) = try await store.checkSchema() {
      surroundings.journal.log(.warning, sentence, ["worker": .count(number)])
    }
    try await noteDeaths(store)
    try await readCatalogue(from: store)
    if settings.purpose == .serve { try await listen(to: store) }
    surroundings.instruments.connected(number)
  }

  /// Polling finds everything; being called only makes it sooner.
  private func listen(to store: any Store) async throws(StoreError) {
    do throws(StoreError) {
      try await store.listen()
    } catch {
      guard !error.isConnectionLost else { throw error }
      surroundings.journal.log(
        .warning, "producers cannot wake this worker; it looks at the queue once in each poll interval",
        ["worker": .count(number), "error": .text(error.message)])
    }
  }

  /// A payload that killed the last process must not be taken like any other by this one.
  private func noteDeaths(_ store: any Store) async throws(StoreError) {
    guard settings.purpose != .recheck else { return }
    let report = try await store.noteDeaths(asOf: surroundings.now())
    surroundings.instruments.found(report)
    if report.suspects > 0 {
      surroundings.journal.log(
        .warning, "a process or connection died with payloads in hand; they are taken apart from the others",
        ["payloads": .count(report.suspects)])
    }
    if report.crashed > 0 {
      surroundings.journal.log(
        .error, "payloads that killed their process went to the dead letters", ["count": .count(report.crashed)])
    }
  }

  private mutating func readCatalogue(from store: any Store) async throws(StoreError) {
    // Remembered before it is read: a request that comes meanwhile is not lost.
    let generation = surroundings.reload.generation
    if let fresh = surroundings.freshSettings?() {
      settings = fresh
      machine.adopt(batchPayloads: fresh.batchPayloads, pollInterval: fresh.pollInterval)
    }
    decoder = PayloadDecoder(
      catalogue: try await store.loadCatalogue(), limits: settings.decoderLimits,
      translator: surroundings.translator)
    catalogueGeneration = generation
  }

  private mutating func ingest(_ payloads: Int) async throws(StoreError) -> BatchReport {
    let store = try openStore()
    surroundings.pulse.expect(number, within: settings.stepDeadline)
    if catalogueGeneration != surroundings.reload.generation {
      try await readCatalogue(from: store)
      surroundings.journal.log(.info, "read the catalogue again", ["worker": .count(number)])
    }
    guard let decoder else { throw Worker.notConnected }
    report.begin()
    surroundings.instruments.limited(number, to: payloads)
    let began = ContinuousClock.now
    let limits = BatchLimits(payloads: payloads, massDeletion: settings.massDeletion)
    let batch: BatchReport
    do throws(StoreError) {
      batch = try await store.ingestBatch(decoder: decoder, limits: limits, cursor: &cursor, asOf: surroundings.now())
    } catch {
      report.tookTooLong(error.loneTimeout, isParked: false)
      throw error
    }
    surroundings.instruments.ingested(batch, took: ContinuousClock.now - began, at: WallClock.now())
    report.tookTooLong(batch.loneTimeout, isParked: true)
    note(batch.pause)
    var tally = Tally()
    tally.add(batch)
    succeeded(tally)
    return batch
  }

  private mutating func derive(_ days: Int) async throws(StoreError) -> Int {
    let store = try openStore()
    surroundings.pulse.expect(number, within: settings.stepDeadline)
    guard let decoder else { throw Worker.notConnected }
    try await noteDeaths(store)
    report.begin()
    _ = try await store.giveUpExpiredLoads(
      decoder: decoder, massDeletion: settings.massDeletion, asOf: surroundings.now())
    let began = ContinuousClock.now
    // A drain derives what payloads made due; what the passing of time makes due is the business of recheck.
    let count = try await store.deriveDue(
      limit: days, asOf: surroundings.now(), includeScheduled: settings.purpose != .drain)
    surroundings.instruments.rechecked(count, took: ContinuousClock.now - began)
    var tally = Tally()
    tally.derivedDays = count
    succeeded(tally)
    return max(count, settings.purpose == .drain ? 0 : await upkeep.keepUp(store, surroundings))
  }

  private mutating func succeeded(_ tally: Tally) {
    surroundings.board.add(tally)
    if let intakePause {
      surroundings.board.set(number, .halted(intakePause.because))
    } else if tally != Tally() {
      surroundings.board.set(number, .working)
    }
    report.succeeded(tally, endsTrouble: machine.endsTrouble)
  }

  /// Somebody stopped the intake, or let it go on: that is worth one line of the whole process.
  private mutating func note(_ pause: IntakePause?) {
    guard pause != intakePause else { return }
    intakePause = pause
    guard surroundings.board.isNews(pause) else { return }
    if let pause {
      surroundings.journal.log(
        .warning, "intake is paused; re-checks go on",
        ["since": .text(pause.since.description), "because": .text(pause.because)])
    } else {
      surroundings.journal.log(.notice, "intake goes on")
    }
  }

  private mutating func wait() async throws(StoreError) {
    let store = try openStore()
    report.flush()
    await upkeep.prepareMonths(store, surroundings)
    surroundings.board.set(number, intakePause.map { .halted($0.because) } ?? .idle)
    let timeout = settings.pollInterval
    surroundings.pulse.expect(number, within: timeout + settings.stepDeadline)
    let outcome: Result<Bool, StoreError>? = await surroundings.stop.interrupt {
      await withTaskCancellationHandler {
        do throws(StoreError) {
          return .success(try await store.waitForNotification(timeout: timeout))
        } catch {
          return .failure(error)
        }
      } onCancel: {
        store.wake()
      }
    }
    if case .failure(let failure) = outcome { throw failure }
  }

  private mutating func rest(_ pause: WorkerMachine.Pause) async {
    surroundings.pulse.expect(number, within: nil)
    if pause.closesConnection { await close() }
    if pause.failure == nil, pause.attempt >= Worker.patience {
      surroundings.board.set(number, .held)
      if pause.attempt == Worker.patience {
        surroundings.journal.log(
          .notice, "the payloads that are left belong to people whom other sessions hold: pg_locks, classid 4711",
          ["worker": .count(number)])
      }
    }
    // Of a payload that took too long alone all has been said.
    if let failure = pause.failure, failure.loneTimeout == nil {
      report.failed(failure, pause)
      switch pause.reaction {
      case .reconnect: surroundings.board.set(number, .unreachable(attempt: pause.attempt, failure.message))
      case .pause, .refuse: surroundings.board.set(number, .paused(failure.message))
      case .retry, .shrink: break
      }
    }
    await surroundings.rest(pause.duration)
  }

  /// Looks in vain at what others hold before it is worth a line: about two seconds, longer than a history takes.
  private static let patience = 40
  private static let notConnected = StoreError(
    .unavailable, "there is no connection to the database; a new one is made")

  private func openStore() throws(StoreError) -> any Store {
    guard let store else { throw Worker.notConnected }
    return store
  }

  private mutating func close() async {
    let old = store
    store = nil
    surroundings.instruments.disconnected(number)
    await old?.close()
  }
}
