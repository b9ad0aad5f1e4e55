/// What one person really did on one day, and which devices were there to see it.
struct LivedDay {
  let isWatchWorn: Bool
  let isPhoneCarried: Bool
  /// Spent in bed with the devices on: no step is taken, and that is a fact.
  let isSpentInBed: Bool
  /// Metrics that the person wrote down, or stepped on the scale for.
  let logged: Set<Metric>
  let amounts: [Metric: Amount]

  /// The sources that recorded a metric; empty: nobody saw it.
  func sources(of metric: Metric, for person: Person) -> [String] {
    let phone = isPhoneCarried ? person.phone : nil
    let watch = isWatchWorn ? person.watch : nil
    return switch metric.recorder {
    case .phoneOrWatch: [watch, phone].compactMap { $0 }
    case .watch: [watch].compactMap { $0 }
    case .log: logged.contains(metric) ? [person.platform == "manual" ? "self" : "app.waterlog"] : []
    case .scale: logged.contains(metric) ? ["scale-body"] : []
    }
  }
}

/// The truth: what a person did on each day, whatever the platforms make of it later.
struct Life {
  let person: Person
  private(set) var days: [Day: LivedDay] = [:]

  init(of person: Person, days: ClosedRange<Day>, random: inout SplitMix64) {
    self.person = person
    let body = Body(random: &random)
    for number in days.lowerBound.number...days.upperBound.number {
      self.days[Day(number: number)] = Life.day(of: person, body: body, random: &random)
    }
  }

  /// What the person did; nil only for days that were not simulated.
  func amount(of metric: Metric, on day: Day) -> Amount? { days[day]?.amounts[metric] }

  private static func day(of person: Person, body: Body, random: inout SplitMix64) -> LivedDay {
    let bed = !person.hasTwoPlatforms && random.chance(3)
    let logged = Metric.allCases.filter { metric in
      switch metric.recorder {
      case .log: random.chance(85)
      case .scale: random.chance(45)
      default: false
      }
    }
    var amounts: [Metric: Amount] = [:]
    for metric in Metric.allCases { amounts[metric] = body.amount(of: metric, inBed: bed, random: &random) }
    if amounts[.sleep] == .zero { amounts[.deepSleep] = .zero }
    let steps = bed ? 0 : random.number(in: 2_400...14_800)
    amounts[.steps] = .whole(steps)
    amounts[.distance] = .whole(steps * 72 / 100)
    return LivedDay(
      isWatchWorn: person.watch != nil && (bed || random.chance(86)),
      isPhoneCarried: person.phone != nil && (bed || random.chance(92)),
      isSpentInBed: bed, logged: Set(logged), amounts: amounts)
  }
}

/// What stays the same about a person from day to day.
private struct Body {
  let basal: Int
  let restingRate: Int
  let weight: Int

  init(random: inout SplitMix64) {
    basal = random.number(in: 13_500...18_500)
    restingRate = random.number(in: 48...66)
    weight = random.number(in: 5_400...9_600)
  }

  func amount(of metric: Metric, inBed: Bool, random: inout SplitMix64) -> Amount {
    switch metric {
    case .steps, .distance: .zero
    case .floors: .whole(inBed || random.chance(22) ? 0 : random.number(in: 1...21))
    case .activeEnergy: .tenths(random.number(in: 1_600...9_600))
    case .basalEnergy: .tenths(basal + random.number(in: -300...300))
    case .exercise: .whole(inBed || random.chance(30) ? 0 : random.number(in: 4...95))
    case .workouts: .whole(inBed || random.chance(60) ? 0 : random.number(in: 1...2))
    case .sleep: .whole(random.chance(2) ? 0 : random.number(in: 290...545))
    case .deepSleep: .whole(random.chance(9) ? 0 : random.number(in: 18...115))
    case .restingHeartRate: .whole(restingRate + random.number(in: -3...5))
    case .heartRate: .tenths(restingRate * 10 + random.number(in: 90...260))
    case .wristTemperature: .hundredths(random.chance(12) ? 0 : 5 * random.number(in: -16...16))
    case .weight: .hundredths(weight + random.number(in: -90...90))
    case .water: .whole(random.chance(5) ? 0 : 50 * random.number(in: 14...60))
    case .caffeine: .whole(random.chance(15) ? 0 : 20 * random.number(in: 2...22))
    case .mindfulness: .whole(random.chance(20) ? 0 : random.number(in: 3...45))
    case .foodEnergy: .whole(random.number(in: 1_400...3_100))
    }
  }
}
