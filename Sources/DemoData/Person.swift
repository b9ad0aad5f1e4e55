/// A kind of participant: which platforms report, which devices there are, and which metrics.
struct Role {
  let platforms: [(name: String, osMajor: Int?)]
  let hasPhone: Bool
  let hasWatch: Bool
  let metrics: [Metric]

  /// Twelve kinds; people take them in turn, so that every trap finds somebody to happen to.
  static let all: [Role] = [
    Role(phone: true, watch: true, [.steps, .activeEnergy, .basalEnergy, .workouts], on: ("healthkit", 26)),
    Role(phone: true, watch: false, [.steps, .floors, .water], on: ("healthkit", 27)),
    Role(phone: false, watch: true, [.sleep, .restingHeartRate, .exercise], on: ("healthkit", 27)),
    Role(phone: true, watch: false, [.steps, .distance, .water], on: ("health_connect", 14)),
    Role(phone: true, watch: false, [.steps, .floors, .water], on: ("health_connect", 13)),
    Role(phone: true, watch: true, [.steps, .sleep, .basalEnergy], on: ("health_connect", 15)),
    Role(phone: false, watch: true, [.steps, .activeEnergy, .sleep], on: ("fitbit", nil)),
    Role(phone: false, watch: true, [.steps, .floors, .heartRate], on: ("garmin", nil)),
    Role(phone: false, watch: true, [.sleep, .deepSleep, .wristTemperature], on: ("oura", nil)),
    Role(phone: false, watch: true, [.steps, .weight], on: ("withings", nil)),
    Role(phone: false, watch: false, [.water, .caffeine, .mindfulness], on: ("manual", nil)),
    Role(phone: true, watch: true, [.steps, .floors, .sleep], on: ("healthkit", 27), ("garmin", nil)),
    Role(phone: true, watch: true, [.steps, .floors, .sleep], on: ("health_connect", 14), ("fitbit", nil)),
  ]

  private init(
    phone: Bool, watch: Bool, _ metrics: [Metric], on platforms: (name: String, osMajor: Int?)...
  ) {
    self.platforms = platforms
    hasPhone = phone
    hasWatch = watch
    self.metrics = metrics
  }
}

/// One data store that is read on behalf of a person.
struct Origin: Hashable {
  var platform: String
  let store: String
  let installation: String
  let osMajor: Int?

  /// A cloud account is read by a server: it has tokens and rate limits instead of a lock screen.
  var isCloud: Bool { ["fitbit", "garmin", "oura", "withings"].contains(platform) }
}

/// One participant of the demo.
struct Person {
  let index: Int
  let id: String
  let role: Role
  /// Which of the people with this role, from 0: it chooses the traps that last for weeks.
  let turn: Int
  let origins: [Origin]
  let phone: String?
  let watch: String?
  /// Where the person lives from which instant on, in order.
  let stays: [(from: Moment, zone: Zone)]
  let metrics: [Metric]

  var platform: String { origins[0].platform }
  var hasTwoPlatforms: Bool { origins.count > 1 }
  var isOnHealthKit: Bool { platform == "healthkit" && !hasTwoPlatforms }
  var isOnHealthConnect: Bool { platform == "health_connect" && !hasTwoPlatforms }
  var isOnCloud: Bool { origins[0].isCloud && !hasTwoPlatforms }

  /// The end of a local date in the westernmost zone in which the person spent some of it; never too early.
  func end(of day: Day) -> Moment { ends(of: day).max() ?? day.utc(36) }

  /// The ends of a local date in each zone in which the person spent some of it.
  func ends(of day: Day) -> [Moment] {
    var found: [Moment] = []
    for (position, stay) in stays.enumerated() {
      let touchesNext = position + 1 < stays.count ? stay.zone.start(of: day) < stays[position + 1].from : true
      if touchesNext, stay.zone.end(of: day) > stay.from { found.append(stay.zone.end(of: day)) }
    }
    return found
  }

  /// The days on which the person changes the zone.
  var travelDays: [Day] { stays.dropFirst().map { Day(number: $0.from.seconds / 86_400) } }
}

extension Person {
  private static let homes: [Zone] = [
    .berlin, .newYork, .london, .tokyo, .losAngeles, .saoPaulo, .berlin, .kolkata, .chicago, .sydney, .london,
    .newYork, .berlin, .honolulu,
  ]
  private static let journeys: [(from: Zone, to: Zone)] = [
    (.berlin, .tokyo), (.newYork, .losAngeles), (.london, .sydney), (.kolkata, .london),
  ]

  /// Makes the participant with a number; everything about it follows from the number and the generator.
  static func make(index: Int, firstDay: Day, random: inout SplitMix64) -> Person {
    let position = index % (Role.all.count - 1)
    let turn = index / (Role.all.count - 1)
    // The last two roles are the two pairs of platforms; they take turns in one place.
    let role = position == Role.all.count - 2 && turn % 2 == 1 ? Role.all[Role.all.count - 1] : Role.all[position]
    let id = random.uuid()
    let origins = role.platforms.map { platform in
      let account = "\(platform.name)-\(random.number(in: 1000...9999))"
      return Origin(
        platform: platform.name, store: ["healthkit", "manual"].contains(platform.name) ? "" : account,
        installation: "inst-\(random.number(in: 100_000...999_999))", osMajor: platform.osMajor)
    }
    return Person(
      index: index, id: id, role: role, turn: turn, origins: origins,
      phone: role.hasPhone ? phoneName(origins[0], &random) : nil,
      watch: role.hasWatch ? watchName(origins[origins.count - 1]) : nil,
      stays: stays(index: index, turn: turn, firstDay: firstDay), metrics: role.metrics)
  }

  private static func phoneName(_ origin: Origin, _ random: inout SplitMix64) -> String {
    // Since June 2026 Health Connect gives the phone's own steps a synthetic package name per device and app.
    origin.platform == "health_connect"
      ? "com.android.healthconnect.phone.\(String(random.next() % 0xFFFF_FFFF, radix: 16))" : "phone-a"
  }

  private static func watchName(_ origin: Origin) -> String {
    switch origin.platform {
    case "fitbit": "charge-6"
    case "garmin": "forerunner-265"
    case "oura": "ring-4"
    case "withings": "scanwatch-2"
    case "health_connect": "com.example.watch"
    default: "watch-a"
    }
  }

  private static func stays(index: Int, turn: Int, firstDay: Day) -> [(from: Moment, zone: Zone)] {
    let newYear = Day(year: 2026, month: 1, day: 1).utc(0)
    guard turn == 3, index % 2 == 0 else { return [(newYear, homes[index * 5 % homes.count])] }
    let journey = journeys[index / 2 % journeys.count]
    let departure = firstDay + 20 + index % 5
    return [(newYear, journey.from), (departure.utc(12), journey.to), ((departure + 9).utc(12), journey.from)]
  }
}
