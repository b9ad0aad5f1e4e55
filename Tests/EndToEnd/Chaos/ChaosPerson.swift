import Foundation
import HealthPayload
import TestSupport

/// A person of the chaos suite: what is known about access and place as of a moment.
///
/// Every payload states all of it, because a statement that arrives late judges only what is merged after it. What is
/// stated changes for good: of a run of equal statements only the ends are kept, so one that comes back would make the
/// stored rows, though not what they mean, a matter of arrival.
struct ChaosPerson {
  /// One of a person's data stores.
  struct Origin {
    let json: String
    /// From which minute on which boundary holds (days before the first one of the run).
    var boundaries: [(from: Int, daysBefore: Int)]
    var states: [(from: Int, state: String)]
    var hasOwnWindow: Bool
    /// From which minute on the next major version runs.
    var upgradedAt: Int
  }

  let id: UUID
  let origins: [Origin]
  private let zone: String
  private let movesAt: Int?
  private let firstDay: Int32

  private static let pairs = [
    ("{\"platform\": \"health_connect\"", "{\"platform\": \"health_connect\", \"store\": \"tablet\""),
    ("{\"platform\": \"healthkit\"", "{\"platform\": \"garmin\", \"store\": \"account\""),
    ("{\"platform\": \"garmin\", \"store\": \"a\"", "{\"platform\": \"manual\""),
    ("{\"platform\": \"healthkit\"", "{\"platform\": \"health_connect\""),
  ]

  /// The person with a number; `firstDay` is the first one of the run, in days since 1970.
  init(seed: UInt64, number: Int, firstDay: Int32) {
    var random = SeededNumbers(seed: seed &* 1_000_003 &+ UInt64(number))
    id = UUID(seed, UInt64(number))
    zone = random.pick(["UTC", "Europe/Berlin", "America/Los_Angeles", "Pacific/Kiritimati"])
    movesAt = random.chance(30) ? random.number(10 * 1440...20 * 1440) : nil
    let pair = random.pick(Self.pairs)
    origins = [pair.0, pair.1].map { Self.origin($0, &random) }
    self.firstDay = firstDay
  }

  private static func origin(_ json: String, _ random: inout SeededNumbers) -> Origin {
    let change = random.number(5 * 1440...30 * 1440)
    let lastState = random.pick(["denied", "not_connected", "not_asked"])
    return Origin(
      json: json,
      boundaries: random.chance(40) ? [(0, -8), (change / 2, -3), (change, 20)] : [(0, 20)],
      states: random.chance(30) ? [(0, "granted"), (change, lastState)] : [(0, "granted")],
      hasOwnWindow: random.chance(25), upgradedAt: change)
  }

  /// The JSON of an instant, in minutes of the run.
  func instant(_ minute: Int) -> String {
    "\"\(Instant(microseconds: (Int64(firstDay) * 1440 + Int64(minute)) * 60_000_000))\""
  }

  /// The JSON of a day of the run.
  func date(_ day: Int) -> String { "\"\(LocalDate(daysSince1970: firstDay + Int32(day)))\"" }

  /// The blocks in which a payload that was read at a minute says what is known about the person.
  func statements(_ origin: Origin, at minute: Int) -> [String] {
    var zones = "{\"from\": \"2000-01-01T00:00:00Z\", \"iana\": \"\(zone)\"}"
    if let movesAt, minute >= movesAt { zones += ", {\"from\": \(instant(movesAt)), \"iana\": \"Asia/Tokyo\"}" }
    let daysBefore = origin.boundaries.last { $0.from <= minute }?.daysBefore
    var windows = daysBefore.map {
      "{\"metric\": null, \"kind\": \"authorized_from\", \"instant\": \(instant(-$0 * 1440 + 700))}"
    }
    if origin.hasOwnWindow {
      windows = windows.map {
        $0 + ", {\"metric\": \"steps\", \"kind\": \"counting_since\", \"instant\": \(instant(3000))}"
      }
    }
    let state = origin.states.last { $0.from <= minute }.map {
      "{\"metric\": null, \"state\": \"\($0.state)\"}, {\"metric\": \"weight\", \"state\": \"granted\"}"
    }
    return ["\"time_zones\": [\(zones)]", "\"windows\": [\(windows ?? "")]", "\"permissions\": [\(state ?? "")]"]
  }

  /// The JSON of an origin as an app of that minute words it; not every build says its system's version.
  func origin(_ origin: Origin, at minute: Int, saysVersion: Bool) -> String {
    origin.json + (saysVersion ? ", \"os_major\": \(minute >= origin.upgradedAt ? 17 : 16)}" : "}")
  }
}
