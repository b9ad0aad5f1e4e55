/// A command's arguments as they were written; the values are not looked at yet.
public struct ParsedArguments: Sendable, Equatable {
  /// Value of each flag that was given, by flag; a toggle has an empty one.
  public var flags: [String: String] = [:]
  /// Everything else, in order.
  public var positionals: [String] = []
}

/// The command line cannot be understood.
public struct UsageError: Error, Sendable, Equatable {
  /// What is wrong and what is close to it.
  public let message: String

  /// An error with its sentence.
  public init(_ message: String) { self.message = message }
}

/// Reads a command line by a list of settings: `--flag value`, `--flag=value`, `--` before names that begin with a dash.
public struct ArgumentParser: Sendable {
  private let settings: [Setting]
  private let positionals: [String]
  private let takesMore: Bool
  private let needed: [Setting]

  /// `positionals` are the names of the arguments that must be there, in order; with `takesMore` others may follow.
  /// `needed` are the settings among `settings` that must be given.
  public init(settings: [Setting], positionals: [String], takesMore: Bool = false, needed: [Setting] = []) {
    self.needed = needed
    self.settings = settings
    self.positionals = positionals
    self.takesMore = takesMore
  }

  /// Sorts the arguments into flags and the rest. With --help nothing else needs to be right.
  public func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
    var parsed = ParsedArguments()
    let options = arguments.prefix { $0 != "--" }
    if options.contains("--help") || options.contains("-h") {
      parsed.flags[Setting.help.flag] = ""
      return parsed
    }
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        parsed.positionals += rest
        break
      }
      // A lone dash is a name: standard input.
      guard argument.hasPrefix("-"), argument != "-" else {
        parsed.positionals.append(argument)
        continue
      }
      try read(argument, &rest, into: &parsed)
    }
    try check(parsed.positionals)
    for setting in needed where parsed.flags[setting.flag] == nil {
      throw UsageError("\(setting.flag) \(setting.placeholder) is missing")
    }
    return parsed
  }

  private func read(
    _ argument: String, _ rest: inout ArraySlice<String>, into parsed: inout ParsedArguments
  ) throws(UsageError) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let flag = parts[0]
    guard let setting = settings.first(where: { $0.flag == flag }) else { throw unknown(flag) }
    guard parsed.flags[flag] == nil else { throw UsageError("\(flag) is given twice") }
    guard setting.takesValue else {
      guard parts.count == 1 else { throw UsageError("\(flag) takes no value") }
      parsed.flags[flag] = ""
      return
    }
    guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
      throw UsageError("\(flag) needs a value: \(flag) \(setting.placeholder)")
    }
    parsed.flags[flag] = value
  }

  private func check(_ given: [String]) throws(UsageError) {
    if given.count < positionals.count { throw UsageError("\(positionals[given.count]) is missing") }
    if given.count > positionals.count, !takesMore {
      throw UsageError("\"\(given[positionals.count])\" is one argument too many")
    }
  }

  private func unknown(_ flag: String) -> UsageError {
    let close = Spelling.closest(to: flag, among: settings.map(\.flag))
    return UsageError("there is no option \(flag)" + (close.map { "; did you mean \($0)?" } ?? ""))
  }
}

/// Finds what somebody probably meant.
public enum Spelling {
  /// The candidate that differs least from `word`, or nil if none is close.
  public static func closest(to word: String, among candidates: [String]) -> String? {
    let limit = max(1, word.count / 3)
    let best = candidates.map { (name: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
    guard let best, best.distance <= limit else { return nil }
    return best.name
  }

  /// Letters to insert, delete, replace, or swap with their neighbour until the two are equal.
  static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var rows = [Array(0...right.count)]
    for (index, letter) in left.enumerated() {
      var row = [index + 1]
      for column in right.indices {
        let replaced = rows[index][column] + (right[column] == letter ? 0 : 1)
        var edits = min(replaced, row[column] + 1, rows[index][column + 1] + 1)
        if index > 0, column > 0, letter == right[column - 1], left[index - 1] == right[column] {
          edits = min(edits, rows[index - 1][column - 1] + 1)
        }
        row.append(edits)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
