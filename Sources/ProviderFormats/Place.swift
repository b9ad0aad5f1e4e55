public import HealthPayload
public import PayloadDecoder

/// A value in a provider's document, together with where it stands.
public struct Place: Sendable {
  /// The value.
  public let node: JSONNode
  /// Its JSON pointer.
  public let pointer: String

  /// A value at a pointer.
  public init(_ node: JSONNode, pointer: String = "") {
    self.node = node
    self.pointer = pointer
  }

  /// What stands at a key: absent, null and a value are three different things.
  public enum Member: Sendable {
    /// The key is not there, or what should hold it is no object.
    case absent
    /// The key is there, with `null`.
    case null
    /// A value, zero and the empty text included.
    case present(Place)
  }

  /// What stands at a path: keys with points between them, such as `summary.steps`. A key may choose an element of its
  /// array by what it says, such as `distances[activity=total].distance`.
  public func member(_ path: String) -> Member {
    var place = self
    for step in path.split(separator: ".") {
      let parts = step.split(whereSeparator: { $0 == "[" || $0 == "=" || $0 == "]" })
      guard let key = parts.first, case .object(let members) = place.node.value, let node = members[String(key)] else {
        return .absent
      }
      if node.value == .null { return .null }
      place = Place(node, pointer: "\(place.pointer)/\(escaped(key))")
      guard parts.count == 3 else { continue }
      guard let element = place.elements?.first(where: { $0[String(parts[1])]?.word == String(parts[2]) }) else {
        return .absent
      }
      place = element
    }
    return place.node.value == .null ? .null : .present(place)
  }

  /// The JSON pointer of what stands at a path, or would stand there; of a sum, of its first field.
  func pointer(to path: String) -> String {
    var place: Place? = self
    var pointer = self.pointer
    for step in path.prefix(while: { $0 != " " }).split(separator: ".") {
      let key = step.prefix { $0 != "[" }
      place = place?[String(step)]
      pointer = place?.pointer ?? "\(pointer)/\(escaped(key))"
    }
    return pointer
  }

  /// The value at a path; nil where it is absent or null.
  public subscript(_ path: String) -> Place? {
    if case .present(let place) = member(path) { place } else { nil }
  }

  /// Whether a key is there, with whatever value.
  public func has(_ path: String) -> Bool {
    if case .absent = member(path) { false } else { true }
  }

  /// The keys of an object, in alphabetical order; none of anything else.
  public var keys: [String] {
    if case .object(let members) = node.value { members.keys.sorted() } else { [] }
  }

  /// The elements of an array; nil for anything else.
  public var elements: [Place]? {
    guard case .array(let elements) = node.value else { return nil }
    return elements.enumerated().map { Place($0.element, pointer: "\(pointer)/\($0.offset)") }
  }

  /// A text; nil for anything else.
  public var text: String? {
    if case .string(let text) = node.value { text } else { nil }
  }

  /// A truth value; nil for anything else.
  public var bool: Bool? {
    if case .bool(let bool) = node.value { bool } else { nil }
  }

  /// What a table can compare: a text, a number as it is written, `true` or `false`; nil for anything else.
  public var word: String? {
    switch node.value {
    case .string(let text), .number(let text): text
    case .bool(let bool): bool ? "true" : "false"
    default: nil
    }
  }

  /// A number; nil for anything else, and for one that has too many digits.
  public var number: ExactNumber? {
    if case .number(let text) = node.value { ExactNumber(text) } else { nil }
  }

  /// A number that is written as a number or, as some providers do with 64-bit integers, as a text of digits.
  public var lenientNumber: ExactNumber? {
    switch node.value {
    case .number(let text), .string(let text): ExactNumber(text)
    default: nil
    }
  }

  /// A whole number in either notation; nil for anything else, and beyond a million millions, which nothing that is counted
  /// or timed in a document comes near.
  public var whole: Int? {
    lenientNumber.flatMap { Int($0.text) }.flatMap { (-1_000_000_000_000...1_000_000_000_000).contains($0) ? $0 : nil }
  }

  /// An id: a text that is not empty, or a number as it is written.
  public var identifier: String? {
    switch node.value {
    case .string(let text): text.isEmpty ? nil : text
    case .number(let text): text
    default: nil
    }
  }

  /// The name at the begin of a text, such as that of an exception before its message, or a number as it is written; nil for
  /// anything else. A message may say anything, also what somebody weighs, and is never a code.
  public var code: String? {
    guard let name = identifier?.prefix(while: { $0.isASCII && ($0.isLetter || $0.isNumber || "._$-".contains($0)) })
    else {
      return nil
    }
    return name.isEmpty ? nil : String(name.prefix(64))
  }

  private func escaped(_ key: Substring) -> String {
    guard key.contains(where: { $0 == "~" || $0 == "/" }) else { return String(key) }
    return key.flatMap { $0 == "~" ? Array("~0") : $0 == "/" ? Array("~1") : [$0] }.reduce(into: "") { $0.append($1) }
  }
}
