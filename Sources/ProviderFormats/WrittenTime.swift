public import HealthPayload

/// A time as a provider wrote it: the instant, and the date that the writer's clock showed.
///
/// The date is taken as it is written, never computed from the instant in another zone.
public struct WrittenTime: Sendable, Hashable {
  /// The instant.
  public let instant: Instant
  /// The date on the writer's clock.
  public let localDate: LocalDate
  /// How many seconds that clock was ahead of UTC.
  public let offset: Int64

  /// The time that a text with an offset names: `2026-11-28T07:05:00+01:00` or `2026-11-28 07:05:00 +0100`, also with
  /// twelve hours and `AM` or `PM`. nil for any other text, also for one that ends in `Z`, of which nobody knows what
  /// clock it was read on.
  public init?(_ text: String) {
    guard let plain = WrittenTime.standard(text), let instant = Instant(plain), let date = LocalDate(plain.prefix(10))
    else { return nil }
    self.instant = instant
    localDate = date
    // The text names the same minute as if it had been written in UTC, moved by the offset.
    guard let asUTC = Instant(plain.prefix(19) + "Z") else { return nil }
    offset = (asUTC.microseconds - instant.microseconds.roundedToSecond) / 1_000_000
  }

  /// An instant of which the offset stands beside it.
  public init(_ instant: Instant, offset: Int64) {
    self.instant = instant
    self.offset = offset
    localDate = instant.date(secondsFromUTC: offset)
  }

  /// The text in the notation of RFC 3339.
  private static func standard(_ text: String) -> String? {
    // Some locales write a narrow no-break space before AM and PM.
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\u{202F}" || $0 == "T" }).map(String.init)
    guard words.count >= 2 else { return nil }
    if words.count == 2 { return words[1].hasSuffix("Z") ? nil : "\(words[0])T\(words[1])" }
    guard let offset = words.last, offset.count == 5, let sign = offset.first, sign == "+" || sign == "-" else {
      return nil
    }
    let zone = "\(offset.prefix(3)):\(offset.suffix(2))"
    guard let time = words.count == 4 ? hours24(words[1], words[2]) : words[1] else { return nil }
    return words.count <= 4 ? "\(words[0])T\(time)\(zone)" : nil
  }

  private static func hours24(_ time: String, _ half: String) -> String? {
    let parts = time.split(separator: ":")
    guard parts.count == 3, let hour = Int(parts[0]), (1...12).contains(hour) else { return nil }
    let full: Int
    switch half.uppercased() {
    case "AM": full = hour % 12
    case "PM": full = hour % 12 + 12
    default: return nil
    }
    return "\(full < 10 ? "0" : "")\(full):\(parts[1]):\(parts[2])"
  }
}

extension Int64 {
  /// Microseconds without what is less than a second.
  fileprivate var roundedToSecond: Int64 { self - ((self % 1_000_000) + 1_000_000) % 1_000_000 }
}
