/// A point in time on the UTC time line, exact to the microsecond.
public struct Instant: Sendable, Hashable, Comparable {
  /// Microseconds since 1970-01-01T00:00:00Z; negative before it. Leap seconds are not counted, as usual in UTC arithmetic.
  public let microseconds: Int64

  /// The years whose instants are accepted from text: nothing in health data is older, and clocks beyond are broken.
  public static let acceptedYears = 1900...2200

  /// All years that can be written. Foundation's `distantPast` and `distantFuture` lie in the years 1 and 4001: where a
  /// stretch of time may be open, they are its ends.
  public static let writableYears = 1...9999

  /// The instant that lies `microseconds` after 1970-01-01T00:00:00Z.
  public init(microseconds: Int64) {
    self.microseconds = microseconds
  }

  /// The instant that an RFC 3339 text names, or nil if it is none.
  ///
  /// An offset (`Z` or `±hh:mm`) is required. Digits beyond the microsecond are cut off. A leap second, which exists only
  /// at 23:59:60 UTC, becomes the last microsecond before it. Other years are refused.
  public init?(_ text: some StringProtocol, years: ClosedRange<Int> = acceptedYears) {
    let bytes = Array(text.utf8)
    self.init(ascii: bytes.span, years: years)
  }

  /// The instant that an RFC 3339 text in ASCII names, or nil if it is none; the same rules without a copy.
  public init?(ascii text: Span<UInt8>, years: ClosedRange<Int> = acceptedYears) {
    guard text.count >= 20, let date = LocalDate(ascii: text, at: 0), years.contains(date.components.year),
      text[10] | 0x20 == UInt8(ascii: "t") || text[10] == UInt8(ascii: " "),
      text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      let hour = twoDigits(text, at: 11), let minute = twoDigits(text, at: 14), let second = twoDigits(text, at: 17),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    var index = 19
    guard let fraction = Instant.fraction(text, at: &index), let offset = Instant.offset(text, from: index) else {
      return nil
    }
    let minutes = hour * 60 + minute - offset
    let start = Int64(date.daysSince1970) * 86_400_000_000 + Int64(minutes) * 60_000_000
    if second == 60 {
      guard (minutes + 2_880) % 1_440 == 1_439 else { return nil }
      microseconds = start + 59_999_999
    } else {
      microseconds = start + Int64(second) * 1_000_000 + fraction
    }
  }

  /// The date that clocks show at this instant at a fixed offset from UTC, in hours.
  public func date(hoursFromUTC hours: Int64) -> LocalDate {
    date(secondsFromUTC: hours * 3_600)
  }

  /// The date that clocks show at this instant at a fixed offset from UTC, in seconds.
  public func date(secondsFromUTC seconds: Int64) -> LocalDate {
    let days = (microseconds + seconds * 1_000_000).quotientRoundedDown(by: 86_400_000_000)
    return LocalDate(daysSince1970: Int32(clamping: days))
  }

  /// Orders instants by time.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.microseconds < right.microseconds
  }

  /// Microseconds of the optional fraction at `index`, which is moved behind it; nil where a point has no digit after it.
  private static func fraction(_ text: Span<UInt8>, at index: inout Int) -> Int64? {
    guard text[index] == UInt8(ascii: ".") else { return .zero }
    var fraction: Int64 = 0
    var scale: Int64 = 1_000_000
    index += 1
    let start = index
    while index < text.count, let digit = digit(text[index]) {
      scale /= 10
      fraction += Int64(digit) * scale
      index += 1
    }
    return index > start ? fraction : nil
  }

  /// The offset from UTC in minutes that ends the text.
  private static func offset(_ text: Span<UInt8>, from index: Int) -> Int? {
    guard index < text.count else { return nil }
    if text[index] | 0x20 == UInt8(ascii: "z") { return text.count == index + 1 ? .zero : nil }
    let isPositive = text[index] == UInt8(ascii: "+")
    guard isPositive || text[index] == UInt8(ascii: "-"), text.count == index + 6, text[index + 3] == UInt8(ascii: ":"),
      let hours = twoDigits(text, at: index + 1), let minutes = twoDigits(text, at: index + 4), hours < 24, minutes < 60
    else { return nil }
    return isPositive ? hours * 60 + minutes : -(hours * 60 + minutes)
  }
}

extension Instant: CustomStringConvertible {
  /// The RFC 3339 text of this instant in UTC, with six fractional digits where it is not a whole second.
  public var description: String {
    let seconds = microseconds.quotientRoundedDown(by: 1_000_000)
    let fraction = Int(microseconds - seconds * 1_000_000)
    let days = seconds.quotientRoundedDown(by: 86_400)
    let second = Int(seconds - days * 86_400)
    let time = [second / 3_600, second / 60 % 60, second % 60].map { padded($0, to: 2) }.joined(separator: ":")
    let date = LocalDate(daysSince1970: Int32(clamping: days))
    return fraction == 0 ? "\(date)T\(time)Z" : "\(date)T\(time).\(padded(fraction, to: 6))Z"
  }
}

extension Instant: Encodable {
  /// Writes the RFC 3339 text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Int64 {
  /// The quotient rounded towards negative infinity, so that instants before 1970 fall on their own day.
  fileprivate func quotientRoundedDown(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
