internal import CLibPQ

extension PostgresError {
  /// Classes of which the message quotes values: data exceptions, violated constraints, foreign code, check options.
  private static let quotingClasses: Set<String> = ["22", "23", "38", "39", "44"]

  /// States that end a session or say that there is no server, whatever libpq believes about the connection.
  static func isEndOfSession(_ state: String) -> Bool {
    state.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05", "25P03"].contains(state)
  }

  /// Reads a failed result.
  ///
  /// - Parameters:
  ///   - result: a `PGresult` with an error status.
  ///   - sql: the text that was sent, for the line number.
  ///   - isConnected: what `PQstatus` says after the result was read.
  ///
  /// The corresponding C function is `PQresultErrorField`.
  init(result: OpaquePointer, sql: String, isConnected: Bool) {
    func field(_ code: Character) -> String? {
      guard let value = code.asciiValue, let text = PQresultErrorField(result, Int32(value)) else { return nil }
      return String(cString: text)
    }
    let state = field("C")
    let severity = field("V")
    let isOver = !isConnected || severity == "FATAL" || severity == "PANIC" || state.map(Self.isEndOfSession) == true
    self.init(isOver ? .connectionLost : .serverError, sqlState: state, "")
    constraint = field("n")
    table = field("t").map { table in field("s").map { "\($0).\(table)" } ?? table }
    column = field("c")
    routine = field("W").flatMap(Self.routine(context:))
    if let position = field("P").flatMap({ Int($0) }) {
      self.position = position
      line = Self.line(of: position, in: sql)
    }
    if hasState("42") || hasState("0A") { hint = field("H") }
    message = Self.safeMessage(state: state, primary: field("M") ?? Self.text(PQresultErrorMessage(result)), self)
  }

  /// Reads what libpq says about a connection that failed or was lost.
  ///
  /// The corresponding C function is `PQerrorMessage`.
  init(lost connection: OpaquePointer?) {
    let message = Self.text(PQerrorMessage(connection))
    self.init(.connectionLost, message.isEmpty ? "the connection to the server is lost" : message)
  }

  /// The server's sentence, or one of ours where the server's would quote values.
  private static func safeMessage(state: String?, primary: String, _ error: PostgresError) -> String {
    guard let state, quotingClasses.contains(String(state.prefix(2))) else { return primary }
    var text = conditions[state] ?? "the server refused the data"
    if let constraint = error.constraint { text += ", constraint \(constraint)" }
    if let table = error.table { text += ", table \(table)" }
    if let column = error.column { text += ", column \(column)" }
    return text
  }

  /// Our words for the conditions of the quoting classes that a reader is likely to meet.
  private static let conditions = [
    "22001": "a text is too long", "22003": "a number is out of range", "22007": "a date or time is malformed",
    "22008": "a date or time is out of range", "22012": "division by zero",
    "22021": "a text is not valid in the encoding of the database", "22023": "a parameter has an invalid value",
    "22P02": "a text is no value of its type", "22P03": "a binary value is malformed",
    "22P05": "a character cannot be stored", "23502": "a required value is missing",
    "23503": "a referenced row is missing or still referenced", "23505": "a row of that key exists already",
    "23514": "a check is violated", "23P01": "an exclusion constraint is violated",
  ]

  /// The innermost PL/pgSQL frame. Other frames are left out: that of COPY quotes the row.
  private static func routine(context: String) -> String? {
    context.split(separator: "\n").first { $0.hasPrefix("PL/pgSQL function ") }.map(String.init)
  }

  /// The line, counted from 1, of the character at `position`, counted from 1 in Unicode scalars as the server does.
  private static func line(of position: Int, in sql: String) -> Int {
    sql.unicodeScalars.prefix(max(0, position - 1)).reduce(1) { $1 == "\n" ? $0 + 1 : $0 }
  }

  private static func text(_ message: UnsafePointer<CChar>?) -> String {
    guard let message else { return "" }
    return String(cString: message).split(whereSeparator: \.isNewline)
      .map { $0.drop(while: \.isWhitespace) }.joined(separator: ". ")
  }
}
