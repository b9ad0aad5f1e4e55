import Foundation

/// Numbers as people read them: 1,234 payloads.
enum Text {
  static func number(_ number: Int) -> String {
    var text = String(number.magnitude)
    var position = text.count - 3
    while position > 0 {
      text.insert(",", at: text.index(text.startIndex, offsetBy: position))
      position -= 3
    }
    return number < 0 ? "-" + text : text
  }

  static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(Text.number(number)) \(number == 1 ? one : many ?? one + "s")"
  }

  /// Seconds with one decimal.
  static func seconds(_ duration: Duration) -> String {
    duration.formatted(
      .units(allowed: [.seconds], fractionalPart: .show(length: 1)).locale(.init(identifier: "en_US_POSIX")))
  }
}
