/// The canonical spelling of a platform's error code, such as `HKError.6`, `HealthConnectException.7` or `http.429`.
///
/// It is lenient in spelling (`hkerror 6`, `HKErrorDomain Code=6`, `HKError.errorDatabaseInaccessible` are one) and strict
/// in meaning: whatever is not one of the known forms stays as it is.
public func platformCode(_ raw: String) -> String {
  let letters = Array(raw.lowercased().utf8).trimming { $0 == UInt8(ascii: " ") || $0 == 0x09 || $0 == 0x0A }
  if let rest = letters.after("hk", "error") {
    return ErrorName.healthKit(rest).map { "HKError.\($0)" } ?? raw
  }
  if let rest = letters.after("health", "connect", "exception") {
    return ErrorName.healthConnect(rest).map { "HealthConnectException.\($0)" } ?? raw
  }
  if let rest = letters.after("http") { return httpCode(rest) ?? raw }
  return raw
}

/// `http.` with three digits, and the word after them if there is one.
private func httpCode(_ letters: ArraySlice<UInt8>) -> String? {
  let rest = letters.trimming(ErrorName.isSeparator)
  let status = rest.prefix(3)
  guard status.count == 3, status.allSatisfy(ErrorName.isDigit),
    rest.dropFirst(3).first.map(ErrorName.isDigit) != true
  else { return nil }
  let word = rest.dropFirst(3).trimming(ErrorName.isSeparator)
  let code = "http.\(String(decoding: status, as: UTF8.self))"
  return word.isEmpty ? code : "\(code).\(String(decoding: word, as: UTF8.self))"
}

/// What names an error behind the name of its domain: a number or a symbol.
private enum ErrorName {
  /// Symbols of HKError by their numbers, from 1.
  private static let healthKitSymbols = [
    "healthdataunavailable", "healthdatarestricted", "invalidargument", "authorizationdenied",
    "authorizationnotdetermined", "databaseinaccessible", "usercanceled", "anotherworkoutsessionstarted",
    "userexitedworkoutsession", "requiredauthorizationdenied", "nodata", "workoutactivitynotallowed",
    "datasizeexceeded", "backgroundworkoutsessionnotallowed", "notpermissibleforguestusermode",
  ]
  /// Symbols of HealthConnectException by their numbers, from 1.
  private static let healthConnectSymbols = [
    "unknown", "internal", "invalidargument", "io", "security", "remote", "ratelimitexceeded", "datasyncinprogress",
    "unsupportedoperation",
  ]

  static func healthKit(_ letters: ArraySlice<UInt8>) -> Int? {
    var rest = letters
    if let domain = rest.after("domain") { rest = domain }
    rest = rest.trimming(isSeparator)
    if let code = rest.after("code") { rest = code }
    return number(rest) ?? symbol(rest, in: healthKitSymbols)
  }

  static func healthConnect(_ letters: ArraySlice<UInt8>) -> Int? {
    number(letters) ?? symbol(letters, in: healthConnectSymbols)
  }

  static func isSeparator(_ letter: UInt8) -> Bool { " ._:=()-".utf8.contains(letter) }
  static func isDigit(_ letter: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(letter) }

  /// A number that is all there is but for separators around it.
  private static func number(_ letters: ArraySlice<UInt8>) -> Int? {
    let digits = letters.trimming(isSeparator)
    guard !digits.isEmpty, digits.count <= 9, digits.allSatisfy(isDigit) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  /// The number of a symbol, which may be written with `error` before it and underscores in it.
  private static func symbol(_ letters: ArraySlice<UInt8>, in symbols: [String]) -> Int? {
    let joined = letters.filter { !isSeparator($0) }[...]
    let name = String(decoding: joined.after("error") ?? joined, as: UTF8.self)
    return symbols.firstIndex(of: name).map { $0 + 1 }
  }
}

extension Collection<UInt8> where SubSequence == ArraySlice<UInt8> {
  /// What follows these words, which a space or an underscore may part; nil if the text does not begin with them.
  fileprivate func after(_ words: String...) -> ArraySlice<UInt8>? {
    var rest = self[...]
    for (index, word) in words.enumerated() {
      if index > 0, let first = rest.first, first == UInt8(ascii: " ") || first == UInt8(ascii: "_") {
        rest = rest.dropFirst()
      }
      guard rest.starts(with: word.utf8) else { return nil }
      rest = rest.dropFirst(word.utf8.count)
    }
    return rest
  }

  /// The text without such bytes at its ends.
  fileprivate func trimming(_ isTrimmed: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    var rest = drop(while: isTrimmed)
    while let last = rest.last, isTrimmed(last) { rest = rest.dropLast() }
    return rest
  }
}
