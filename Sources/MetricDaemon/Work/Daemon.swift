public import HealthPayload
public import MetricStore
public import PayloadDecoder

/// Several workers in one process, and what the process owes its service manager.
public struct Daemon: Sendable {
  /// Why it ended.
  public enum End: Sendable, Equatable {
    /// Somebody asked it to, or (drain, recheck) everything is done.
    case done(Tally)
    /// The schema is not the one that this build works with; the text says what to do.
    case refused(String)
    /// The database failed a command that does not wait for it to come back.
    case failed(StoreError, Tally)
    /// Intake is paused, and what was to be done waits for its end.
    case paused(IntakePause, Tally)
  }

  private let settings: SettingsInForce
  private let opener: any StoreOpener
  private let journal: Journal
  private let serviceManager: ServiceManager
  private let stop: StopRequest
  private let reload: ReloadRequest
  private let instruments: Instruments
  private let translator: (any PayloadTranslator)?

  /// A daemon that does nothing yet. What it does it will write into `instruments`; `translator` knows the formats besides
  /// our own.
  public init(
    settings: SettingsInForce, opener: any StoreOpener, journal: Journal, serviceManager: ServiceManager,
    stop: StopRequest, reload: ReloadRequest, instruments: Instruments = Instruments(),
    translator: (any PayloadTranslator)? = nil
  ) {
    self.settings = settings
    self.opener = opener
    self.journal = journal
    self.serviceManager = serviceManager
    self.stop = stop
    self.reload = reload
    self.instruments = instruments
    self.translator = translator
  }

  /// Merges what arrives until `stop`. Ready as soon as it runs: a database that is down is waited for, not died of.
  public func serve() async -> End {
    reload.observe { readSettingsAgain() }
    let delivery = serviceManager.notify(.ready, .status("waiting for the database"))
    if case .failed(let number) = delivery {
      journal.log(.warning, "the socket in NOTIFY_SOCKET takes no messages", ["errno": .count(Int(number))])
    }
    let attendant = Task { await attend(instruments.pulse) }
    let end = await work(.serve, now: WallClock.now)
    attendant.cancel()
    await attendant.value
    return end
  }

  /// Merges what is queued and derives what that made due, taking `asOf` (nil: the clock) for now.
  public func drain(asOf: Instant?) async -> End {
    await work(.drain) { asOf ?? WallClock.now() }
  }

  /// Derives what is due by `asOf` (nil: the clock).
  public func recheck(asOf: Instant?) async -> End {
    await work(.recheck) { asOf ?? WallClock.now() }
  }

  private func work(_ purpose: Purpose, now: @escaping @Sendable () -> Instant) async -> End {
    let manager = serviceManager
    let stop = stop
    let surroundings = Surroundings(
      opener: opener, stop: stop, reload: reload, pulse: instruments.pulse,
      board: StatusBoard(instruments) { manager.notify(.status($0)) }, journal: journal, now: now,
      rest: { await stop.sleep(for: $0) },
      freshSettings: { [settings] in settings.current.workerSettings(purpose) }, instruments: instruments,
      translator: translator)
    let configuration = settings.current
    let own = configuration.workerSettings(purpose)
    let end = await work(configuration.workers, own, surroundings)
    // Whom one worker passed over because another one had them in hand for a moment, one who works alone does not.
    guard purpose == .recheck, configuration.workers > 1, case .done = end, !stop.isRequested else { return end }
    return await work(1, own, surroundings)
  }

  private func work(_ workers: Int, _ settings: WorkerSettings, _ surroundings: Surroundings) async -> End {
    await withTaskGroup(of: Worker.End.self) { group in
      for number in 1...workers {
        group.addTask {
          var worker = Worker(number: number, settings: settings, surroundings: surroundings)
          return await worker.run()
        }
      }
      return await collect(group, surroundings.board)
    }
  }

  private func collect(_ group: TaskGroup<Worker.End>, _ board: StatusBoard) async -> End {
    var refusal: StoreError?
    var failure: StoreError?
    var pause: IntakePause?
    for await end in group {
      switch end {
      case .finished(.refused(let reason)):
        refusal = reason
        // The others would find the same schema.
        stop.request()
      case .finished(.failed(let reason)): failure = failure ?? reason
      case .finished(.paused(let reason)): pause = pause ?? reason
      case .finished(.done), .stopped: break
      }
    }
    if let refusal { return .refused(refusal.message) }
    if let failure { return .failed(failure, board.tally) }
    if let pause { return .paused(pause, board.tally) }
    return .done(board.tally)
  }

  /// Settings that cannot be used leave the old ones in force: a slip in a file must not end a service that works.
  private func readSettingsAgain() {
    serviceManager.notify(.reloading)
    do throws(SettingError) {
      let change = try settings.reload()
      journal.keep(settings.current.logLevel)
      journal.log(.notice, "read the settings again", ["changed": .text(change.applied.joined(separator: ","))])
      if !change.waiting.isEmpty {
        journal.log(
          .warning, "some settings were changed that hold from the next start on",
          ["settings": .text(change.waiting.joined(separator: ","))])
      }
    } catch {
      journal.log(.error, "the settings cannot be used; the old ones stay in force", ["error": .text(error.message)])
    }
    serviceManager.notify(.ready)
  }

  /// Tells the service manager that the process is alive, and that it is ending.
  private func attend(_ pulse: Pulse) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await stop.wait()
        guard stop.isRequested else { return }
        instruments.stopping()
        serviceManager.notify(.stopping, .status("finishing the batches in hand"))
        journal.log(.info, "finishing the batches in hand; a second signal ends the process at once")
      }
      if let period = serviceManager.watchdogPeriod {
        group.addTask { await feedWatchdog(every: period / 3, pulse) }
      }
    }
  }

  /// A worker that hangs stops the messages, and systemd restarts the service.
  private func feedWatchdog(every interval: Duration, _ pulse: Pulse) async {
    var hanging: [Int] = []
    while !Task.isCancelled {
      let overdue = pulse.overdue()
      if overdue.isEmpty {
        serviceManager.notify(.watchdog)
      } else if overdue != hanging {
        let list = overdue.map(String.init).joined(separator: ",")
        journal.log(
          .error, "workers hang in a step; the watchdog is no longer told that all is well", ["workers": .text(list)])
      }
      hanging = overdue
      do { try await Task.sleep(for: interval) } catch { return }
    }
  }
}
