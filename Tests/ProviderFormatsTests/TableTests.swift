import Foundation
import HealthPayload
import PayloadDecoder
import ProviderFormats
import Testing

/// Holds every row of every table against the code: the field is set to zero, to null, and taken away, in a day on which the
/// device was worn (`SHAPE.worn.json`) and, where that matters, in one on which it was not (`SHAPE.unworn.json`).
struct TableTests {
  /// A field of a table in one of its states.
  struct Row: Sendable, CustomTestStringConvertible {
    let format: String
    let shape: Shape
    let rule: FieldRule
    /// Where something is changed: the field, or the field that names the state of the whole element.
    let path: String
    let state: String
    let meaning: Meaning
    let isWorn: Bool

    var testDescription: String {
      "\(format) \(shape.name) \(rule.metric) \(path) \(state), \(isWorn ? "worn" : "unworn")"
    }
  }

  static let rows: [Row] = {
    do {
      return try FormatCatalogue.builtIn().declarations.flatMap { table in
        table.shapes.flatMap { shape in shape.fields.flatMap { rows(table.name, shape, $0) } }
      }
    } catch { fatalError("\(error)") }
  }()

  private static func rows(_ format: String, _ shape: Shape, _ rule: FieldRule) -> [Row] {
    let states =
      [("zero", rule.zero), ("null", rule.null), ("absent", rule.absent)].map { (rule.path, $0.0, $0.1) }
      + shape.states.map { ($0.path, $0.state, $0.meaning) }
    return states.flatMap { path, state, meaning in
      (meaning.dependsOnWear ? [true, false] : [true]).map { isWorn in
        Row(format: format, shape: shape, rule: rule, path: path, state: state, meaning: meaning, isWorn: isWorn)
      }
    }
  }

  @Test(arguments: rows)
  func `a field in each of its states means what its table says`(_ row: Row) throws {
    let name = "\(row.shape.name).\(row.isWorn ? "worn" : "unworn")"
    let fixture = try #require(
      Fixture.all.first { $0.format == row.format && $0.name == name }, "the format lacks the fixture \(name).json")
    let before = try statements(of: fixture.delivery)
    let after = try statements(of: try changed(fixture.delivery, row))
    let metric = row.rule.metric
    switch expected(row) {
    case .refused:
      #expect(after.refused.count > before.refused.count)
      #expect(after.says[metric] == nil || before.says[metric] != after.says[metric])
    case .nothing:
      #expect(after.says[metric] == nil)
    case .outcome(let word):
      #expect(after.says[metric] == word)
      #expect(after.refused.count <= before.refused.count)
    }
  }

  private enum Expected { case refused, nothing, outcome(String) }

  private func expected(_ row: Row) -> Expected {
    switch row.meaning {
    case .impossible: .refused
    case .silence: .nothing
    case .valueIfWorn: .outcome(row.isWorn ? "zero" : "empty")
    case .value, .zero: .outcome("zero")
    case .one: .outcome("value")
    case .empty: .outcome("empty")
    case .emptyIfUnworn: row.isWorn ? .nothing : .outcome("empty")
    case .failed: .outcome("failed")
    case .unavailable: .outcome("unavailable")
    }
  }

  /// What a delivery says of each metric, of the first element that says something, and what was set aside.
  private func statements(of delivery: Data) throws -> (says: [String: String], refused: [QuarantinedEntry]) {
    guard case .payload(let payload) = decode(delivery) else {
      Issue.record("the whole delivery was refused")
      return ([:], [])
    }
    var says: [String: String] = [:]
    for record in payload.payload.records where says[record.metric] == nil {
      says[record.metric] = record.value?.isZero == true ? "zero" : "value"
    }
    for day in payload.payload.days where says[day.metric] == nil {
      switch day.outcome {
      case .value(let number, _): says[day.metric] = number.isZero ? "zero" : "value"
      case .empty: says[day.metric] = "empty"
      case .failed: says[day.metric] = "failed"
      case .denied: says[day.metric] = "denied"
      case .unavailable: says[day.metric] = "unavailable"
      }
    }
    return (says, payload.quarantined)
  }

  /// The delivery with one field of its first element changed; of a sum, each of its fields.
  private func changed(_ delivery: Data, _ row: Row) throws -> Data {
    var root = try JSONSerialization.jsonObject(with: delivery)
    let place = ["body"] + row.shape.place.split(separator: ".").map(String.init)
    // A time is the sum over all elements that have a code.
    var all = false
    if case .time = row.rule.taking { all = true }
    for path in row.path.split(separator: "+") {
      let keys = path.filter { $0 != " " }.split(separator: ".").map(String.init)
      root = patch(root, place + keys, row.state, all: all)
    }
    return try JSONSerialization.data(withJSONObject: root, options: [.sortedKeys])
  }

  private func patch(_ node: Any, _ path: [String], _ state: String, all: Bool = false) -> Any {
    // Of an array the first element is meant, or the one that the path chooses.
    if let array = node as? [Any] {
      return array.indices.map { $0 == 0 || all ? patch(array[$0], path, state, all: all) : array[$0] }
    }
    guard var object = node as? [String: Any], let step = path.first else { return node }
    let parts = step.split(whereSeparator: { "[=]".contains($0) }).map(String.init)
    if parts.count == 3 {
      let elements = object[parts[0]] as? [[String: Any]] ?? []
      object[parts[0]] = elements.map { element -> Any in
        guard element[parts[1]].map({ "\($0)" }) == parts[2] else { return element }
        return patch(element, Array(path.dropFirst()), state, all: all)
      }
    } else if path.count > 1 {
      object[step] = object[step].map { patch($0, Array(path.dropFirst()), state, all: all) }
    } else {
      object[step] = changed(object[step], state)
    }
    return object
  }

  /// A field in another state; nil where it is taken away.
  private func changed(_ value: Any?, _ state: String) -> Any? {
    switch state {
    case "zero": value is String ? "0" : 0
    case "null": NSNull()
    case "absent": nil
    case "true", "false": state == "true"
    default: Int(state).map { $0 as Any } ?? state
    }
  }
}
