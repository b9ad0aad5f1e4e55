internal import CLibPQ
internal import Glibc
internal import Synchronization

/// One `PGconn`, spoken to without blocking so that a deadline can end every wait.
///
/// Unchecked: the handle is touched on the thread of its connection alone, except by `deinit`, when nobody else is left.
final class Session: @unchecked Sendable {
  let processID: Int32
  let serverVersion: Int32
  let canceller: Canceller?
  private let notices: NoticeReceiver
  private let alive = Atomic(true)
  private var handle: OpaquePointer?

  /// Takes over an established connection.
  init(_ handle: OpaquePointer, notices: NoticeReceiver) {
    self.handle = handle
    self.notices = notices
    processID = PQbackendPID(handle)
    serverVersion = PQserverVersion(handle)
    canceller = Canceller(handle)
    PQsetnonblocking(handle, 1)
    notices.attach(to: handle)
  }

  deinit {
    PQfinish(handle)
  }

  /// Whether there is a connection, as far as is known without asking the server.
  var isOpen: Bool {
    alive.load(ordering: .acquiring)
  }

  /// Ends the connection; the server rolls back what was not committed. Doing it twice is harmless.
  func close() {
    alive.store(false, ordering: .releasing)
    PQfinish(handle)
    handle = nil
  }

  /// The handle, or an error if there is none any more.
  func open() throws(PostgresError) -> OpaquePointer {
    guard let handle else { throw PostgresError(.connectionLost, "the connection is closed") }
    return handle
  }

  /// Sends by `send`, which returns 0 for failure as libpq does, and waits for all results up to `deadline`.
  ///
  /// - Parameter isScript: whether an error says which statement of several it was.
  func run(
    _ sql: String, isScript: Bool = false, until deadline: Deadline, _ send: (OpaquePointer) -> Int32
  ) throws(PostgresError) -> [ServerResult] {
    let handle = try open()
    guard send(handle) == 1 else { throw refusal() }
    try flush(until: deadline)
    // The server counts from when it has the statement, and is to give up first; what it took to send must not eat that.
    return try results(of: sql, isScript: isScript, until: deadline.again())
  }

  /// Waits until everything that libpq holds back has been sent.
  func flush(until deadline: Deadline) throws(PostgresError) {
    let handle = try open()
    // Answers are taken in meanwhile: a server that cannot get rid of them would stop reading.
    while PQflush(handle) == 1 {
      try wait(for: [.read, .write], until: deadline)
      PQconsumeInput(handle)
    }
  }

  /// Collects results until there are no more, and throws the first error among them.
  func results(
    of sql: String, isScript: Bool = false, until deadline: Deadline
  ) throws(PostgresError) -> [ServerResult] {
    let handle = try open()
    var results: [ServerResult] = []
    while let result = try next(handle, until: deadline) {
      results.append(result)
      if result.isCopy { return results }
    }
    guard let failed = results.firstIndex(where: { !$0.isSuccess }) else {
      if PQstatus(handle) == CONNECTION_BAD { throw lost() }
      return results
    }
    var error = error(in: results[failed], of: sql)
    if isScript { error.statement = failed + 1 }
    throw error
  }

  /// The error in a failed result. A connection that is gone is closed.
  func error(in result: ServerResult, of sql: String) -> PostgresError {
    var error = PostgresError(
      result: result.pointer, sql: sql, isConnected: PQstatus(handle) == CONNECTION_OK)
    if error.kind == .connectionLost {
      if error.sqlState == nil { error.sqlState = notices.announcedEnd }
      close()
    }
    return error
  }

  /// The next result of the running statement; nil behind its last one.
  func next(_ handle: OpaquePointer, until deadline: Deadline) throws(PostgresError) -> ServerResult? {
    while PQisBusy(handle) == 1 {
      try wait(for: .read, until: deadline)
      // A failure shows in the result that follows, which may carry the server's last words.
      if PQconsumeInput(handle) == 0 { break }
    }
    return PQgetResult(handle).map(ServerResult.init)
  }

  /// The error behind a call that libpq refused to make.
  func refusal() -> PostgresError {
    guard let handle, PQstatus(handle) == CONNECTION_OK else { return lost() }
    let error = PostgresError(lost: handle)
    return PostgresError(.usage, error.message)
  }

  /// A COPY that nobody feeds would block the connection for ever.
  func refusedCopy() -> PostgresError {
    close()
    return PostgresError(.usage, "COPY runs through copyIn only; the connection is closed")
  }

  /// Closes what is gone and says so.
  func lost() -> PostgresError {
    var error = PostgresError(lost: handle)
    error.sqlState = notices.announcedEnd
    close()
    return error
  }

  /// Gives up a server that does not answer: the statement is cancelled if the server still hears us.
  func abandon() -> PostgresError {
    canceller?.send()
    close()
    return PostgresError(.deadlineExceeded, "the server did not answer in time; the connection is closed")
  }
}

extension Session {
  /// What to wait for on a socket.
  struct Events: OptionSet {
    let rawValue: Int16
    static let read = Events(rawValue: Int16(POLLIN))
    static let write = Events(rawValue: Int16(POLLOUT))
  }

  /// Waits for the socket, at most until `deadline`; passing it ends the connection.
  func wait(for events: Events, until deadline: Deadline) throws(PostgresError) {
    let socket = PQsocket(try open())
    var descriptors = [pollfd(fd: socket, events: events.rawValue, revents: 0)]
    guard try poll(&descriptors, until: deadline) else { throw abandon() }
  }

  /// Waits for any of `descriptors`; false when `deadline` has passed.
  ///
  /// The corresponding C function is `poll`.
  func poll(_ descriptors: inout [pollfd], until deadline: Deadline) throws(PostgresError) -> Bool {
    while true {
      let count = Glibc.poll(&descriptors, nfds_t(descriptors.count), deadline.milliseconds)
      if count > 0 { return true }
      if count < 0 && errno != EINTR { throw lost() }
      if deadline.hasPassed { return false }
    }
  }
}
