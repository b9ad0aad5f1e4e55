public import Postgres

/// Why the database could not do what was asked. It can be logged as it is: it never holds a health value.
public struct StoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Whose fault it is, and with it what to do.
  public enum Kind: Sendable, Hashable {
    /// The database cannot be reached, or was lost: connect again.
    case unavailable
    /// A deadlock, a lock or a time-out: the same work may succeed when it is tried again.
    case transient
    /// The schema is not the one that this build works with: run `dailymetricd migrate`, or another build.
    case schema
    /// The data was refused (SQLSTATE 22, 23 or 54000): the same data will be refused again.
    case data
    /// The server cannot work: a missing permission, a full disk, a fault of ours. Nothing is wrong with the data.
    case systemic
    /// What was asked for makes no sense.
    case usage
  }

  /// Whose fault it is.
  public let kind: Kind
  /// What happened, where, and what to do.
  public let message: String
  /// The five characters of SQLSTATE; nil if the server did not say or was not reached.
  public let sqlState: String?
  /// Whether the connection ended and nobody said why: not the server, and not this side either, which gives up one that is
  /// silent. So ends the connection of a server process that crashes.
  let endedWithoutAWord: Bool
  /// The payload that took too long, if it was alone and that was noted; nil: something else happened.
  public let loneTimeout: LoneTimeout?

  /// An error of this process's own making.
  public init(_ kind: Kind, _ message: String, sqlState: String? = nil, isTimeout: Bool = false) {
    self.init(kind, message, sqlState: sqlState, isTimeout: isTimeout, endedWithoutAWord: false)
  }

  /// The same error, met by one payload alone.
  public init(_ error: StoreError, of timeout: LoneTimeout?) {
    self.init(
      error.kind, error.message, sqlState: error.sqlState, isTimeout: error.isTimeout,
      endedWithoutAWord: error.endedWithoutAWord, loneTimeout: timeout)
  }

  private init(
    _ kind: Kind, _ message: String, sqlState: String?, isTimeout: Bool, endedWithoutAWord: Bool,
    loneTimeout: LoneTimeout? = nil, wasCancelled: Bool = false
  ) {
    self.kind = kind
    self.message = message
    self.sqlState = sqlState
    self.isTimeout = isTimeout || (sqlState == "57014" && !wasCancelled)
    self.endedWithoutAWord = endedWithoutAWord
    self.loneTimeout = loneTimeout
  }

  /// What an error of the connection means for the store.
  ///
  /// - Parameter isEarly: whether it came before the server's own time limit. A statement that is cancelled then was cancelled
  ///   by somebody: the same SQLSTATE, but it says nothing about what the statement had to do.
  public init(_ error: PostgresError, while doing: String, isEarly: Bool = false) {
    let kind = Self.kind(of: error)
    let advice = kind == .schema ? ". Has dailymetricd migrate been run on this database?" : ""
    self.init(
      kind, "\(doing): \(error.description)\(advice)", sqlState: error.sqlState,
      isTimeout: error.kind == .deadlineExceeded,
      endedWithoutAWord: error.kind == .connectionLost && error.sqlState == nil,
      wasCancelled: isEarly && error.hasState("57014"))
  }

  /// What an error of one of several statements means that were sent together.
  ///
  /// - Parameter doing: what each of them does.
  init(_ error: PostgresError, whileOneOf doing: [String], isEarly: Bool) {
    var error = error
    // An error without a number is about the connection: then all of them were being done, and the last one was waited for.
    let index = error.statement.map { $0 - 1 } ?? doing.count - 1
    error.statement = nil
    self.init(error, while: doing[index], isEarly: isEarly)
  }

  /// Whether the same work may succeed when it is tried again on the same connection.
  public var isRetryable: Bool { kind == .transient }

  /// Whether the connection is of no use any more.
  public var isConnectionLost: Bool { kind == .unavailable }

  /// Whether a smaller batch may succeed: the statement took too long, as the server says or by this side's own clock.
  public let isTimeout: Bool

  /// The message.
  public var description: String { message }

  private static func kind(of error: PostgresError) -> Kind {
    switch error.kind {
    case .connectionLost, .deadlineExceeded: return .unavailable
    // A text that cannot be sent is refused on this side with the state that the server would give.
    case .usage, .decoding: return error.hasState("22") ? .data : .systemic
    case .serverError: break
    }
    // A standby keeps the connection open and refuses every write: another host may have become the primary.
    if error.hasState("25006") || error.hasState("57P") || error.hasState("08") { return .unavailable }
    if error.hasState("40") || error.hasState("55P03") || error.hasState("57014") { return .transient }
    // 54000: a row or a key that is larger than the server takes. (54001 is a statement of ours.)
    if error.hasState("22") || error.hasState("23") || error.hasState("54000") { return .data }
    if error.hasState("42P01") || error.hasState("42883") || error.hasState("42703") || error.hasState("3F") {
      return .schema
    }
    return .systemic
  }
}

/// Runs what may fail with the connection's error and says what was being done.
@discardableResult
func storing<Value>(
  _ doing: String, _ body: () async throws(PostgresError) -> Value
) async throws(StoreError) -> Value {
  do throws(PostgresError) {
    return try await body()
  } catch {
    throw StoreError(error, while: doing)
  }
}
