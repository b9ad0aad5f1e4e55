internal import CLibPQ
public import FoundationEssentials

/// One row of a result.
///
/// `text`, `int` and the like take a value: NULL throws, and so does text that is no such value.
/// `optionalText`, `optionalInt` and the like make nil of NULL and of nothing else.
public struct Row: Sendable {
  let rows: Rows
  let index: Int32

  /// Whether the value is NULL.
  public func isNull(_ column: some ColumnReference) throws(PostgresError) -> Bool {
    PQgetisnull(rows.result.pointer, index, try position(of: column)) == 1
  }

  /// The value as the server writes it: any type has a text.
  public func text(_ column: some ColumnReference) throws(PostgresError) -> String {
    try required(column, "UTF-8 text", Self.string)
  }

  /// The value as the server writes it; nil for NULL.
  public func optionalText(_ column: some ColumnReference) throws(PostgresError) -> String? {
    try optional(column, "UTF-8 text", Self.string)
  }

  /// The UTF-8 bytes of `text`, for long ones.
  public func utf8(_ column: some ColumnReference) throws(PostgresError) -> [UInt8] {
    try required(column, "text") { Array($0) }
  }

  /// An integer of any width.
  public func int(_ column: some ColumnReference) throws(PostgresError) -> Int {
    try required(column, "an integer", Self.integer)
  }

  /// An integer of any width; nil for NULL.
  public func optionalInt(_ column: some ColumnReference) throws(PostgresError) -> Int? {
    try optional(column, "an integer", Self.integer)
  }

  /// An integer that must fit `type`.
  public func int<Value: FixedWidthInteger & SendableMetatype>(
    _ column: some ColumnReference, as type: Value.Type
  ) throws(PostgresError) -> Value {
    try required(column, "an integer of \(type)", Self.integer)
  }

  /// An integer that must fit `type`; nil for NULL.
  public func optionalInt<Value: FixedWidthInteger & SendableMetatype>(
    _ column: some ColumnReference, as type: Value.Type
  ) throws(PostgresError) -> Value? {
    try optional(column, "an integer of \(type)", Self.integer)
  }

  /// A boolean.
  public func bool(_ column: some ColumnReference) throws(PostgresError) -> Bool {
    try required(column, "a boolean", ServerText.bool)
  }

  /// A boolean; nil for NULL.
  public func optionalBool(_ column: some ColumnReference) throws(PostgresError) -> Bool? {
    try optional(column, "a boolean", ServerText.bool)
  }

  /// A uuid.
  public func uuid(_ column: some ColumnReference) throws(PostgresError) -> UUID {
    try required(column, "a uuid") { Self.string($0).flatMap { UUID(uuidString: $0) } }
  }

  /// A uuid; nil for NULL.
  public func optionalUUID(_ column: some ColumnReference) throws(PostgresError) -> UUID? {
    try optional(column, "a uuid") { Self.string($0).flatMap { UUID(uuidString: $0) } }
  }

  /// A bytea.
  public func bytes(_ column: some ColumnReference) throws(PostgresError) -> [UInt8] {
    try required(column, "a bytea", ServerText.bytes)
  }

  /// A bytea; nil for NULL.
  public func optionalBytes(_ column: some ColumnReference) throws(PostgresError) -> [UInt8]? {
    try optional(column, "a bytea", ServerText.bytes)
  }

  /// A timestamptz, in microseconds since 1970-01-01 UTC. A timestamp without zone is no instant and throws,
  /// and so does infinity.
  public func timestamp(_ column: some ColumnReference) throws(PostgresError) -> Int64 {
    try required(column, "a finite timestamp with time zone", ServerText.timestamp)
  }

  /// A timestamptz, in microseconds since 1970-01-01 UTC; nil for NULL.
  public func optionalTimestamp(_ column: some ColumnReference) throws(PostgresError) -> Int64? {
    try optional(column, "a finite timestamp with time zone", ServerText.timestamp)
  }

  /// A date, in days since 1970-01-01. Infinity throws.
  public func date(_ column: some ColumnReference) throws(PostgresError) -> Int32 {
    try required(column, "a finite date", ServerText.date)
  }

  /// A date, in days since 1970-01-01; nil for NULL.
  public func optionalDate(_ column: some ColumnReference) throws(PostgresError) -> Int32? {
    try optional(column, "a finite date", ServerText.date)
  }
}

extension Row {
  private func required<Value>(
    _ column: some ColumnReference, _ expectation: String, _ read: (UnsafeRawBufferPointer) -> Value?
  ) throws(PostgresError) -> Value {
    guard let value = try optional(column, expectation, read) else {
      throw PostgresError(.decoding, "column \(column) of row \(index + 1) is NULL, expected \(expectation)")
    }
    return value
  }

  /// The error names column and row, never the value.
  private func optional<Value>(
    _ column: some ColumnReference, _ expectation: String, _ read: (UnsafeRawBufferPointer) -> Value?
  ) throws(PostgresError) -> Value? {
    let position = try position(of: column)
    let pointer = rows.result.pointer
    guard PQgetisnull(pointer, index, position) == 0 else { return nil }
    let bytes = UnsafeRawBufferPointer(
      start: PQgetvalue(pointer, index, position), count: Int(PQgetlength(pointer, index, position)))
    guard let value = read(bytes) else {
      throw PostgresError(.decoding, "column \(column) of row \(index + 1) is not \(expectation)")
    }
    return value
  }

  private func position(of column: some ColumnReference) throws(PostgresError) -> Int32 {
    guard let position = column.position(in: rows.columns) else {
      throw PostgresError(.usage, "the result has no column \(column)")
    }
    return Int32(position)
  }

  /// nil for bytes that are no UTF-8, which a database of encoding SQL_ASCII can hold.
  private static func string(_ bytes: UnsafeRawBufferPointer) -> String? {
    String(validating: bytes, as: UTF8.self)
  }

  private static func integer<Value: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer) -> Value? {
    Value(Substring(decoding: bytes, as: UTF8.self))
  }
}
