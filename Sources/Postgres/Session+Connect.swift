internal import CLibPQ

extension Session {
  /// Connects and blocks until it is done: call it on the connection's own thread.
  ///
  /// The corresponding C function is `PQconnectdbParams`.
  static func connect(
    _ options: ConnectionOptions, notices: @escaping @Sendable (Notice) -> Void
  ) -> Result<Session, PostgresError> {
    if let dsn = options.dsn, !isReadable(dsn) {
      return .failure(
        PostgresError(.usage, "the connection string is neither a postgresql:// URI nor keyword=value pairs"))
    }
    guard let handle = withKeywords(keywords(for: options), { PQconnectdbParams($0, $1, 1) }) else {
      return .failure(PostgresError(.connectionLost, "out of memory"))
    }
    guard PQstatus(handle) == CONNECTION_OK else {
      defer { PQfinish(handle) }
      return .failure(PostgresError(lost: handle))
    }
    let session = Session(handle, notices: NoticeReceiver(notices))
    return Result { () throws(PostgresError) in
      try session.agreeOnTexts(until: Deadline(options.connectTimeout))
      return session
    }
  }

  /// Fixes the forms of text that `Row` reads, whatever the server, the database or the role prefers.
  private func agreeOnTexts(until deadline: Deadline) throws(PostgresError) {
    let sql = "SET datestyle TO ISO; SET bytea_output TO hex"
    _ = try run(sql, until: deadline) { PQsendQuery($0, sql) }
  }

  /// In libpq a later keyword wins, and `dbname` stands for all keywords of the string that it holds:
  /// what comes before it is a default, what comes after it is not for the user to choose.
  private static func keywords(for options: ConnectionOptions) -> [(String, String)] {
    var keywords = [("fallback_application_name", options.applicationName)]
    if !environmentSets("connect_timeout") {
      let (seconds, attoseconds) = options.connectTimeout.components
      keywords.append(("connect_timeout", String(attoseconds > 0 ? seconds + 1 : seconds)))
    }
    if let password = options.password { keywords.append(("password", password)) }
    if let dsn = options.dsn { keywords.append(("dbname", dsn)) }
    keywords.append(("client_encoding", "UTF8"))
    return keywords
  }

  /// Whether the environment or the service file that it names sets `keyword`.
  ///
  /// The corresponding C function is `PQconndefaults`.
  private static func environmentSets(_ keyword: String) -> Bool {
    guard let defaults = PQconndefaults() else { return false }
    defer { PQconninfoFree(defaults) }
    var option = defaults
    while let name = option.pointee.keyword {
      if String(cString: name) == keyword { return option.pointee.val != nil }
      option += 1
    }
    return false
  }

  /// Whether libpq can read the string. Its own error is not passed on: it quotes the string, password included.
  ///
  /// The corresponding C function is `PQconninfoParse`.
  private static func isReadable(_ dsn: String) -> Bool {
    let isName = !dsn.contains("=") && !dsn.hasPrefix("postgresql://") && !dsn.hasPrefix("postgres://")
    guard !isName else { return true }
    var message: UnsafeMutablePointer<CChar>?
    let parsed = PQconninfoParse(dsn, &message)
    defer {
      PQconninfoFree(parsed)
      PQfreemem(message)
    }
    return parsed != nil
  }

  /// Lends the two NULL-ended arrays of C strings that libpq wants.
  private static func withKeywords<Value>(
    _ keywords: [(String, String)],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Value
  ) -> Value {
    withCStrings(keywords.map(\.0)) { names in
      withCStrings(keywords.map(\.1)) { values in body(names, values) }
    }
  }

  private static func withCStrings<Value>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Value
  ) -> Value {
    let bytes = strings.map { Array($0.utf8CString) }
    let starts = bytes.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    return bytes.flatMap { $0 }.withUnsafeBufferPointer { buffer in
      var pointers = starts.dropLast().map { buffer.baseAddress?.advanced(by: $0) }
      pointers.append(nil)
      return body(pointers)
    }
  }
}
