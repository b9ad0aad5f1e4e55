internal import CLibPQ

/// One connection to Postgres, with a thread of its own.
///
/// Calls run one after the other in the order of their arrival, and each of them waits on that thread, never on Swift's
/// cooperative pool. A transaction is a matter of statements (`BEGIN`, `COMMIT`): a connection has one user at a time.
/// A lost connection stays lost; make a new one.
public actor Connection {
  private let thread: ConnectionThread
  let session: Session
  let wakeUp: WakeUp
  let defaultDeadline: Duration?
  private var prepared: [StatementKey: String] = [:]
  private var statementCount = 0

  /// Runs the actor's code on the connection's own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  /// Connects to the first host that answers.
  ///
  /// - Parameters:
  ///   - options: where to, and how long to wait.
  ///   - notices: receives the server's notices, on the connection's thread; by default they are dropped.
  /// - Throws: `connectionLost` if nobody answers or the server refuses, with libpq's reason and mostly without
  ///   SQLSTATE; `usage` if the connection string cannot be read.
  public static func connect(
    _ options: ConnectionOptions = ConnectionOptions(),
    notices: @escaping @Sendable (Notice) -> Void = { _ in }
  ) async throws(PostgresError) -> Connection {
    let thread = ConnectionThread()
    let wakeUp = try WakeUp()
    let session = try await thread.perform { Session.connect(options, notices: notices) }
    return Connection(thread, session, wakeUp, options.deadline)
  }

  private init(_ thread: ConnectionThread, _ session: Session, _ wakeUp: WakeUp, _ deadline: Duration?) {
    self.thread = thread
    self.session = session
    self.wakeUp = wakeUp
    self.defaultDeadline = deadline
  }

  /// Whether the connection is there, as far as is known without asking the server.
  public nonisolated var isOpen: Bool {
    session.isOpen
  }

  /// The version of the server, such as 150018 for 15.18.
  public nonisolated var serverVersion: Int {
    Int(session.serverVersion)
  }

  /// The process that serves this connection, as in `pg_stat_activity`.
  public nonisolated var backendPID: Int {
    Int(session.processID)
  }

  /// What the server reports of itself, such as `in_hot_standby`; nil if it reports no such thing.
  ///
  /// The corresponding C function is `PQparameterStatus`.
  public func parameterStatus(_ name: String) throws(PostgresError) -> String? {
    PQparameterStatus(try session.open(), name).map { String(cString: $0) }
  }

  /// Whether a transaction block is open, also if an error has already spoilt it.
  ///
  /// The corresponding C function is `PQtransactionStatus`.
  public func isInTransaction() throws(PostgresError) -> Bool {
    [PQTRANS_INTRANS, PQTRANS_INERROR].contains(PQtransactionStatus(try session.open()))
  }

  /// Runs one statement and returns its rows. One round trip; two the first time a statement is seen.
  ///
  /// - Parameters:
  ///   - sql: one statement. It is prepared, and kept by its text.
  ///   - parameters: the values of `$1`, `$2`, ...
  ///   - deadline: the longest wait for the server to take the statement, and again for its answer; nil for that of the
  ///     connection's options.
  /// - Throws: also when the connection is closed. No rows are no error.
  @discardableResult
  public nonisolated func execute(
    _ sql: String, _ parameters: consuming [Parameter] = [], deadline: Duration? = nil
  ) async throws(PostgresError) -> Rows {
    // Encoded where the parameters were made, by the same thread: memory that it gets back there serves again.
    let statement = EncodedStatement(sql, try ParameterEncoder(parameters))
    return try await execute(statement, deadline: deadline)
  }

  private func execute(_ statement: EncodedStatement, deadline: Duration?) throws(PostgresError) -> Rows {
    let deadline = Deadline(deadline ?? defaultDeadline)
    do {
      return try send(statement, until: deadline)
    } catch {
      // The statement was deallocated, or a table behind it has changed since it was prepared. In a transaction the
      // error has spoilt all of it, and the caller has to begin again.
      guard error.hasState("26") || error.hasState("0A") else { throw error }
      forget(statement)
      guard try !isInTransaction() else { throw error }
      return try send(statement, until: deadline)
    }
  }

  /// Runs several statements without parameters, in one implicit transaction unless they say otherwise.
  ///
  /// - Throws: the first error, with the line of the script where the server knows it, and the statement's number.
  public func script(_ sql: String, deadline: Duration? = nil) throws(PostgresError) {
    try Self.checkText(sql)
    let results = try session.run(sql, isScript: true, until: Deadline(deadline ?? defaultDeadline)) {
      PQsendQuery($0, sql)
    }
    try refuseCopy(results)
  }

  /// Asks the server to give up the running statement, which then fails with SQLSTATE 57014. Returns at once.
  ///
  /// A request that comes late hits the statement that runs then, or nothing.
  public nonisolated func cancel() {
    session.canceller?.send()
  }

  /// Ends the connection once the running statement is done. The server rolls back what was not committed.
  public func close() {
    session.close()
  }

  private func send(_ statement: EncodedStatement, until deadline: Deadline) throws(PostgresError) -> Rows {
    let name = try prepare(statement, until: deadline)
    let results = try session.run(statement.sql, until: deadline) { Self.send(statement, as: name, $0) }
    try refuseCopy(results)
    guard let result = results.last else { throw PostgresError(.usage, "the statement has no result") }
    return Rows(result)
  }

  /// Hands a statement over to libpq, by its name if it is prepared.
  ///
  /// The corresponding C functions are `PQsendQueryPrepared` and `PQsendQueryParams`.
  static func send(_ statement: EncodedStatement, as name: String?, _ handle: OpaquePointer) -> Int32 {
    let (sql, values) = (statement.sql, statement.values)
    return values.withPointers { pointers, lengths, formats in
      let count = Int32(pointers.count)
      guard let name else {
        return PQsendQueryParams(handle, sql, count, values.types, pointers, lengths, formats, 0)
      }
      return PQsendQueryPrepared(handle, name, count, pointers, lengths, formats, 0)
    }
  }

  /// Has the statement prepared again when it is sent next.
  func forget(_ statement: EncodedStatement) {
    prepared[StatementKey(statement.sql, statement.values.types)] = nil
  }

  /// The name under which the statement is prepared; nil if there are too many, and it is to be sent as it is.
  func prepare(_ statement: EncodedStatement, until deadline: Deadline) throws(PostgresError) -> String? {
    let (sql, values) = (statement.sql, statement.values)
    let key = StatementKey(sql, values.types)
    if let name = prepared[key] { return name }
    try Self.checkText(sql)
    guard prepared.count < 256 else { return nil }
    statementCount += 1
    let name = "s\(statementCount)"
    _ = try session.run(sql, until: deadline) {
      PQsendPrepare($0, name, sql, Int32(values.types.count), values.types)
    }
    prepared[key] = name
    return name
  }

  private func refuseCopy(_ results: [ServerResult]) throws(PostgresError) {
    if results.contains(where: \.isCopy) { throw session.refusedCopy() }
  }

  /// libpq takes text up to its first NUL.
  static func checkText(_ sql: String) throws(PostgresError) {
    if sql.utf8.contains(0) { throw PostgresError(.usage, "the statement holds a NUL character") }
  }
}

/// What makes a prepared statement the same: its text and the types of its parameters.
private struct StatementKey: Hashable {
  let sql: String
  let types: [Oid]

  init(_ sql: String, _ types: [Oid]) {
    self.sql = sql
    self.types = types
  }
}
