/// Reads the texts in which the server writes values, in ISO datestyle; nil for anything else.
enum ServerText {
  static func bool(_ bytes: UnsafeRawBufferPointer) -> Bool? {
    guard bytes.count == 1 else { return nil }
    switch bytes[0] {
    case UInt8(ascii: "t"): return true
    case UInt8(ascii: "f"): return false
    default: return nil
    }
  }

  /// `\x` and two digits per byte.
  static func bytes(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    var scanner = Scanner(text)
    guard scanner.skip("\\"), scanner.skip("x"), text.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2 - 1)
    while !scanner.isAtEnd {
      guard let high = scanner.hexDigit(), let low = scanner.hexDigit() else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  /// `2026-03-01` or `0044-03-15 BC`, in days since 1970-01-01.
  static func date(_ text: UnsafeRawBufferPointer) -> Int32? {
    var scanner = Scanner(text)
    guard let date = scanner.date() else { return nil }
    return Int32(exactly: date.days(isBeforeChrist: scanner.isFollowedByEra())).flatMap { scanner.isAtEnd ? $0 : nil }
  }

  /// `2026-03-01 08:30:00.25+05:45`, in microseconds since 1970-01-01 UTC.
  static func timestamp(_ text: UnsafeRawBufferPointer) -> Int64? {
    var scanner = Scanner(text)
    guard let date = scanner.date(), scanner.skip(" "),
      let time = scanner.clock(), let fraction = scanner.microseconds(), let offset = scanner.offset()
    else { return nil }
    let days = date.days(isBeforeChrist: scanner.isFollowedByEra())
    guard scanner.isAtEnd else { return nil }
    // The server's last instants do not fit: they are an error like any other text that is no instant.
    let (whole, isTooBig) = (days * 86_400 + time - offset).multipliedReportingOverflow(by: 1_000_000)
    let (microseconds, isTooBigNow) = whole.addingReportingOverflow(fraction)
    return isTooBig || isTooBigNow ? nil : Int64(microseconds)
  }
}

extension ServerText {
  /// A date as written: the era stands at the very end of the text.
  private struct WrittenDate {
    var year: Int
    var month: Int
    var day: Int

    /// Days since 1970-01-01 in the proleptic Gregorian calendar. 1 BC is the year 0.
    func days(isBeforeChrist: Bool) -> Int {
      // March begins the year, so that the leap day is its last: then months follow a plain pattern.
      let march = (isBeforeChrist ? 1 - year : year) - (month <= 2 ? 1 : 0)
      let era = march >= 0 ? march / 400 : (march - 399) / 400
      let yearOfEra = march - era * 400
      let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
      return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
  }

  private struct Scanner {
    private let text: UnsafeRawBufferPointer
    private var index = 0

    init(_ text: UnsafeRawBufferPointer) {
      self.text = text
    }

    var isAtEnd: Bool { index == text.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard index < text.count, text[index] == UInt8(ascii: character) else { return false }
      index += 1
      return true
    }

    mutating func hexDigit() -> UInt8? {
      guard index < text.count, let value = Character(Unicode.Scalar(text[index])).hexDigitValue else { return nil }
      index += 1
      return UInt8(value)
    }

    /// At least `count` digits, or exactly as many.
    mutating func number(digits count: Int, orMore: Bool = false) -> Int? {
      let start = index
      var value = 0
      while index < text.count, orMore || index - start < count, (48...57).contains(text[index]) {
        value = value * 10 + Int(text[index] - 48)
        index += 1
        // No year of the server has more digits; more would not fit.
        if index - start > 9 { return nil }
      }
      return index - start < count ? nil : value
    }

    mutating func date() -> WrittenDate? {
      guard let year = number(digits: 4, orMore: true), skip("-"), let month = number(digits: 2), skip("-"),
        let day = number(digits: 2), (1...12).contains(month), (1...31).contains(day)
      else { return nil }
      return WrittenDate(year: year, month: month, day: day)
    }

    /// `08:30:00` in seconds.
    mutating func clock() -> Int? {
      guard let hour = number(digits: 2), skip(":"), let minute = number(digits: 2), skip(":"),
        let second = number(digits: 2)
      else { return nil }
      return hour * 3600 + minute * 60 + second
    }

    /// `.25` as 250,000; 0 if there is no fraction, which is what the server writes for a whole second.
    mutating func microseconds() -> Int? {
      guard skip(".") else { return 0 }
      let start = index
      guard let value = number(digits: 1, orMore: true), index - start <= 6 else { return nil }
      return (index - start..<6).reduce(value) { number, _ in number * 10 }
    }

    /// `+05:45` in seconds east of UTC; old zones have seconds too.
    mutating func offset() -> Int? {
      let isWest = skip("-")
      guard isWest || skip("+"), let hours = number(digits: 2) else { return nil }
      var seconds = hours * 3600
      for unit in [60, 1] where skip(":") {
        guard let value = number(digits: 2) else { return nil }
        seconds += value * unit
      }
      return isWest ? -seconds : seconds
    }

    mutating func isFollowedByEra() -> Bool {
      skip(" ") && skip("B") && skip("C")
    }
  }
}
