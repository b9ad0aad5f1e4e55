import FoundationEssentials

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

  /// Seconds with one decimal, such as 0.3 s.
  static func seconds(_ duration: Duration) -> String {
    let tenths = Int(duration / .milliseconds(100))
    return "\(number(tenths / 10)).\(tenths % 10) s"
  }
}

extension Text {
  /// How long something waits, in the unit that one would say: 40 s, 12 min, 3 h, 2 days.
  static func age(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded(.down))
    switch whole {
    case ..<120: return "\(max(0, whole)) s"
    case ..<7_200: return "\(whole / 60) min"
    case ..<172_800: return "\(whole / 3_600) h"
    default: return "\(whole / 86_400) days"
    }
  }
}
