import Foundation
import TestSupport

/// What a few stores say about a few days of one or two persons, with every kind of contradiction.
///
/// Each payload states the zones, windows and permissions that it is to be judged by: a statement that arrives late would
/// judge only what comes after it.
struct PayloadSet {
  struct Payload {
    /// 0 or 1.
    let person: Int
    /// The text, with USER in the place of the person's id.
    let text: String
  }

  let seed: UInt64
  let payloads: [Payload]

  init(seed: UInt64, payloads: [Payload]) {
    self.seed = seed
    self.payloads = payloads
  }

  static let metrics = [
    "steps", "steps", "steps", "flights_climbed", "hydration", "sleep_duration", "sleep_deep", "heart_rate_avg",
    "wrist_temp_deviation", "weight", "basal_energy",
  ]
  private static let origins = ["health_connect", "health_connect\", \"store\": \"b", "healthkit", "garmin", "manual"]
  static let sources = ["watch", "phone", "android", "com.android.healthconnect.phone.j1"]
  static let days = ["2026-11-26", "2026-11-27", "2026-11-28"]

  init(seed: UInt64) {
    var random = SeededNumbers(seed: seed)
    let origins = Array(Self.origins.shuffled(using: &random).prefix(2))
    self.seed = seed
    payloads = (1...Int.random(in: 3...8, using: &random)).map { number in
      Payload(
        person: random.chance(30) ? 1 : 0,
        text: Self.payload(number, seed: seed, origin: random.pick(origins), &random))
    }
  }

  private static func payload(_ number: Int, seed: UInt64, origin: String, _ random: inout SeededNumbers) -> String {
    let entries = (1...Int.random(in: 1...6, using: &random)).map { _ in entry(&random) }
    // A few hours only, so that reads share an instant.
    let hour = random.pick([6, 7, 20])
    var blocks = [
      "\"schema\": \"dailymetricd.sync/1\"", "\"user_id\": \"USER\"",
      "\"payload_id\": \"\(UUID(seed, UInt64(number)).uuidString)\"",
      "\"origin\": {\"platform\": \"\(origin)\"}",
      "\"read\": {\"read_at\": \"2026-11-\(random.pick([27, 28, 29]))T\(hour < 10 ? "0" : "")\(hour):00:00Z\"}",
      "\"time_zones\": [{\"from\": \"2000-01-01T00:00:00Z\", \"iana\": \"\(random.chance(90) ? "UTC" : "Europe/Berlin")\"}]",
      "\"permissions\": [{\"metric\": null, \"state\": \"\(random.chance(85) ? "granted" : "denied")\"}]",
      "\"windows\": [{\"metric\": null, \"kind\": \"authorized_from\", \"instant\": \"2026-11-\(random.chance(80) ? "20T00" : "27T12"):00:00Z\"}]",
      "\"days\": [\(entries.joined(separator: ", "))]",
    ]
    if random.chance(40) { blocks.append("\"presence\": [\(presence(&random))]") }
    if random.chance(50) { blocks.append("\"readable\": [\"steps\", \"flights_climbed\"]") }
    if random.chance(60) { blocks += recordBlocks(&random) }
    return "{\(blocks.joined(separator: ", "))}"
  }

  private static func entry(_ random: inout SeededNumbers) -> String {
    let metric = random.pick(metrics)
    var fields = ["\"metric\": \"\(metric)\"", "\"local_date\": \"\(random.pick(days))\""]
    switch Int.random(in: 0..<100, using: &random) {
    case ..<35:
      let value = metric == "wrist_temp_deviation" ? random.pick(["0.5", "-0.5"]) : random.pick(["60", "61.5", "70"])
      fields += ["\"outcome\": \"value\"", "\"value\": \(value)", named(&random)]
    case ..<55: fields += ["\"outcome\": \"value\"", "\"value\": 0", named(&random)]
    case ..<78: fields.append("\"outcome\": \"empty\"")
    case ..<90:
      let code = random.pick(["HKError.6", "http.429", "http.500", "HKError.11"])
      fields += ["\"outcome\": \"failed\"", "\"code\": \"\(code)\""]
    default: fields.append("\"outcome\": \"\(random.pick(["denied", "unavailable"]))\"")
    }
    if random.chance(10) { fields.append("\"complete\": false") }
    return "{\(fields.joined(separator: ", "))}"
  }

  private static func named(_ random: inout SeededNumbers) -> String {
    let names = sources.shuffled(using: &random).prefix(random.pick([0, 1, 1, 2]))
    return "\"sources\": [\(names.map { "\"\($0)\"" }.joined(separator: ", "))]"
  }

  private static func presence(_ random: inout SeededNumbers) -> String {
    "{\"local_date\": \"\(random.pick(days))\", \"source\": \"\(random.pick(sources))\", "
      + "\"kind\": \"\(random.pick(["wear", "carry"]))\", \"minutes\": \(random.pick([0, 30, 600]))}"
  }
}
