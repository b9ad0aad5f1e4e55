/// What went wrong between this process and the server.
///
/// It can be logged as it is: it never holds the server's DETAIL, and no message of those error classes whose messages
/// quote values (22, 23 and those of foreign code). What it names instead are constraints, tables and columns.
public struct PostgresError: Error, Sendable, Hashable {
  /// Whose fault it is, and whether the connection is still there.
  public enum Kind: Sendable, Hashable {
    /// There is no connection, or there is none any more: connect again. `sqlState` is often nil.
    case connectionLost
    /// The server refused the statement. The connection is usable.
    case serverError
    /// The server did not answer in time. The statement's fate is unknown and the connection is closed.
    case deadlineExceeded
    /// A result is not what the caller asked for, such as NULL where a value is required.
    case decoding
    /// The caller asked for something that cannot be sent.
    case usage
  }

  /// Whose fault it is.
  public var kind: Kind
  /// The five characters of SQLSTATE; nil if the server did not say or was not reached.
  public var sqlState: String?
  /// One sentence without values of rows.
  public var message: String
  /// The server's advice; nil for classes other than 42 and 0A.
  public var hint: String?
  /// The violated constraint, if the server named one.
  public var constraint: String?
  /// The table at fault, with its schema, if the server named one.
  public var table: String?
  /// The column at fault, if the server named one.
  public var column: String?
  /// The PL/pgSQL function and its line in which it happened, innermost first; nil outside of functions.
  public var routine: String?
  /// The character of the SQL text at which it happened, counted from 1; nil if the server did not say.
  public var position: Int?
  /// The line of the SQL text at which it happened, counted from 1; nil if the server did not say.
  public var line: Int?
  /// Which statement failed of a script, or of several that were sent together, counted from 1; nil for one alone.
  public var statement: Int?

  /// An error of this process's own making.
  public init(_ kind: Kind, sqlState: String? = nil, _ message: String) {
    self.kind = kind
    self.sqlState = sqlState
    self.message = message
  }

  /// Whether SQLSTATE begins with `prefix`: `"23"` is a whole class, `"23505"` one condition.
  public func hasState(_ prefix: String) -> Bool {
    guard let sqlState else { return false }
    return sqlState.hasPrefix(prefix)
  }
}

/// A SQLSTATE, or the beginning of one, to catch errors by: `catch SQLState("40")`.
public struct SQLState: Sendable, Hashable, ExpressibleByStringLiteral {
  /// Two to five characters.
  public let prefix: String

  /// All states that begin with `prefix`.
  public init(_ prefix: String) {
    self.prefix = prefix
  }

  /// All states that begin with `value`.
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// Whether `error` came from Postgres with such a state.
  public static func ~= (state: SQLState, error: any Error) -> Bool {
    guard let error = error as? PostgresError else { return false }
    return error.hasState(state.prefix)
  }

  /// Whether `error` has such a state.
  public static func ~= (state: SQLState, error: PostgresError) -> Bool {
    error.hasState(state.prefix)
  }
}

extension PostgresError: CustomStringConvertible {
  /// The sentence, then SQLSTATE, place and hint as far as they are known.
  public var description: String {
    var text = message
    if let sqlState { text += " (SQLSTATE \(sqlState))" }
    if let line {
      text += " at line \(line)"
    } else if let statement {
      text += " in statement \(statement)"
    }
    if let routine { text += " in \(routine)" }
    if let hint { text += ". \(hint)" }
    return text
  }
}
