internal import CLibPQ

/// Owns one `PGresult`.
///
/// Unchecked: libpq never changes a finished result, so that any number of threads may read it.
final class ServerResult: @unchecked Sendable {
  let pointer: OpaquePointer

  /// Takes over `pointer`; `PQclear` follows when the last row is released.
  init(_ pointer: OpaquePointer) {
    self.pointer = pointer
  }

  deinit {
    PQclear(pointer)
  }

  var status: ExecStatusType {
    PQresultStatus(pointer)
  }

  /// Whether the statement did what it said.
  var isSuccess: Bool {
    [PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY].contains(status)
  }

  /// Whether the server now waits for, or sends, rows of a COPY.
  var isCopy: Bool {
    [PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH].contains(status)
  }
}
