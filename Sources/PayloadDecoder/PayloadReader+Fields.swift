import HealthPayload

// Reading the fields of the entry in hand. What is wrong is noted as a problem and read as nil; an entry with problems is
// never used, so that no such nil can be taken for something that was said.
extension PayloadReader {
  /// Notes a problem with the field of a key; a missing field stands where its entry stands.
  mutating func problem(_ code: QuarantineCode, _ key: Key) {
    problem(code, at: "\(place.pointer)/\(key.name)", fields[key]?.offset ?? fields.range.lowerBound)
  }

  /// Notes a problem at any place.
  mutating func problem(_ code: QuarantineCode, at pointer: String, _ offset: Int) {
    problems.append(Problem(code: code, pointer: pointer, offset: offset))
  }

  /// Puts the entry in hand into quarantine and returns the code that counts.
  @discardableResult
  mutating func refuse(_ range: Range<Int>) -> QuarantineCode? {
    for problem in problems {
      findings.append(
        Finding(
          consequence: .quarantine, code: problem.code.rawValue, pointer: problem.pointer, byteOffset: problem.offset))
    }
    guard let first = problems.min(by: { $0.code < $1.code }) else { return nil }
    quarantined.append(
      QuarantinedEntry(pointer: first.pointer, code: first.code, byteOffset: first.offset, byteRange: range))
    return first.code
  }

  /// The value of a field that must be there.
  @inline(__always)
  mutating func required(_ key: Key) -> Token? {
    guard let token = fields.optional(key) else {
      problem(.missingField, key)
      return nil
    }
    return token
  }

  /// A text of so many characters.
  @inline(__always)
  mutating func text(_ key: Key, _ token: Token?, characters: ClosedRange<Int>) -> String? {
    guard let token else { return nil }
    guard let text = scanner.bytes.text(of: token, characters: characters) else {
      problem(.invalidField, key)
      return nil
    }
    return text
  }

  /// One of the words that a field may have.
  @inline(__always)
  mutating func word<Word>(_ key: Key, _ list: WordList<Word>, else code: QuarantineCode = .invalidField) -> Word? {
    guard let token = required(key) else { return nil }
    guard let index = list.names.index(of: token, in: scanner.bytes) else {
      problem(code, key)
      return nil
    }
    return list.words[index]
  }

  /// The metric that a token names.
  @inline(__always)
  mutating func metric(_ token: Token?, _ tables: CatalogueTables) -> MetricFacts? {
    guard let token else { return nil }
    if let index = tables.metricNames.index(of: token, in: scanner.bytes) { return tables.facts[index] }
    problem(token.isString ? .unknownMetric : .invalidField, .metric)
    return nil
  }

  /// A date that exists and is not too old; one after the last possible day is returned as it is.
  @inline(__always)
  private mutating func writtenDate(_ key: Key, _ token: Token?) -> LocalDate? {
    guard let token else { return nil }
    guard token.isString else {
      problem(.invalidField, key)
      return nil
    }
    guard let date = scanner.bytes.date(of: token) else {
      problem(.invalidDate, key)
      return nil
    }
    if date < Envelope.firstDate { problem(.dateTooOld, key) }
    return date
  }

  /// A date that the read can have been about.
  @inline(__always)
  mutating func date(_ key: Key, _ token: Token?) -> LocalDate? {
    if let token, token.kind == .string, let knownDate, knownDate.print.isWhole(token.contents, in: scanner.bytes) {
      return knownDate.date
    }
    return newDate(key, token)
  }

  /// A date that the one before does not tell.
  private mutating func newDate(_ key: Key, _ token: Token?) -> LocalDate? {
    guard let token, let date = writtenDate(key, token) else { return nil }
    if date > envelope.lastDate {
      problem(.dateInFuture, key)
    } else if date >= Envelope.firstDate, token.kind == .string {
      knownDate = (NamePrint(scanner.bytes, token.contents), date)
    }
    return date
  }

  /// A date that is cut at the last one which the read can have been about.
  mutating func cutDate(_ key: Key, _ token: Token?) -> (written: LocalDate, cut: LocalDate)? {
    guard let date = writtenDate(key, token) else { return nil }
    return (date, min(date, envelope.lastDate))
  }

  /// A point in time.
  mutating func instant(
    _ key: Key, _ token: Token?, years: ClosedRange<Int> = Instant.acceptedYears
  ) -> Instant? {
    guard let token else { return nil }
    guard let instant = scanner.bytes.instant(of: token, years: years) else {
      problem(.invalidField, key)
      return nil
    }
    return instant
  }

  /// True or false; nil if the field is missing.
  @inline(__always)
  mutating func flag(_ key: Key) -> Bool? {
    guard let token = fields.optional(key) else { return nil }
    guard token.kind == .yes || token.kind == .no else {
      problem(.invalidField, key)
      return nil
    }
    return token.kind == .yes
  }

  /// A number of minutes of one day; nil if the field is missing.
  @inline(__always)
  mutating func minutes(_ key: Key) -> Int? {
    guard let token = fields.optional(key) else { return nil }
    guard let minutes = scanner.bytes.integer(of: token), (0...1_500).contains(minutes) else {
      problem(.invalidField, key)
      return nil
    }
    return minutes
  }

  /// A value with its unit: as it is written and in the metric's unit. Nil, with a problem, unless both are there.
  @inline(__always)
  mutating func measurement(_ metric: MetricFacts?, _ tables: CatalogueTables) -> Measurement? {
    if envelope.isNeverRead { problem(.neverRead, .value) }
    guard let token = fields.optional(.value) else {
      problem(.missingValue, .value)
      return nil
    }
    guard token.kind == .number,
      let number = ExactNumber(ascii: scanner.bytes.extracting(token.range), maximumDigits: limits.digits)
    else {
      problem(.notANumber, .value)
      return nil
    }
    guard let metric else { return nil }
    let whole = scanner.bytes.whole(of: token)
    guard let unit = fields.optional(.unit) else {
      return Measurement(written: number, unit: nil, converted: number, whole: whole)
    }
    if unit.kind == .string, metric.ownUnit.isWhole(unit.contents, in: scanner.bytes) {
      return Measurement(written: number, unit: 0, converted: number, whole: whole)
    }
    return measurement(number, in: unit, whole, tables.rules[metric.index])
  }

  /// A value in a unit that has to be looked up.
  private mutating func measurement(
    _ number: ExactNumber, in token: Token, _ whole: Int?, _ metric: MetricRule
  ) -> Measurement? {
    guard let unit = metric.unit(of: token, in: scanner.bytes), let converted = metric.convert(number, fromUnit: unit)
    else {
      problem(.unknownUnit, .unit)
      return nil
    }
    return Measurement(written: number, unit: unit, converted: converted, whole: unit == 0 ? whole : nil)
  }
}

/// A value as a payload wrote it, and in its metric's unit.
struct Measurement {
  let written: ExactNumber
  /// Which unit of the metric it is written in; nil if it does not say.
  let unit: Int?
  let converted: ExactNumber
  /// The digits before the point of the converted value, where they are known without computing.
  let whole: Int?
}
