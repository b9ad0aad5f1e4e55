internal import FoundationEssentials
public import HealthPayload
public import Postgres

/// Remembers what each worker of this process has in hand, where the end of the process cannot undo it.
///
/// A batch is one transaction: if a payload kills the process, the server puts the batch back, and nothing in it says that
/// it was ever taken. So its payloads are written down over a connection of their own and committed before they are decoded.
/// One connection for the whole process, opened when it is needed first.
public actor BatchJournal {
  private let options: ConnectionOptions
  private let process = UUID()
  private var workers = 0
  private var inHand: [Int: Batch] = [:]
  private var losses: [Loss] = []
  private var opening: Task<Result<StoreSession, StoreError>, Never>?

  /// A journal of this process in the database with these options.
  public init(_ options: ConnectionOptions) {
    var options = options
    options.applicationName += " journal"
    self.options = options
  }

  /// A journal of this process in the database at this address.
  public init(_ address: StoreAddress) { self.init(address.options) }

  /// A worker's number in this process.
  func register() -> Int {
    workers += 1
    return workers
  }

  /// Writes down what a worker has in hand, in place of what it had before.
  ///
  /// - Throws: then the batch must not be decoded.
  func note(_ rows: [QueueRow], of hand: Hand, at now: Instant) async throws(StoreError) {
    var batch = Batch(began: now, users: rows.map(\.userID), ids: rows.map { $0.id.map(Int64.init) })
    // Remembered first: whether a note that failed was written is not known.
    inHand[hand.worker] = batch
    try await write(
      Statements.noteBatch,
      [
        .uuid(process), .int(Int64(hand.worker)), .int(Int64(hand.backend)), .timestamp(hand.backendStart),
        .timestamp(now.microseconds), .uuidArray(batch.users), .int8Array(batch.ids),
      ], "writing down the batch in hand")
    batch.isNoted = true
    inHand[hand.worker] = batch
  }

  /// A worker that lives has lost its connection, and with it the batch in hand. Said to the database as soon as there is
  /// a connection.
  func lost(_ hand: Hand, withoutAWord: Bool) {
    guard let batch = inHand.removeValue(forKey: hand.worker) else { return }
    losses.append(Loss(hand: hand, batch: batch, isSuspicious: withoutAWord && batch.isNoted))
  }

  /// A worker ends its session. One that has its connection has nothing in hand.
  func leave(_ hand: Hand, isConnected: Bool) async {
    inHand[hand.worker] = nil
    guard case .success(let session) = await opening?.value, session.isOpen else { return }
    do throws(StoreError) {
      if isConnected {
        try await session.run(
          Statements.forgetBatch, [.uuid(process), .int(Int64(hand.worker))], "clearing the journal of batches")
      } else {
        _ = try await settle(over: session)
      }
    } catch { /* A note that stays names payloads that have left the queue; a loss that stays is settled later. */  }
  }

  /// Says what is known of lost connections. Returns how many payloads are suspects because of it.
  func settle(over session: StoreSession) async throws(StoreError) -> Int {
    var suspects = 0
    while let loss = losses.popLast() {
      do throws(StoreError) {
        let rows = try await session.run(
          Statements.noteLoss,
          [
            .uuid(process), .int(Int64(loss.hand.worker)), .timestamp(loss.hand.backendStart),
            .timestamp(loss.batch.began.microseconds), .uuidArray(loss.batch.users), .int8Array(loss.batch.ids),
            .bool(loss.isSuspicious),
          ], "settling a lost batch")
        suspects += try await storing("settling a lost batch") { () throws(PostgresError) in try rows.one().int(0) }
      } catch {
        losses.append(loss)
        throw error
      }
    }
    return suspects
  }

  private func write(_ sql: String, _ parameters: [Parameter], _ doing: String) async throws(StoreError) {
    do throws(StoreError) {
      try await session().run(sql, parameters, doing)
    } catch {
      // The connection was idle, and its end is noticed only now. One that was silent is not waited for twice.
      guard error.isConnectionLost, error.sqlState != nil || error.endedWithoutAWord else { throw error }
      try await session().run(sql, parameters, doing)
    }
  }

  private func session() async throws(StoreError) -> StoreSession {
    while let latest = opening {
      if case .success(let session) = await latest.value, session.isOpen { return session }
      // Another worker may have opened a new one meanwhile.
      if opening == latest { break }
    }
    let options = options
    let task = Task<Result<StoreSession, StoreError>, Never> {
      do throws(StoreError) {
        let session = try await StoreSession.open(options)
        try await session.run(Statements.commitWithoutWaiting, [], "preparing the journal of batches")
        return .success(session)
      } catch {
        return .failure(error)
      }
    }
    opening = task
    return try await task.value.get()
  }

  /// What a worker has in hand.
  private struct Batch {
    let began: Instant
    let users: [UUID]
    let ids: [Int64?]
    /// Whether it came so far that its payloads could do harm.
    var isNoted = false
  }

  /// A batch whose connection was lost.
  private struct Loss {
    let hand: Hand
    let batch: Batch
    /// Whether its payloads may have crashed the server.
    let isSuspicious: Bool
  }
}

/// A worker's place in the journal.
struct Hand: Sendable {
  let journal: BatchJournal
  let worker: Int
  /// The server process of the worker's connection, and when it began (microseconds since 1970): as long as it is there, the
  /// worker is.
  let backend: Int
  let backendStart: Int64
}

/// What became of payloads that somebody had in hand who is gone.
public struct DeathReport: Sendable, Hashable {
  /// Payloads that are still queued and are taken apart from now on.
  public var suspects = 0
  /// Payloads that have killed too often and were parked.
  public var crashed = 0

  /// Nobody died.
  public init() {}
}

extension StoreSession {
  /// Connects to an address and prepares the session, which writes its batches into a journal.
  public static func open(_ address: StoreAddress, journal: BatchJournal) async throws(StoreError) -> StoreSession {
    try await open(address.options, journal: journal)
  }

  /// Connects and prepares the session, which writes its batches into a journal.
  public static func open(
    _ options: ConnectionOptions, journal: BatchJournal
  ) async throws(StoreError) -> StoreSession {
    let session = try await open(options)
    let doing = "preparing the session"
    let rows = try await session.run(Statements.identify, [], doing)
    let (backend, start) = try await storing(doing) { () throws(PostgresError) in
      let row = try rows.one()
      return (try row.int("pid"), try row.timestamp("backend_start"))
    }
    let hand = Hand(journal: journal, worker: await journal.register(), backend: backend, backendStart: start)
    return StoreSession(connection: session.connection, serverLimit: session.serverLimit, hand: hand)
  }

  /// Looks for workers that died with payloads in hand, of any process: those payloads are taken apart from now on, and
  /// those that killed too often are parked. Before the first batch, or the culprit would be taken like any other.
  public func noteDeaths(asOf: Instant) async throws(StoreError) -> DeathReport {
    var report = DeathReport()
    // Own losses first, or they would be taken for deaths.
    if let hand { report.suspects = try await hand.journal.settle(over: self) }
    let doing = "looking for batches of the dead"
    let rows = try await run(Statements.noteDeaths, [.timestamp(asOf.microseconds)], doing)
    let (suspects, crashed) = try await storing(doing) { () throws(PostgresError) in
      let row = try rows.one()
      return (try row.int("suspects"), try row.int("crashed"))
    }
    report.suspects += suspects
    report.crashed = crashed
    return report
  }
}
