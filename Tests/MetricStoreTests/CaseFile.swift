import Foundation

/// A JSON value that keeps apart what Foundation's bridging mixes up: true and 1, 0.1 and the nearest binary number.
enum JSONValue: Codable, Hashable {
  case null
  case bool(Bool)
  case number(Decimal)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func attempt<Value: Decodable>(_ type: Value.Type) -> Value? {
      do { return try container.decode(type) } catch { return nil }
    }
    if container.decodeNil() {
      self = .null
    } else if let value = attempt(Bool.self) {
      self = .bool(value)
    } else if let value = attempt(Decimal.self) {
      self = .number(value)
    } else if let value = attempt(String.self) {
      self = .string(value)
    } else if let value = attempt([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  /// The value under a key of an object; nil for all else.
  subscript(key: String) -> JSONValue? {
    if case .object(let members) = self { members[key] } else { nil }
  }

  /// The text of a string; nil for all else.
  var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// As a line of a file for `enqueue` has it: a string stands for itself, so that a case can hold what is no JSON.
  func line() throws -> String {
    if case .string(let text) = self { return text }
    return String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
  }

  /// Whether a value that the server wrote is the expected one: "*" is any, numbers are compared as decimals.
  func matches(_ got: String?) -> Bool {
    switch self {
    case .string("*"): return true
    case .null: return got == nil
    case .bool(let want): return got == (want ? "t" : "f")
    case .string(let want): return got == want
    case .number(let want):
      guard let got, let number = Decimal(string: got), Decimal(string: got)?.isNaN == false else { return false }
      return abs(number - want) <= Decimal(sign: .plus, exponent: -9, significand: 1) * max(1, abs(want))
    case .array, .object: return false
    }
  }
}

/// A case: payloads in, cells and rows out. See `cases/`.
struct CaseFile: Decodable {
  struct Step: Decodable {
    var enqueue: [JSONValue]?
    var as_of: String?
    var drain: String?
    var recheck: String?
    var sql: String?
  }
  struct Query: Decodable {
    var sql: String
    var rows: [[JSONValue]]
  }
  struct Refusal: Decodable {
    var sql: String
    var sqlstate: String
  }

  var name: String
  var steps: [Step]
  var cells: [[JSONValue]]?
  var no_cells: [[String]]?
  var only_cells: Bool?
  var queries: [Query]?
  var fails: [Refusal]?

  /// The person of the case: that of the first payload that names one.
  var user: String? {
    steps.lazy.flatMap { $0.enqueue ?? [] }.compactMap { $0["user_id"]?.text }.first
  }
}
