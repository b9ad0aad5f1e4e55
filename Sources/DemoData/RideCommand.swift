import Foundation

/// `DemoData ride` and `DemoData rides`: the hour by bicycle of docs/why-not-zero.md, as a payload or as a table.
enum RideCommand {
  static let usage = """
    usage: DemoData ride [--seed 24] [--gaps anywhere|stopped]
           DemoData rides [--seeds 2000]
    The first prints a payload of one ride, the second a CSV of many: seed,second,speed,is_seen.
    """

  private static let person = "7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa"

  /// Prints what the arguments ask for. Returns false if they ask for something else.
  static func run(_ arguments: [String]) throws(Options.Problem) -> Bool {
    guard let command = arguments.first, ["ride", "rides"].contains(command) else { return false }
    var (seed, seeds, gaps) = (UInt64(24), 2000, Ride.Gaps.anywhere)
    var rest = arguments.dropFirst()
    while let name = rest.popFirst() {
      guard let value = rest.popFirst() else { throw Options.Problem(message: "\(name) needs a value.\n\(usage)") }
      switch (command, name) {
      case ("ride", "--seed"): seed = try read(value, name) { UInt64($0) }
      case ("ride", "--gaps"): gaps = try read(value, name) { Ride.Gaps(rawValue: $0) }
      case ("rides", "--seeds"): seeds = try read(value, name) { Int($0) }
      default: throw Options.Problem(message: "\(name) is no option of \(command).\n\(usage)")
      }
    }
    if command == "ride" { printPayload(seed, gaps) } else { printTable(seeds) }
    return true
  }

  private static func printPayload(_ seed: UInt64, _ gaps: Ride.Gaps) {
    let isFirst = gaps == .anywhere
    let payload = Ride(seed: seed, gaps: gaps).payload(
      person: person, payloadID: "40000000-0000-8000-0000-00000000000\(isFirst ? 1 : 2)",
      day: isFirst ? "2026-11-28" : "2026-11-27")
    print(payload)
  }

  private static func printTable(_ seeds: Int) {
    for seed in 1...max(1, seeds) {
      let ride = Ride(seed: UInt64(seed), gaps: .anywhere)
      let lines = ride.truth.enumerated().map { "\(seed),\($0),\($1),\(ride.lost.contains($0) ? "f" : "t")\n" }
      FileHandle.standardOutput.write(Data(lines.joined().utf8))
    }
  }

  private static func read<Value>(
    _ text: String, _ name: String, _ parse: (String) -> Value?
  ) throws(Options.Problem) -> Value {
    guard let value = parse(text) else { throw Options.Problem(message: "\(name) cannot be \(text).\n\(usage)") }
    return value
  }
}
