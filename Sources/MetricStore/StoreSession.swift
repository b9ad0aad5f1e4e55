internal import FoundationEssentials
public import HealthPayload
public import PayloadDecoder
public import Postgres

/// One connection's view of the database: the queue, the evidence, and what is known.
///
/// Calls run one after the other. A session that has lost its connection stays lost; open another one.
public final class StoreSession: Sendable {
  let connection: Connection
  /// Where its batches are written down; nil: nowhere.
  let hand: Hand?
  /// After how long the server ends a statement.
  let serverLimit: Duration
  /// What is sent with the next statement whose answer is needed.
  let outbox = Outbox()

  init(connection: Connection, serverLimit: Duration, hand: Hand? = nil) {
    self.connection = connection
    self.serverLimit = serverLimit
    self.hand = hand
  }

  /// Connects and prepares the session. Nothing is written.
  ///
  /// - Parameter notices: receives what the server says beside its results.
  /// - Throws: `unavailable` if no server answers, `usage` if the connection string cannot be read.
  public static func open(
    _ options: ConnectionOptions, notices: @escaping @Sendable (Notice) -> Void = { _ in }
  ) async throws(StoreError) -> StoreSession {
    let connection: Connection
    do {
      connection = try await Connection.connect(options, notices: notices)
    } catch {
      // Waiting does not mend a connection string that cannot be read.
      guard error.kind == .usage else { throw StoreError(error, while: "connecting to the database") }
      throw StoreError(.usage, error.message)
    }
    // The server gives up first, so that the connection stays and a smaller batch can be tried.
    let limit = max(1, Int((options.deadline.map { $0 * 0.9 } ?? .seconds(60)) / .milliseconds(1)))
    let session = StoreSession(connection: connection, serverLimit: .milliseconds(limit))
    _ = try await session.run(Statements.prepareSession, [.text("\(limit)ms")], "preparing the session")
    return session
  }

  /// Whether the connection is there, as far as is known without asking.
  public var isOpen: Bool { connection.isOpen }

  /// Ends the session; the server rolls back what was not committed.
  public func close() async {
    if let hand { await hand.journal.leave(hand, isConnected: isOpen) }
    await connection.close()
  }

  /// The metrics, units and platforms that payloads may name, as the database has them.
  ///
  /// Three round trips. - Throws: `schema` if a row cannot be understood.
  public func loadCatalogue() async throws(StoreError) -> Catalogue {
    let doing = "loading the catalogue"
    let metrics = try await run(Statements.metrics, [], doing)
    let units = try await run(Statements.units, [], doing)
    let platforms = try await run(Statements.platforms, [], doing)
    do {
      return try Catalogue(
        metrics: metrics.map { try MetricRow(row: $0) }, units: units.map { try UnitRow(row: $0) },
        platforms: platforms.map { row in
          PlatformRow(
            id: try row.int("platform_id", as: Int16.self), name: try row.text("platform"),
            hidesDenial: try row.bool("hides_denial"), isManual: try row.bool("is_manual"))
        })
    } catch {
      throw StoreError(.schema, "The catalogue tables hold something that this build does not understand: \(error)")
    }
  }

  /// Creates the partitions for the months ahead, if they are missing. Returns how many.
  @discardableResult
  public func ensurePartitions(asOf: Instant) async throws(StoreError) -> Int {
    let rows = try await run(Statements.ensurePartitions, [.timestamp(asOf.microseconds)], "creating partitions")
    return try await storing("creating partitions") { () throws(PostgresError) in try rows.one().int(0) }
  }

  /// Runs one statement, behind those that wait.
  @discardableResult
  func run(_ sql: String, _ parameters: consuming [Parameter], _ doing: String) async throws(StoreError) -> Rows {
    guard !outbox.isEmpty else { return try await runAlone(sql, parameters, doing) }
    outbox.append(Statement(sql, parameters), doing)
    return try await send()
  }

  /// Has a statement wait for the next one whose answer is needed. Its errors are that one's, and name this one.
  func runLater(_ sql: String, _ parameters: consuming [Parameter], _ doing: String) {
    outbox.append(Statement(sql, parameters), doing)
  }

  /// Sends what waits, before what does not travel with it: scripts and COPY.
  func sendWaiting() async throws(StoreError) {
    if !outbox.isEmpty { _ = try await send() }
  }

  private func runAlone(
    _ sql: String, _ parameters: consuming [Parameter], _ doing: String
  ) async throws(StoreError) -> Rows {
    let began = ContinuousClock.now
    do {
      return try await connection.execute(sql, parameters)
    } catch {
      throw StoreError(error, while: doing, isEarly: ContinuousClock.now - began < serverLimit)
    }
  }

  /// Sends all that waits. Returns the rows of the last one.
  private func send() async throws(StoreError) -> Rows {
    let began = ContinuousClock.now
    let (statements, doing) = outbox.take()
    do {
      let rows = try await connection.execute(statements)
      return rows[rows.count - 1]
    } catch {
      // The server's clock begins anew with each of them, ours with the first: what took less in all took less alone.
      throw StoreError(error, whileOneOf: doing, isEarly: ContinuousClock.now - began < serverLimit)
    }
  }

  /// Runs `body` in one transaction; any error rolls it back and is thrown on, and so does a value that is not to be kept.
  func transaction<Value: Sendable>(
    keeping isKept: (Value) -> Bool = { _ in true }, _ body: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    runLater(Statements.begin, [], "beginning a transaction")
    do throws(StoreError) {
      let value = try await body()
      if isKept(value) {
        try await run(Statements.commit, [], "committing")
      } else {
        try await run(Statements.rollback, [], "rolling back")
      }
      return value
    } catch {
      // What waits belongs to the transaction, but for what came before it. One whose beginning waits has not begun.
      guard !outbox.drop(from: Statements.begin) else { throw error }
      // The first error is the one that matters; a connection that cannot roll back is dead and has rolled back by itself.
      if connection.isOpen {
        do throws(StoreError) { try await run(Statements.rollback, [], "rolling back") } catch {
          await connection.close()
        }
      }
      throw error
    }
  }
}

extension MetricRow {
  fileprivate init(row: Row) throws {
    self.init(
      id: try row.int("metric_id", as: Int16.self), name: try row.text("metric"), unit: try row.text("unit"),
      aggregation: try word(row, "aggregation"), zeroPolicy: try word(row, "zero_policy"),
      low: try number(row, "low"), high: try number(row, "high"), needsSource: try row.bool("needs_source"))
  }
}

extension UnitRow {
  fileprivate init(row: Row) throws {
    self.init(
      unit: try row.text("unit"), fromUnit: try row.text("from_unit"), factor: try number(row, "factor"),
      offset: try number(row, "addend"))
  }
}

private func number(_ row: Row, _ column: String) throws -> ExactNumber {
  guard let number = ExactNumber(try row.text(column)) else {
    throw StoreError(.schema, "\(column) is no number that fits")
  }
  return number
}

private func word<Word: RawRepresentable<String>>(_ row: Row, _ column: String) throws -> Word {
  let text = try row.text(column)
  guard let word = Word(rawValue: text) else {
    throw StoreError(.schema, "\(column) is \(text), which this build does not know")
  }
  return word
}
