import Foundation
import Postgres
import TestSupport
import Testing

/// What goes out as a parameter comes back as the same value, and the server agrees on what it is.
@Suite struct ParameterTests {
  let connection: Connection
  let database: TestDatabase

  init() async throws {
    database = try await sharedDatabase()
    connection = try await database.connect()
  }

  private func echo(_ parameter: Parameter, as type: String) async throws -> Row {
    try await connection.execute("SELECT $1::\(type) AS value", [parameter]).one()
  }

  @Test(arguments: ["", "plain", "naïve Grüße 🏃🏽‍♀️ 零", "tab\tline\nquote'\"\\", String(repeating: "x", count: 100_000)])
  func `text comes back as it was sent`(_ text: String) async throws {
    #expect(try await echo(.text(text), as: "text").text("value") == text)
    #expect(try await echo(.text(text), as: "text").utf8("value") == Array(text.utf8))
    let length = try await connection.execute("SELECT octet_length($1)", [.text(text)]).one()
    #expect(try length.int(0) == text.utf8.count)
  }

  @Test(arguments: [Int64.min, -1, 0, 1, .max])
  func `an integer comes back as it was sent`(_ number: Int64) async throws {
    #expect(try await echo(.int(number), as: "bigint").int("value", as: Int64.self) == number)
  }

  @Test(arguments: [-210_866_803_200_000_000, -1, 0, 1, Int64.max])
  func `an instant comes back as it was sent`(_ instant: Int64) async throws {
    #expect(try await echo(.timestamp(instant), as: "timestamptz").timestamp("value") == instant)
  }

  @Test(arguments: [-2_440_588, -719_529, -719_528, -1, 0, 1, 11_016, 20_513, 2_145_042_905] as [Int32])
  func `a date comes back as it was sent`(_ days: Int32) async throws {
    let row = try await connection.execute("SELECT $1::date AS value, $1 - date '1970-01-01' AS days", [.date(days)])
    #expect(try row.one().date("value") == days)
    #expect(try row.one().int("days", as: Int32.self) == days)
  }

  @Test func `a truth, a uuid and bytes come back as they were sent`() async throws {
    for truth in [true, false] {
      #expect(try await echo(.bool(truth), as: "bool").bool("value") == truth)
    }
    let uuid = UUID()
    #expect(try await echo(.uuid(uuid), as: "uuid").uuid("value") == uuid)
    for bytes in [[], [0], Array(0...255)] as [[UInt8]] {
      #expect(try await echo(.bytes(bytes), as: "bytea").bytes("value") == bytes)
    }
  }

  @Test(arguments: TypedParameter.nulls)
  func `nil is NULL and nothing else`(_ null: TypedParameter) async throws {
    let row = try await echo(null.value, as: null.type)
    #expect(try row.isNull("value"))
    #expect(try row.optionalText("value") == nil)
  }

  @Test(arguments: TypedParameter.arrays)
  func `an array arrives element by element`(_ array: TypedParameter) async throws {
    #expect(try await echo(array.value, as: array.type).text("value") == array.text)
  }

  @Test(arguments: TypedParameter.emptyArrays)
  func `an empty array is empty, not NULL`(_ array: TypedParameter) async throws {
    #expect(try await echo(array.value, as: array.type).text("value") == "{}")
    #expect(try await connection.execute("SELECT * FROM unnest($1::\(array.type))", [array.value]).isEmpty)
  }

  @Test func `parallel arrays become the rows of one statement`() async throws {
    let count = 20_000
    let rows = try await connection.execute(
      "SELECT count(*), sum(n), count(t), max(length(t)) FROM unnest($1::bigint[], $2::text[]) AS x(n, t)",
      [.int8Array((1...count).map(Int64.init)), .textArray((1...count).map { $0 % 2 == 0 ? nil : String($0) })]
    ).one()
    #expect(try (0..<4).map { try rows.int($0) } == [count, count * (count + 1) / 2, count / 2, 5])
  }

  @Test func `what cannot be sent is refused instead of cut`() async throws {
    for parameter in [Parameter.text("a\0b"), .timestamp(.min), .date(.min), .dateArray([.min + 10_957])] {
      await #expect {
        try await connection.execute("SELECT $1", [parameter])
      } throws: { error in
        (error as? PostgresError)?.kind == .usage && (error as? PostgresError)?.hasState("22") == true
      }
    }
    await #expect(throws: PostgresError.self) { try await connection.execute("SELECT 1\0") }
    #expect(try await connection.execute("SELECT 1").one().int(0) == 1)
  }

  @Test func `a NUL inside an array is the server's data error`() async throws {
    await #expect {
      try await connection.execute("SELECT $1::text[]", [.textArray(["a\0b"])])
    } throws: {
      SQLState("22021") ~= $0
    }
  }
}

/// A parameter, its type in SQL, and what the server makes of it.
struct TypedParameter: Sendable, CustomTestStringConvertible {
  let value: Parameter
  let type: String
  let text: String?

  init(_ value: Parameter, _ type: String, _ text: String? = nil) {
    self.value = value
    self.type = type
    self.text = text
  }

  var testDescription: String { type }

  static let nulls: [TypedParameter] = [
    TypedParameter(.text(nil), "text"),
    TypedParameter(.int(nil), "int"),
    TypedParameter(.bool(nil), "bool"),
    TypedParameter(.uuid(nil), "uuid"),
    TypedParameter(.bytes(nil), "bytea"),
    TypedParameter(.timestamp(nil), "timestamptz"),
    TypedParameter(.date(nil), "date"),
  ]

  static let arrays: [TypedParameter] = [
    TypedParameter(.uuidArray([UUID(uuidString: smallUUID), nil]), "uuid[]", "{\(smallUUID),NULL}"),
    TypedParameter(
      .textArray(["a", nil, "", "NULL", #"ü"\,{}"#]), "text[]", #"{a,NULL,"","NULL","ü\"\\,{}"}"#),
    TypedParameter(.int2Array([.min, nil, 0, .max]), "smallint[]", "{-32768,NULL,0,32767}"),
    TypedParameter(.int4Array([.min, nil, 0, .max]), "int[]", "{-2147483648,NULL,0,2147483647}"),
    TypedParameter(
      .int8Array([.min, nil, 0, .max]), "bigint[]", "{-9223372036854775808,NULL,0,9223372036854775807}"),
    TypedParameter(.boolArray([true, nil, false]), "bool[]", "{t,NULL,f}"),
    TypedParameter(.dateArray([-1, nil, 0, 20_513]), "date[]", "{1969-12-31,NULL,1970-01-01,2026-03-01}"),
    TypedParameter(.timestampArray([-1, nil]), "timestamptz[]", #"{"1969-12-31 23:59:59.999999+00",NULL}"#),
    TypedParameter(.byteaArray([[], nil, [0, 255]]), "bytea[]", #"{"\\x",NULL,"\\x00ff"}"#),
  ]

  static let emptyArrays: [TypedParameter] = [
    TypedParameter(.uuidArray([]), "uuid[]"),
    TypedParameter(.textArray([]), "text[]"),
    TypedParameter(.int2Array([]), "smallint[]"),
    TypedParameter(.int4Array([]), "int[]"),
    TypedParameter(.int8Array([]), "bigint[]"),
    TypedParameter(.boolArray([]), "bool[]"),
    TypedParameter(.dateArray([]), "date[]"),
    TypedParameter(.timestampArray([]), "timestamptz[]"),
    TypedParameter(.byteaArray([]), "bytea[]"),
  ]

  private static let smallUUID = "00000000-0000-0000-0000-0000000000ff"
}
