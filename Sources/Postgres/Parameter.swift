public import FoundationEssentials

/// One value for a placeholder (`$1`, `$2`, ...) of a statement.
///
/// nil is NULL, in a scalar as in an element of an array. An empty array is an empty array.
/// Arrays have one dimension and go out in binary; `unnest` pads a shorter array with NULLs silently,
/// so callers make sure that arrays which belong together are of equal count.
public enum Parameter: Sendable, Hashable {
  /// Text of whatever type the statement expects there: text, numeric, jsonb, an enum. It may hold no NUL character.
  case text(String?)
  /// An integer of whatever integer or numeric type the statement expects there.
  case int(Int64?)
  /// A boolean.
  case bool(Bool?)
  /// A uuid.
  case uuid(UUID?)
  /// A bytea.
  case bytes([UInt8]?)
  /// A timestamptz, in microseconds since 1970-01-01 UTC.
  case timestamp(Int64?)
  /// A date, in days since 1970-01-01.
  case date(Int32?)
  /// A uuid[].
  case uuidArray([UUID?])
  /// A text[].
  case textArray([String?])
  /// A smallint[].
  case int2Array([Int16?])
  /// An integer[].
  case int4Array([Int32?])
  /// A bigint[].
  case int8Array([Int64?])
  /// A boolean[].
  case boolArray([Bool?])
  /// A date[], in days since 1970-01-01.
  case dateArray([Int32?])
  /// A timestamptz[], in microseconds since 1970-01-01 UTC.
  case timestampArray([Int64?])
  /// A bytea[].
  case byteaArray([[UInt8]?])
}
