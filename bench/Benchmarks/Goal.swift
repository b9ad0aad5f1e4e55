import Foundation

/// A figure, what is aimed at, and what was seen.
struct Goal: Codable {
  let what: String
  let isAtLeast: Bool
  /// nil: nothing is aimed at; it stands beside another for comparison.
  let goal: Double?
  let seen: Double
  let least: Double
  let most: Double

  /// - Parameter rounds: one value of each round, at least one.
  init(_ what: String, atLeast goal: Double, _ rounds: [Double]) { self.init(what, true, goal, rounds) }

  init(_ what: String, atMost goal: Double, _ rounds: [Double]) { self.init(what, false, goal, rounds) }

  init(beside what: String, _ rounds: [Double]) { self.init(what, false, nil, rounds) }

  private init(_ what: String, _ isAtLeast: Bool, _ goal: Double?, _ rounds: [Double]) {
    self.what = what
    self.isAtLeast = isAtLeast
    self.goal = goal
    seen = Self.median(rounds)
    least = rounds.reduce(.infinity, min)
    most = rounds.reduce(-.infinity, max)
  }

  var isMet: Bool {
    guard let goal else { return true }
    return isAtLeast ? seen >= goal : seen <= goal
  }

  /// Goals and what was seen beside each other, a line each.
  static func table(_ goals: [Goal]) -> String {
    let width = 2 + goals.reduce(4) { max($0, $1.what.count) }
    let head = "what".padding(toLength: width, withPad: " ", startingAt: 0) + "goal      seen      (rounds)"
    return ([head] + goals.map { $0.line(width) }).joined(separator: "\n")
  }

  private func line(_ width: Int) -> String {
    let aim = goal.map { "\(isAtLeast ? ">=" : "<=") " + String(format: "%-6.2f", $0) } ?? "         "
    return what.padding(toLength: width, withPad: " ", startingAt: 0) + aim
      + String(format: " %-8.2f  (%.2f to %.2f)", seen, least, most) + (isMet ? "" : "  missed")
  }

  /// The one in the middle, or between the two in the middle.
  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// The value below which this share of them lies.
  static func quantile(_ share: Double, _ values: [Double]) -> Double {
    values.sorted()[min(values.count - 1, Int(share * Double(values.count)))]
  }
}

/// What is kept of a run.
enum Report {
  static func write(_ results: some Encodable, to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(results).write(to: URL(filePath: path))
  }
}
