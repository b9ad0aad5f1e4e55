internal import CLibPQ

/// The rows that a statement returned, in the server's order.
public struct Rows: Sendable {
  let result: ServerResult
  /// How many rows there are; 0 also for a statement that returns none by nature.
  public let count: Int
  /// The names of the columns.
  public let columns: [String]

  init(_ result: ServerResult) {
    self.result = result
    count = Int(PQntuples(result.pointer))
    columns = (0..<PQnfields(result.pointer)).map { index in
      PQfname(result.pointer, index).map { String(cString: $0) } ?? ""
    }
  }

  /// How many rows the statement returned or changed; nil for statements that do neither.
  ///
  /// The corresponding C function is `PQcmdTuples`.
  public var affected: Int? {
    PQcmdTuples(result.pointer).flatMap { Int(String(cString: $0)) }
  }

  /// The only row.
  ///
  /// - Throws: `decoding` if there are none or several.
  public func one() throws(PostgresError) -> Row {
    guard count == 1 else { throw PostgresError(.decoding, "expected one row, found \(count)") }
    return self[0]
  }
}

extension Rows: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// The number of rows.
  public var endIndex: Int { count }

  /// The row at `position`, counted from 0, which must exist.
  public subscript(position: Int) -> Row {
    precondition(position >= 0 && position < count, "there is no row \(position) among \(count)")
    return Row(rows: self, index: Int32(position))
  }
}

/// What names a column: its name, or its position counted from 0.
public protocol ColumnReference: Sendable {
  /// The position among `columns`; nil if there is no such column.
  func position(in columns: [String]) -> Int?
}

extension String: ColumnReference {
  /// The first column of that name, upper and lower case kept apart.
  public func position(in columns: [String]) -> Int? {
    columns.firstIndex(of: self)
  }
}

extension Int: ColumnReference {
  /// The number itself, if there are that many columns.
  public func position(in columns: [String]) -> Int? {
    columns.indices.contains(self) ? self : nil
  }
}
