/// The command line of the generator.
struct Options {
  var seed: UInt64 = 20_261_128
  var people = 60
  var days = 60
  var until = Day(year: 2026, month: 11, day: 28)
  var directory = ""

  static let usage = """
    usage: DemoData --out DIR [--seed N] [--people 60] [--days 60] [--until 2026-11-28]
    Writes DIR/payloads.ndjson and DIR/truth.csv. The same options give the same bytes.
    """

  struct Problem: Error {
    let message: String
  }

  init(_ arguments: [String]) throws(Problem) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { throw Problem(message: "\(name) needs a value.") }
      switch name {
      case "--seed": seed = try Options.read(value, name) { UInt64($0) }
      case "--people": people = try Options.number(value, name, in: 1...10_000)
      case "--days": days = try Options.number(value, name, in: 14...400)
      case "--until": until = try Options.read(value, name) { Day($0) }
      case "--out": directory = value
      default: throw Problem(message: "\(name) is no option of this command.")
      }
    }
    guard !directory.isEmpty else { throw Problem(message: "--out says where to write; it is missing.") }
  }

  private static func number(_ text: String, _ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int {
    let number = try read(text, name) { Int($0) }
    guard range.contains(number) else {
      throw Problem(message: "\(name) is from \(range.lowerBound) to \(range.upperBound), not \(text).")
    }
    return number
  }

  private static func read<Value>(
    _ text: String, _ name: String, _ parse: (String) -> Value?
  ) throws(Problem) -> Value {
    guard let value = parse(text) else { throw Problem(message: "\(name) cannot be \(text).") }
    return value
  }
}
