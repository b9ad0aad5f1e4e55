/// A JSON text in the making. Objects keep the order of their keys, and may repeat one: broken input is needed too.
indirect enum JSON {
  case object([(key: String, value: JSON)])
  case array([JSON])
  case string(String)
  case number(String)
  case bool(Bool)
  case null

  /// Compact, on one line.
  var text: String {
    switch self {
    case .object(let members): "{" + members.map { "\(quoted($0.key)):\($0.value.text)" }.joined(separator: ",") + "}"
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .string(let string): quoted(string)
    case .number(let digits): digits
    case .bool(let flag): flag ? "true" : "false"
    case .null: "null"
    }
  }

  /// The same content as another library would write it: keys backwards, with spaces.
  var textWrittenAnew: String {
    switch self {
    case .object(let members):
      "{ " + members.reversed().map { "\(quoted($0.key)) : \($0.value.textWrittenAnew)" }.joined(separator: ", ") + " }"
    case .array(let elements): "[ " + elements.map(\.textWrittenAnew).joined(separator: ", ") + " ]"
    default: text
    }
  }

  /// The demo's own words need no escapes but these two.
  private func quoted(_ string: String) -> String {
    let escaped = string.reduce(into: "") { result, character in
      if character == "\"" || character == "\\" { result.append("\\") }
      result.append(character)
    }
    return "\"\(escaped)\""
  }
}
