import Foundation
import HealthPayload

/// Makes payloads of the app's own types, the same for the same seed.
struct PayloadGenerator {
  private var random: SeededGenerator
  /// The most entries of a block.
  private let most: Int
  private let metrics = [
    "steps", "active_energy", "weight", "sleep_duration", "hydration", "wrist_temp_deviation", "basal_energy",
  ]

  init(seed: UInt64, most: Int = 4) {
    random = SeededGenerator(seed: seed)
    self.most = most
  }

  mutating func payload() -> SyncPayload {
    let origin = Origin(
      platform: pick(["healthkit", "health_connect", "oura", "manual"]), store: pick(["", "s-1"]),
      installationID: maybe("i/1~\"\\"),
      osMajor: maybe(27), appBuild: maybe("4\n12"))
    let read = ReadContext(
      readAt: maybe(Instant(microseconds: 1_790_000_000_000_123)), mode: pick(ReadContext.Mode.allCases),
      allOrNothing: maybe(false),
      lastSuccess: pick([.unstated, .at(Instant(microseconds: 1_700_000_000_000_001))]), loadID: maybe("load"),
      page: maybe(2), finalPage: maybe(true))
    var payload = SyncPayload(payloadID: uuid(), userID: uuid(), origin: origin, read: read)
    payload.timeZones = some {
      TimeZoneStatement(iana: $0.pick(["UTC", "Europe/Berlin"]), from: $0.maybe($0.instant()))
    }
    payload.windows = some { ReadWindow(metric: $0.maybe("steps"), boundary: $0.boundary()) }
    payload.permissions = some {
      Permission(metric: $0.maybe("weight"), state: $0.pick(Permission.State.allCases), since: $0.maybe($0.instant()))
    }
    payload.presence = some {
      Presence(localDate: $0.date(), source: $0.source(), kind: $0.pick(Presence.Kind.allCases), minutes: $0.maybe(0))
    }
    payload.days = some { $0.day() }
    payload.hours = some { $0.hour() }
    payload.records = some { $0.record() }
    payload.workouts = some { $0.workout() }
    payload.deletions = some { Deletion($0.deletion(), kind: $0.maybe("gone")) }
    payload.backfill = some {
      BackfillState(
        metric: $0.maybe("steps"), state: $0.pick(BackfillState.State.allCases), reached: $0.maybe($0.date()))
    }
    payload.readable = some { $0.pick(["steps", "weight"]) }
    payload.looked = some { random in
      let first = random.date()
      return LookedRange(metric: random.maybe("steps"), from: first, to: first.adding(days: 1))
    }
    return payload
  }

  mutating func day() -> DayEntry {
    let outcome: DayEntry.Outcome = pick([
      .value(number(), unit: nil), .value(number(), unit: nil), .value(number(), unit: nil), .empty, .failed(code: nil),
      .failed(code: "HKError.6"), .denied(code: "SecurityException"), .unavailable(code: nil),
    ])
    return DayEntry(
      metric: pick(metrics), localDate: date(), outcome: outcome, sources: some { $0.source() }.uniqued(),
      complete: maybe(true),
      coveredMinutes: maybe(0))
  }

  private mutating func hour() -> HourEntry {
    HourEntry(
      metric: pick(metrics), localDate: date(), localHour: pick([0, 9, 23]),
      seen: pick([.nothing, .value(number(), unit: nil, coveredMinutes: pick([1, 42, 60]))]),
      minutes: pick([HourEntry.usualMinutes, 120]))
  }

  private mutating func workout() -> Workout {
    let start = instant()
    let fixes = some { random -> LocationSample? in
      LocationSample(
        RawLocation(
          latitude: random.pick([51.5007, -33.9]), longitude: random.pick([-0.1246, 151.2]),
          horizontalAccuracy: random.pick([0, 5]), altitude: random.pick([12.25, -3]), ellipsoidalAltitude: .nan,
          verticalAccuracy: random.pick([-1, 3]), speed: random.pick([-1, 0, 5.5]),
          speedAccuracy: random.pick([-1, 0.4]),
          course: -1, courseAccuracy: -1, timestamp: Date(random.instant())))
    }
    let beats = some { random -> HeartRateSample? in
      HeartRateSample(RawHeartRate(beatsPerMinute: random.pick([61, 142.5]), timestamp: Date(random.instant())))
    }
    return Workout(
      recordID: source(), localDate: date(), source: maybe("watch"), start: start,
      end: Instant(microseconds: start.microseconds + 3_600_000_000), entry: pick(RecordEntry.Entry.allCases),
      locations: fixes.compactMap { $0 }, heartRates: beats.compactMap { $0 })
  }

  private mutating func record() -> RecordEntry {
    RecordEntry(
      recordID: source(), metric: pick(metrics), localDate: date(), source: "w", start: maybe(instant()),
      end: maybe(instant()),
      value: maybe(number()), entry: pick(RecordEntry.Entry.allCases))
  }

  private mutating func boundary() -> ReadWindow.Boundary {
    let instant = maybe(instant())
    return pick([
      .authorizedFrom(instant), .platformFloor(instant), .countingSince(instant),
      .history(firstGrantAt: self.instant(), permission: false, ownData: false),
      .history(firstGrantAt: nil, permission: true, ownData: false),
    ])
  }

  private mutating func deletion() -> Deletion.Target {
    let start = instant()
    return pick([
      .record(id: source()),
      .interval(metric: "steps", start: start, end: Instant(microseconds: start.microseconds + 7)),
    ])
  }

  /// A number that lies in the range of every metric above.
  mutating func number() -> ExactNumber {
    let text = pick(["2", "2.5", "7.000001", "3.14159", "9"])
    guard let number = ExactNumber(text) else { preconditionFailure("\(text) is a number") }
    return number
  }

  private mutating func uuid() -> UUID {
    func byte() -> UInt8 { UInt8.random(in: .min ... .max, using: &random) }
    return UUID(
      uuid: (
        byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(), byte(),
        byte(), byte()
      ))
  }

  mutating func date() -> LocalDate { LocalDate(daysSince1970: Int32.random(in: 20_000...20_700, using: &random)) }
  mutating func instant() -> Instant {
    Instant(microseconds: Int64.random(in: 0...1_790_000_000_000_000, using: &random))
  }
  mutating func source() -> String {
    pick(["watch", "phöne \u{1F4F1}", "a\"b\\c/d\u{1}", "com.example.a-very-long-name.of.an.app"])
  }
  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: choices.indices, using: &random)]
  }
  mutating func maybe<Element>(_ value: Element) -> Element? { Bool.random(using: &random) ? value : nil }

  private mutating func some<Element>(_ make: (inout PayloadGenerator) -> Element) -> [Element] {
    (0..<Int.random(in: 0...most, using: &random)).map { _ in make(&self) }
  }
}

extension [String] {
  fileprivate func uniqued() -> [String] {
    reduce(into: []) { unique, element in if !unique.contains(element) { unique.append(element) } }
  }
}
