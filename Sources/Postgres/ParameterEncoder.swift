internal import CLibPQ
internal import FoundationEssentials

/// The parameters of one statement as libpq takes them.
///
/// Each has a block of its own, so that the memory of a column that was taken in can serve for the next.
struct ParameterEncoder: Sendable {
  /// The type of each parameter; 0 lets the server infer it.
  private(set) var types: [Oid] = []
  private var blocks: [ParameterBlock?] = []
  private var lengths: [Int32] = []
  private var formats: [Int32] = []
  /// The parameter in hand.
  private var block = ParameterBlock(room: 0)

  /// Lets go of each parameter that has been taken in, if nobody else has it: of 200,000 rows the columns and their bytes need
  /// not be there together.
  init(_ parameters: consuming [Parameter]) throws(PostgresError) {
    guard parameters.count <= Int(UInt16.max) else {
      throw PostgresError(.usage, "a statement has at most 65535 parameters")
    }
    for index in parameters.indices {
      block = ParameterBlock(room: Self.room(for: parameters[index]))
      try append(parameters[index])
      parameters[index] = .bool(nil)
    }
  }

  /// Gives `body` what `PQsendQueryParams` and `PQsendQueryPrepared` want: values, lengths, formats.
  func withPointers(
    _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Int32
  ) -> Int32 {
    withExtendedLifetime(blocks) { body(blocks.map { $0?.start }, lengths, formats) }
  }

  private mutating func append(_ parameter: Parameter) throws(PostgresError) {
    switch parameter {
    case .text(let value): try inferred(value)
    case .int(let value): try inferred(value.map { String($0) })
    case .bool(let value): try scalar(.bool, value) { $0.put($1 ? 1 : 0 as UInt8) }
    case .uuid(let value): try scalar(.uuid, value) { $0.put($1) }
    case .bytes(let value): try scalar(.bytea, value) { $0.block.append(contentsOf: $1) }
    case .timestamp(let value): try scalar(.timestamptz, value, Self.putTimestamp)
    case .date(let value): try scalar(.date, value, Self.putDate)
    case .uuidArray(let values): try array(.uuid, values) { $0.put($1) }
    case .textArray(let values): try array(.text, values) { $0.block.append(contentsOf: $1.utf8) }
    case .int2Array(let values): try array(.int2, values) { $0.put($1) }
    case .int4Array(let values): try array(.int4, values) { $0.put($1) }
    case .int8Array(let values): try array(.int8, values) { $0.put($1) }
    case .boolArray(let values): try array(.bool, values) { $0.put($1 ? 1 : 0 as UInt8) }
    case .dateArray(let values): try array(.date, values, Self.putDate)
    case .timestampArray(let values): try array(.timestamptz, values, Self.putTimestamp)
    case .byteaArray(let values): try array(.bytea, values) { $0.block.append(contentsOf: $1) }
    }
  }
}

extension ParameterEncoder {
  /// At least as many bytes as the parameter takes.
  private static func room(for parameter: Parameter) -> Int {
    func room(_ count: Int, of bytes: Int) -> Int { 32 + count * (4 + bytes) }
    func room<Value>(_ values: [Value?], _ bytes: (Value) -> Int) -> Int {
      values.reduce(room(values.count, of: 0)) { sum, value in value.map { sum + bytes($0) } ?? sum }
    }
    return switch parameter {
    case .text(let value): room([value]) { $0.utf8.count }
    case .bytes(let value): room([value]) { $0.count }
    case .int, .bool, .uuid, .timestamp, .date: 32
    case .uuidArray(let values): room(values.count, of: 16)
    case .int2Array(let values): room(values.count, of: 2)
    case .int4Array(let values): room(values.count, of: 4)
    case .dateArray(let values): room(values.count, of: 4)
    case .int8Array(let values): room(values.count, of: 8)
    case .timestampArray(let values): room(values.count, of: 8)
    case .boolArray(let values): room(values.count, of: 1)
    case .textArray(let values): room(values) { $0.utf8.count }
    case .byteaArray(let values): room(values) { $0.count }
    }
  }

  private typealias Put<Value> = (inout ParameterEncoder, Value) throws(PostgresError) -> Void

  /// A type of the server and the type of its arrays, by the numbers that `pg_type` has fixed for ever.
  private enum ElementType {
    case bool, bytea, int8, int2, int4, text, date, timestamptz, uuid

    var element: Oid {
      switch self {
      case .bool: 16
      case .bytea: 17
      case .int8: 20
      case .int2: 21
      case .int4: 23
      case .text: 25
      case .date: 1082
      case .timestamptz: 1184
      case .uuid: 2950
      }
    }

    var array: Oid {
      switch self {
      case .bool: 1000
      case .bytea: 1001
      case .int8: 1016
      case .int2: 1005
      case .int4: 1007
      case .text: 1009
      case .date: 1182
      case .timestamptz: 1185
      case .uuid: 2951
      }
    }
  }

  /// A value as text, of the type that the statement expects.
  private mutating func inferred(_ value: String?) throws(PostgresError) {
    if let value {
      // libpq takes text up to its first NUL: without this check the rest would be lost without a word.
      guard !value.utf8.contains(0) else {
        throw PostgresError(.usage, sqlState: "22021", "a text parameter holds a NUL character")
      }
      block.append(contentsOf: value.utf8)
    }
    try finish(type: 0, isNull: value == nil, format: 0)
  }

  private mutating func scalar<Value>(
    _ type: ElementType, _ value: Value?, _ put: Put<Value>
  ) throws(PostgresError) {
    if let value { try put(&self, value) }
    try finish(type: type.element, isNull: value == nil, format: 1)
  }

  /// The header (dimensions, NULLs, type; then count and lower bound), then each element with its length.
  private mutating func array<Value>(
    _ type: ElementType, _ values: [Value?], _ put: Put<Value>
  ) throws(PostgresError) {
    block.append(values.isEmpty ? 0 : 1 as Int32)
    block.append(values.contains { $0 == nil } ? 1 : 0 as Int32)
    block.append(type.element)
    if !values.isEmpty {
      block.append(try Self.length(values.count))
      block.append(1 as Int32)
    }
    for value in values {
      let lengthOffset = block.count
      block.append(-1 as Int32)
      guard let value else { continue }
      try put(&self, value)
      block.put(try Self.length(block.count - lengthOffset - 4), at: lengthOffset)
    }
    try finish(type: type.array, isNull: false, format: 1)
  }

  private mutating func finish(type: Oid, isNull: Bool, format: Int32) throws(PostgresError) {
    types.append(type)
    lengths.append(try Self.length(block.count))
    formats.append(format)
    // Ends a text for C.
    block.append(0 as UInt8)
    blocks.append(isNull ? nil : block)
  }

  private static func length(_ count: Int) throws(PostgresError) -> Int32 {
    guard let length = Int32(exactly: count) else {
      throw PostgresError(.usage, "a parameter is larger than 2 GiB")
    }
    return length
  }

  private mutating func put(_ value: some FixedWidthInteger) {
    block.append(value)
  }

  private mutating func put(_ value: UUID) {
    withUnsafeBytes(of: value.uuid) { block.append(contentsOf: $0) }
  }

  /// The server counts from 2000-01-01; its smallest number stands for -infinity, which no caller means.
  private static func putTimestamp(_ encoder: inout ParameterEncoder, _ value: Int64) throws(PostgresError) {
    let (shifted, overflow) = value.subtractingReportingOverflow(946_684_800_000_000)
    guard !overflow, shifted != .min else {
      throw PostgresError(.usage, sqlState: "22008", "a timestamp parameter is out of range")
    }
    encoder.put(shifted)
  }

  private static func putDate(_ encoder: inout ParameterEncoder, _ value: Int32) throws(PostgresError) {
    let (shifted, overflow) = value.subtractingReportingOverflow(10_957)
    guard !overflow, shifted != .min else {
      throw PostgresError(.usage, sqlState: "22008", "a date parameter is out of range")
    }
    encoder.put(shifted)
  }
}
