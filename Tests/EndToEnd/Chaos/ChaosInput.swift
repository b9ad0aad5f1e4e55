import Foundation
import TestSupport

/// A payload of the chaos suite.
struct ChaosPayload: Sendable {
  /// Whose queue rows it comes as.
  let user: UUID
  let text: String
  /// When it arrives: the same for each delivery, because it stands in for a read time that is missing.
  let receivedAt: String
  /// Whether it is understood, and so has a receipt; else each delivery is a dead letter.
  let isUnderstood: Bool
}

/// What a number of people's apps send, and in which order it is delivered. The same seed gives the same.
///
/// Loads in pages have a page of each number once, so that it does not matter which page comes first; payload ids are
/// never used twice.
struct ChaosInput: Sendable {
  let payloads: [ChaosPayload]
  /// Positions in `payloads`, in order of delivery; a tenth of them comes twice.
  let deliveries: [Int]

  init(_ size: ChaosSize) {
    var random = SeededNumbers(seed: size.seed)
    let people = (1...size.people).map { ChaosPerson(seed: size.seed, number: $0, firstDay: size.firstDay) }
    var writer = ChaosWriter(seed: size.seed, arrival: size.arrival)
    var payloads: [ChaosPayload] = []
    var turn = 0
    while payloads.count < size.payloads {
      let person = people[turn % people.count]
      let load = turn / people.count
      // Of two dozen things that an app sends, one is a load of many days.
      if load % 24 == 7 {
        payloads += writer.load(of: person, "load \(load)", &random)
      } else {
        payloads.append(writer.single(of: person, &random))
      }
      turn += 1
    }
    let count = payloads.count
    let again = (0..<count / 10).map { _ in random.number(0...count - 1) }
    self.payloads = payloads
    deliveries = (Array(0..<count) + again).shuffled(using: &random)
  }
}

/// Writes payloads, each with an id of its own.
struct ChaosWriter {
  private let seed: UInt64
  /// When most of it arrives. Not long ago: a load that has waited for a week is given up.
  private let arrival: String
  private var count: UInt64 = 0

  private static let metrics = [
    "steps", "steps", "flights_climbed", "workout_count", "hydration", "sleep_duration", "sleep_deep",
    "heart_rate_avg", "weight", "basal_energy", "wrist_temp_deviation",
  ]
  private static let sources = ["watch", "phone", "android", "com.android.healthconnect.phone.j1"]
  /// Days that the run tells of; reads go on for some days more.
  private static let days = 30

  init(seed: UInt64, arrival: String) {
    self.seed = seed
    self.arrival = arrival
  }

  /// What one read found out.
  mutating func single(of person: ChaosPerson, _ random: inout SeededNumbers) -> ChaosPayload {
    let day = random.number(0...Self.days - 1)
    // Few instants, so that reads of a person share some.
    let minute = (day + random.pick([0, 1, 1, 2, 5])) * 1440 + random.pick([400, 900, 1380])
    let days = (0...random.number(0...2)).map { max(0, day - $0) }
    let entries = (1...random.number(1...9)).map { _ in Self.entry(of: person, random.pick(days), &random) }
    let saysTime = random.chance(97)
    var read = ["\"mode\": \"reread\""]
    if saysTime { read.append("\"read_at\": \(person.instant(minute))") }
    if random.chance(2) { read.append("\"last_successful_read_at\": null") }
    if random.chance(4) { read.append("\"all_or_nothing\": true") }
    let text = payload(of: person, minute: minute, read, entries, days, &random)
    let isBroken = random.chance(1)
    return ChaosPayload(
      user: person.id, text: isBroken ? Self.broken(text, &random) : text,
      receivedAt: saysTime ? arrival : person.instant(minute).replacing("\"", with: ""), isUnderstood: !isBroken)
  }

  /// A load of two to five pages. One in five has a day that failed; one in ten never gets all its pages.
  mutating func load(of person: ChaosPerson, _ name: String, _ random: inout SeededNumbers) -> [ChaosPayload] {
    let pages = random.number(2...5)
    let failing = random.chance(20) ? random.number(1...pages) : nil
    let missing = random.chance(10) ? random.number(1...pages) : nil
    let start = random.number(0...Self.days - 6)
    let minute = (start + 8) * 1440
    return (1...pages).filter { $0 != missing }.map { page in
      let day = start + page - 1
      var entries = (1...random.number(3...8)).map { _ in Self.entry(of: person, day, canFail: false, &random) }
      if page == failing {
        entries.append(
          "{\"metric\": \"steps\", \"local_date\": \(person.date(day)), \"outcome\": \"failed\", \"code\": \"HKError.6\"}"
        )
      }
      let read = [
        "\"read_at\": \(person.instant(minute + page))", "\"mode\": \"history_load\"", "\"load_id\": \"\(name)\"",
        "\"page\": \(page)", "\"final_page\": \(page == pages)",
      ]
      return ChaosPayload(
        user: person.id, text: payload(of: person, minute: minute + page, read, entries, [day], &random),
        receivedAt: arrival, isUnderstood: true)
    }
  }

  private mutating func payload(
    of person: ChaosPerson, minute: Int, _ read: [String], _ entries: [String], _ days: [Int],
    _ random: inout SeededNumbers
  ) -> String {
    count += 1
    // Pages of a load come from one store.
    let origin = read.contains { $0.contains("load_id") } ? person.origins[0] : random.pick(person.origins)
    var blocks = [
      "\"schema\": \"dailymetricd.sync/1\"",
      "\"payload_id\": \"\(UUID(seed.multipliedReportingOverflow(by: 31).partialValue, random.next() &+ count))\"",
      "\"user_id\": \"\(person.id)\"",
      "\"origin\": \(person.origin(origin, at: minute, saysVersion: random.chance(60)))",
      "\"read\": {\(read.joined(separator: ", "))}",
    ]
    blocks += person.statements(origin, at: minute)
    if random.chance(50) {
      blocks.append("\"presence\": [\(Self.presence(of: person, random.pick(days), &random))]")
    }
    if random.chance(50) { blocks.append("\"readable\": [\"steps\", \"flights_climbed\", \"workout_count\"]") }
    if random.chance(10) {
      blocks.append(
        "\"backfill\": [{\"metric\": \"steps\", \"state\": \"running\", \"reached\": \(person.date(days[0]))}]")
    }
    blocks.append("\"days\": [\(entries.joined(separator: ", "))]")
    return "{\(blocks.joined(separator: ", "))}"
  }

  private static func entry(
    of person: ChaosPerson, _ day: Int, canFail: Bool = true, _ random: inout SeededNumbers
  ) -> String {
    let metric = random.pick(metrics)
    var fields = ["\"metric\": \"\(metric)\"", "\"local_date\": \(person.date(day))"]
    switch random.number(0...(canFail ? 99 : 79)) {
    case ..<40:
      let value =
        metric == "wrist_temp_deviation" ? random.pick(["0.5", "-0.5", "0"]) : random.pick(["40", "41.5", "42"])
      fields += ["\"outcome\": \"value\"", "\"value\": \(random.chance(2) ? "9999999" : value)", names(&random)]
    case ..<57: fields += ["\"outcome\": \"value\"", "\"value\": 0", names(&random)]
    case ..<78: fields.append("\"outcome\": \"empty\"")
    case ..<80: fields += ["\"outcome\": \"value\"", "\"value\": \"12\""]
    case ..<92:
      let code = random.pick(["HKError.6", "http.429", "http.500", "HKError.11", "HealthConnectException.8"])
      fields += ["\"outcome\": \"failed\"", "\"code\": \"\(code)\""]
    default: fields.append("\"outcome\": \"\(random.pick(["denied", "unavailable"]))\"")
    }
    if random.chance(8) { fields.append("\"complete\": false") }
    return "{\(fields.joined(separator: ", "))}"
  }

  private static func names(_ random: inout SeededNumbers) -> String {
    let names = sources.shuffled(using: &random).prefix(random.pick([0, 1, 1, 2]))
    return "\"sources\": [\(names.map { "\"\($0)\"" }.joined(separator: ", "))]"
  }

  private static func presence(of person: ChaosPerson, _ day: Int, _ random: inout SeededNumbers) -> String {
    "{\"local_date\": \(person.date(day)), \"source\": \"\(random.pick(sources))\", "
      + "\"kind\": \"\(random.pick(["wear", "carry"]))\", \"minutes\": \(random.pick([0, 30, 600]))}"
  }

  /// What no boundary can use.
  private static func broken(_ text: String, _ random: inout SeededNumbers) -> String {
    random.chance(50) ? String(text.prefix(text.count / 2)) : text.replacing("dailymetricd.sync/1", with: "other/2")
  }
}
