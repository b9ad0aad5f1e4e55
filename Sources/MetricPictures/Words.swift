import Glibc
import HealthPayload

/// Numbers, dates and sentences as people read them.
enum Words {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// A decimal with its thousands apart: 12,345.5.
  static func number(_ text: String) -> String {
    let sign = text.hasPrefix("-") ? "-" : ""
    let parts = text.dropFirst(sign.count).split(separator: ".", maxSplits: 1)
    guard let first = parts.first else { return text }
    var whole = String(first)
    var position = whole.count - 3
    while position > 0 {
      whole.insert(",", at: whole.index(whole.startIndex, offsetBy: position))
      position -= 3
    }
    return sign + whole + (parts.count == 2 ? "." + parts[1] : "")
  }

  /// A number with so many decimals, and no sign before a zero.
  ///
  /// The corresponding C function is `vsnprintf`; Foundation's formats would bring its tables of all languages.
  static func fixed(_ value: Double, decimals: Int) -> String {
    // The longest double has 309 digits.
    var text = [CChar](repeating: 0, count: 330 + decimals)
    let length = withVaList([Int32(decimals), value == 0 ? 0 : value]) { vsnprintf(&text, text.count, "%.*f", $0) }
    return String(decoding: text.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func count(_ number: Int, _ one: String) -> String {
    "\(Words.number(String(number))) \(number == 1 ? one : one + "s")"
  }

  /// 3 Oct.
  static func short(_ date: LocalDate) -> String { "\(date.components.day) \(month(date))" }

  /// Oct 2026.
  static func monthAndYear(_ date: LocalDate) -> String { "\(month(date)) \(date.components.year)" }

  /// Oct.
  static func month(_ date: LocalDate) -> String { months[date.components.month - 1] }

  /// The text in lines of at most `columns`, broken between words; a longer word is cut.
  static func wrap(_ text: String, to columns: Int, indent: String = "") -> [String] {
    var lines: [String] = []
    var line = ""
    for whole in text.split(separator: " ") {
      var word = whole[...]
      while word.count + indent.count > columns {
        if line.count > indent.count { lines.append(line) }
        lines.append((lines.isEmpty ? "" : indent) + word.prefix(columns - indent.count))
        word = word.dropFirst(columns - indent.count)
        line = indent
      }
      let isFresh = line.isEmpty || line == indent
      if !isFresh, line.count + 1 + word.count > columns {
        lines.append(line)
        line = indent + word
      } else {
        line += (isFresh ? "" : " ") + word
      }
    }
    return lines + [line]
  }
}

extension Series {
  /// steps, 2026-10-21 to 2026-10-29 (9 days).
  var headline: String {
    guard let first = days.first?.date, let last = days.last?.date else { return metric.title }
    return "\(metric.title), \(first) to \(last) (\(Words.count(days.count, "day")))"
  }

  /// Why there is nothing before the earliest day; nil where none is held.
  var earliestSentence: String? {
    earliest.map { "The earliest day held is \($0.date); before it: \($0.label)." }
  }

  /// What is known and what is not, in one paragraph: the text alternative of the picture.
  var summary: String {
    let zeros = days.filter { $0.state == .zero }.count
    let partial = days.filter { if case .partial = $0.state { true } else { false } }.count
    let known = days.filter { $0.position != nil }.count
    var sentences = ["\(average).", "\(Words.count(days.count, "day")): \(known) measured"]
    if zeros > 0 { sentences[1] += ", \(zeros) of them zero" }
    if partial > 0 { sentences[1] += ", \(partial) of them a lower bound" }
    sentences[1] += "; \(days.count - known) unknown."
    sentences += bandKeys.map { "\($0.name), \(Words.count($0.count, "day"))." }
    return (sentences + [earliestSentence].compactMap { $0 }).joined(separator: " ")
  }

  /// What a legend says of a reason.
  func sentence(_ key: BandKey) -> String {
    let meaning = key.reason.flatMap { meanings[$0] } ?? "Nothing has been said about these days."
    return "\(key.name), \(Words.count(key.count, "day")): \(meaning)"
  }
}

extension BandKey {
  /// The reason's code, or that there is no row.
  var name: String { reason ?? "no entry" }
}
