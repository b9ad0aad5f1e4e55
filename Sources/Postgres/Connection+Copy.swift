internal import CLibPQ

extension Connection {
  /// Sends rows to the server in one `COPY ... FROM STDIN`.
  ///
  /// - Parameters:
  ///   - sql: the COPY statement.
  ///   - chunks: the rows as COPY wants them, cut wherever it suits; see `CopyText`.
  ///   - deadline: the longest wait for all of it; nil for that of the connection's options.
  /// - Returns: how many rows the server took.
  /// - Throws: the server's error; then none of the rows is stored.
  @discardableResult
  public func copyIn(
    _ sql: String, _ chunks: some Sequence<[UInt8]> & Sendable, deadline: Duration? = nil
  ) throws(PostgresError) -> Int {
    try Self.checkText(sql)
    let deadline = Deadline(deadline ?? defaultDeadline)
    let begun = try session.run(sql, until: deadline) { PQsendQuery($0, sql) }
    guard let last = begun.last, last.status == PGRES_COPY_IN else {
      if begun.contains(where: \.isCopy) { session.close() }
      throw PostgresError(.usage, "copyIn takes a COPY ... FROM STDIN")
    }
    for chunk in chunks { try send(chunk, until: deadline) }
    try put(until: deadline) { PQputCopyEnd($0, nil) }
    let ended = try session.results(of: sql, until: deadline)
    guard let result = ended.last, let count = Rows(result).affected else {
      throw PostgresError(.decoding, "the server did not say how many rows it took")
    }
    return count
  }

  private func send(_ chunk: [UInt8], until deadline: Deadline) throws(PostgresError) {
    var rest = chunk[...]
    while !rest.isEmpty {
      // Small pieces, so that the deadline is looked at and libpq's buffer does not grow to the size of the chunk.
      let piece = rest.prefix(1 << 20)
      rest = rest.dropFirst(piece.count)
      try put(until: deadline) { handle in
        piece.withUnsafeBytes { bytes in
          PQputCopyData(handle, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
        }
      }
    }
  }

  /// Repeats a call that returns 0 while it would block, 1 for success and -1 for failure.
  private func put(until deadline: Deadline, _ call: (OpaquePointer) -> Int32) throws(PostgresError) {
    while true {
      let answer = call(try session.open())
      guard answer >= 0 else { throw session.refusal() }
      try session.flush(until: deadline)
      if answer == 1 { return }
    }
  }
}

/// Rows in the text format of COPY.
public enum CopyText {
  /// One row with its end of line; nil is NULL, an empty text is an empty text.
  public static func row(_ fields: [String?]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, field) in fields.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: "\t")) }
      guard let field else {
        bytes.append(contentsOf: "\\N".utf8)
        continue
      }
      for byte in field.utf8 { append(byte, to: &bytes) }
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
    case UInt8(ascii: "\t"): bytes.append(contentsOf: "\\t".utf8)
    case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
    case UInt8(ascii: "\r"): bytes.append(contentsOf: "\\r".utf8)
    default: bytes.append(byte)
    }
  }
}
