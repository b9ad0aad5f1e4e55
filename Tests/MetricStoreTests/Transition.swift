import Foundation
import TestSupport

/// One line of `transitions.txt`, with the payloads that play it.
struct Transition: Sendable {
  /// When what comes was read, compared with what made the state before.
  enum Read: String, CaseIterable {
    case newer, equal, older
  }

  let before: String
  let comes: String
  let read: Read
  let after: String

  static let states = [
    "none", "deleted_at_source", "provider_error", "not_yet_synced", "invalid_reading", "not_authorized",
    "before_authorized_history", "outside_history_window", "not_authorized_or_no_data", "no_source_coverage",
    "metric_unavailable", "not_connected", "measured", "zero", "open", "counted",
  ]
  static let outcomes = ["value", "zero", "empty", "failed", "denied", "unavailable", "invalid"]
  static let deletions = ["delete-id", "delete-day", "delete-part"]

  static let day = "2026-11-28"
  private static let midnight = "2026-11-29T00:00:00Z"

  /// The lines of a text. Comments begin with #.
  static func read(_ text: String) throws -> [Transition] {
    try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let words = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard words.count == 4, let read = Read(rawValue: words[2]) else {
        throw TransitionError(description: "no transition: \(line)")
      }
      return Transition(before: words[0], comes: words[1], read: read, after: words[3])
    }
  }

  // MARK: The payloads

  private static let steps = "\"metric\": \"steps\", \"local_date\": \"\(day)\""
  private static let readable = "\"readable\": [\"steps\"]"
  private static let worn =
    "\"presence\": [{\"local_date\": \"\(day)\", \"source\": \"watch\", \"kind\": \"wear\", \"minutes\": 600}]"

  private static func entry(_ rest: String) -> String { "\"days\": [{\(steps), \(rest)}]" }
  private static func value(_ number: Int) -> String {
    entry("\"outcome\": \"value\", \"value\": \(number), \"sources\": [\"watch\"]")
  }
  private static func record(_ id: String, _ number: Int, hour: Int) -> String {
    "{\"record_id\": \"\(id)\", \(steps), \"source\": \"watch\", \"value\": \(number), "
      + "\"start\": \"\(day)T\(hour):00:00Z\", \"end\": \"\(day)T\(hour + 1):00:00Z\"}"
  }
  private static func window(_ kind: String) -> String {
    "\"windows\": [{\"metric\": null, \"kind\": \"\(kind)\", \"instant\": \"\(midnight)\"}]"
  }
  private static func deletion(_ start: String, _ end: String) -> String {
    "\"deletions\": [{\"metric\": \"steps\", \"start\": \"\(start)\", \"end\": \"\(end)\"}]"
  }
  private static let empty = entry("\"outcome\": \"empty\"")
  private static let number = [value(5000), "\"records\": [\(record("r1", 5000, hour: 10))]", readable, worn]

  private static func payload(id: Int, _ person: UUID, readAt: String, _ blocks: [String]) -> String {
    let head = [
      "\"schema\": \"dailymetricd.sync/1\"", "\"user_id\": \"\(person)\"",
      "\"payload_id\": \"\(UUID(0, UInt64(id)))\"",
      "\"origin\": {\"platform\": \"healthkit\"}", "\"read\": {\"read_at\": \"\(readAt)\"}",
      "\"time_zones\": [{\"from\": \"2000-01-01T00:00:00Z\", \"iana\": \"UTC\"}]",
    ]
    return "{\((head + blocks).joined(separator: ", "))}"
  }

  /// What leads to the state before, in the order in which it comes.
  func preparation(_ person: UUID) throws -> [String] {
    let time = before == "open" ? "\(Self.day)T18:00:00Z" : "2026-11-29T12:00:00Z"
    let made = Self.payload(id: 500, person, readAt: time, try blocksBefore())
    guard before == "deleted_at_source" else { return [made] }
    return [Self.payload(id: 400, person, readAt: "2026-11-29T09:00:00Z", Self.number), made]
  }

  private func blocksBefore() throws -> [String] {
    let (readable, worn) = (Self.readable, Self.worn)
    switch before {
    case "none": return [readable, worn]
    case "deleted_at_source": return ["\"deletions\": [{\"record_id\": \"r1\"}]", readable, worn]
    case "provider_error": return [Self.entry("\"outcome\": \"failed\", \"code\": \"http.500\""), readable, worn]
    case "not_yet_synced": return [Self.entry("\"outcome\": \"failed\", \"code\": \"HKError.6\""), readable, worn]
    case "invalid_reading":
      return [Self.entry("\"outcome\": \"value\", \"value\": 5, \"unit\": \"furlong\""), readable, worn]
    case "not_authorized": return [Self.entry("\"outcome\": \"denied\""), readable, worn]
    case "before_authorized_history": return [Self.empty, Self.window("authorized_from"), readable, worn]
    case "outside_history_window": return [Self.empty, Self.window("platform_floor"), readable, worn]
    case "not_authorized_or_no_data": return [Self.empty, worn]
    case "no_source_coverage": return [Self.empty, readable]
    case "metric_unavailable": return [Self.entry("\"outcome\": \"unavailable\""), readable, worn]
    case "not_connected":
      return [Self.empty, "\"permissions\": [{\"metric\": null, \"state\": \"not_connected\"}]", readable, worn]
    case "measured", "open": return Self.number
    case "zero": return [Self.value(0), readable, worn]
    case "counted":
      let records = [Self.record("r1", 3000, hour: 10), Self.record("r2", 2000, hour: 14)]
      let looked = "\"looked\": [{\"metric\": \"steps\", \"from\": \"\(Self.day)\", \"to\": \"\(Self.day)\"}]"
      return ["\"records\": [\(records.joined(separator: ", "))]", looked, readable, worn]
    default: throw TransitionError(description: "nothing leads to \(before)")
    }
  }

  /// What comes; `withLesserID`: its id is less than that of what made the state, else greater.
  func arrival(_ person: UUID, withLesserID: Bool = false) throws -> String {
    let time =
      switch (before, read) {
      case ("open", .equal): "\(Self.day)T18:00:00Z"
      case ("open", .older): "\(Self.day)T12:00:00Z"
      case (_, .newer): "2026-11-29T13:00:00Z"
      case (_, .equal): "2026-11-29T12:00:00Z"
      case (_, .older): "2026-11-29T11:00:00Z"
      }
    return Self.payload(id: withLesserID ? 100 : 900, person, readAt: time, [try blockThatComes(), Self.readable])
  }

  private func blockThatComes() throws -> String {
    switch comes {
    case "value": Self.value(7000)
    case "zero": Self.value(0)
    case "empty": Self.empty
    case "failed": Self.entry("\"outcome\": \"failed\", \"code\": \"http.503\"")
    case "denied": Self.entry("\"outcome\": \"denied\"")
    case "unavailable": Self.entry("\"outcome\": \"unavailable\"")
    case "invalid": Self.value(9_999_999)
    case "delete-id": "\"deletions\": [{\"record_id\": \"r1\"}]"
    case "delete-day": Self.deletion("\(Self.day)T00:00:00Z", Self.midnight)
    case "delete-part": Self.deletion("\(Self.day)T10:00:00Z", "\(Self.day)T12:00:00Z")
    default: throw TransitionError(description: "\(comes) cannot come")
    }
  }
}

/// Why the table of transitions cannot be played.
struct TransitionError: Error, CustomStringConvertible {
  let description: String
}
