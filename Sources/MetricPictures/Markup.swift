import HealthPayload

/// Text as markup: everything that comes from outside goes through here.
enum Markup {
  /// The text for the inside of an element or a quoted attribute. What no XML document may hold, and what would turn
  /// the order of letters around, is left out.
  static func escape(_ text: String) -> String {
    var safe = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": safe += "&amp;"
      case "<": safe += "&lt;"
      case ">": safe += "&gt;"
      case "\"": safe += "&quot;"
      case "'": safe += "&#39;"
      case "\t", "\n", "\r": safe += " "
      case "\u{FFFE}", "\u{FFFF}": continue
      case _ where scalar.isCommand: continue
      default: safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }

  /// An element with its attributes in this order.
  static func element(_ name: String, _ attributes: [(String, String)] = [], _ content: String? = nil) -> String {
    let list = attributes.map { " \($0.0)=\"\(escape($0.1))\"" }.joined()
    return content.map { "<\(name)\(list)>\($0)</\(name)>" } ?? "<\(name)\(list)/>"
  }

  /// An element that holds a text.
  static func text(_ name: String, _ attributes: [(String, String)] = [], _ content: String) -> String {
    element(name, attributes, escape(content))
  }

  /// A coordinate, to a tenth.
  static func coordinate(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }
}
