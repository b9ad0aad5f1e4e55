import TestSupport

/// Records that move, come again and go, by id and by interval; and looks at whole ranges.
extension PayloadSet {
  static func recordBlocks(_ random: inout SeededNumbers) -> [String] {
    func some(_ make: (inout SeededNumbers) -> String) -> String {
      (1...random.pick([1, 2, 4])).map { _ in make(&random) }.joined(separator: ", ")
    }
    var blocks: [String] = []
    if random.chance(80) { blocks.append("\"records\": [\(some(record))]") }
    if random.chance(50) { blocks.append("\"deletions\": [\(some(deletion))]") }
    if random.chance(40) { blocks.append("\"looked\": [\(some(range))]") }
    return blocks
  }

  private static func id(_ random: inout SeededNumbers) -> String {
    "\"record_id\": \"\(random.pick(["a", "b", "c", "d", "e", "5C6C1A52-6A31-4C1C-9F3E-0B7F51B1D001"]))\""
  }

  private static func record(_ random: inout SeededNumbers) -> String {
    let day = random.pick(days)
    var fields = [
      id(&random), "\"metric\": \"\(random.pick(metrics))\"", "\"local_date\": \"\(day)\"",
      "\"value\": \(random.pick([0, 60, 61, 70]))",
    ]
    if random.chance(80) { fields.append("\"source\": \"\(random.pick(sources))\"") }
    if random.chance(60) {
      let hour = random.pick([11, 12, 13])
      fields += ["\"start\": \"\(day)T\(hour):00:00Z\"", "\"end\": \"\(day)T\(hour + 2):00:00Z\""]
    }
    if random.chance(10) { fields.append("\"entry\": \"manual\"") }
    return "{\(fields.joined(separator: ", "))}"
  }

  private static func deletion(_ random: inout SeededNumbers) -> String {
    guard random.chance(30) else { return "{\(id(&random).replacing("5C6C", with: "5c6c"))}" }
    let (start, end) = random.pick([("27T00", "28T00"), ("27T10", "27T14"), ("26T00", "29T00")])
    return
      "{\"metric\": \"\(random.pick(metrics))\", \"start\": \"2026-11-\(start):00:00Z\", \"end\": \"2026-11-\(end):00:00Z\"}"
  }

  private static func range(_ random: inout SeededNumbers) -> String {
    let metric = random.chance(50) ? "null" : "\"\(random.pick(metrics))\""
    return
      "{\"metric\": \(metric), \"from\": \"2026-11-\(random.pick([26, 27]))\", \"to\": \"2026-11-\(random.pick([27, 28]))\"}"
  }
}
