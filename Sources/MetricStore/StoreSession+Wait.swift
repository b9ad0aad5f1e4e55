internal import Postgres

// While one session of a database waits and holds the gate, producers notify; else they do not, which keeps them fast. All
// sessions that wait are called. Who holds the gate goes at once; the others look a moment later whether anything is left.
extension StoreSession {
  /// Subscribes to the producers' notifications.
  public func listen() async throws(StoreError) {
    try await run(Statements.listen, [], "listening for new payloads")
  }

  /// Waits until something is enqueued, `wake()` is called, or the time is over.
  ///
  /// - Returns: whether there was a call or there is work. Polling is the truth: look at the queue in any case.
  public func waitForNotification(timeout: Duration) async throws(StoreError) -> Bool {
    let end = ContinuousClock.now.advanced(by: timeout)
    var wasCalled = false
    var pause = Self.firstLook
    while true {
      switch try await closeGate(wasCalled: wasCalled) {
      case .work: return true
      case .paused: return try await waitForCall(until: end) == .notification
      case .closed:
        let call = try await waitForCall(until: end)
        // With the next statement, which is the claim.
        runLater(Statements.openGate, [], "opening the gate")
        return call == .notification
      case .closedByOther:
        guard try await waitForCall(until: end) == .notification else { return false }
        pause = Self.courtesy
      case .inUse: break
      }
      wasCalled = true
      switch try await waitForCall(until: min(end, ContinuousClock.now.advanced(by: pause))) {
      // A second call means more work.
      case .notification: return true
      case .wake: return false
      case .timeout: if ContinuousClock.now >= end { return false }
      }
      pause = min(pause * 2, Self.longestPause)
    }
  }

  /// Ends the wait for a notification; may be called from anywhere.
  public func wake() {
    connection.wake()
  }

  /// How long those who do not hold the gate leave a call to who holds it: a sync alone takes less, and nobody has to wait
  /// much longer for a second session if the first one is held up.
  private static let courtesy = Duration.milliseconds(10)
  /// Between looks at a gate that a producer's transaction keeps open: most last for one commit, a few for minutes.
  private static let firstLook = Duration.milliseconds(1)
  private static let longestPause = Duration.milliseconds(100)

  private enum Gate {
    /// There is something to do.
    case work
    /// Producers notify, and this session is the one who opens it.
    case closed
    /// Producers notify because of another session.
    case closedByOther
    /// A producer has passed it and not committed yet: that will not be announced.
    case inUse
    /// It stays open. The end of the intake's pause is announced in any case.
    case paused
  }

  /// Tries to close the gate, and looks whether something was enqueued while it was open.
  ///
  /// - Parameter wasCalled: whether to see to what is left also if another session holds the gate.
  private func closeGate(wasCalled: Bool) async throws(StoreError) -> Gate {
    let doing = "closing the gate"
    let rows = try await run(Statements.closeGate, [], doing)
    let (isClosed, isInUse) = try await storing(doing) { () throws(PostgresError) in
      let row = try rows.one()
      return (try row.bool("is_closed"), try row.bool("is_in_use"))
    }
    let state = try await queueState()
    if isClosed, state.hasWork || state.pause != nil {
      try await run(Statements.openGate, [], "opening the gate")
    }
    guard state.pause == nil else { return .paused }
    // What was enqueued while the gate was open was not announced.
    if state.hasWork, isClosed || isInUse || wasCalled { return .work }
    return isClosed ? .closed : isInUse ? .inUse : .closedByOther
  }

  private func waitForCall(until end: ContinuousClock.Instant) async throws(StoreError) -> Connection.Call {
    try await storing("waiting for new payloads") { () async throws(PostgresError) in
      try await connection.waitForCall(timeout: ContinuousClock.now.duration(to: end))
    }
  }
}
