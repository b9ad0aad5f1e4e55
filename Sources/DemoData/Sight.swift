/// What one origin sees of one metric on one day, and what may be claimed because of it.
struct Sight {
  var entry: Entry
  /// nil: another origin's sight decides.
  var claim: Claim?

  /// What the same read finds while the day is still running.
  func openEntry(_ random: inout SplitMix64) -> Entry {
    var open = entry
    open.isComplete = false
    if case .value(let amount) = entry.outcome, entry.metric.accumulates {
      let part = amount.part(percent: random.number(in: 20...85))
      open.outcome = part > .zero ? .value(part) : .empty
    }
    return open
  }

  static func of(
    _ metric: Metric, on day: Day, _ lived: LivedDay, by origin: Origin, position: Int, isLater: Bool,
    story: inout Story
  ) -> Sight {
    guard let truth = lived.amounts[metric] else {
      return Sight(entry: Entry(metric: metric, day: day, outcome: .empty), claim: nil)
    }
    let person = story.person
    if person.hasTwoPlatforms {
      return shared(metric, day, lived, truth, origin: origin, position: position, isLater: isLater, story: &story)
    }
    let sources = lived.sources(of: metric, for: person)
    guard !sources.isEmpty else { return unseen(metric, day, truth, by: origin, story: &story) }
    if truth == .zero { return zero(metric, day, lived, sources, story: &story) }
    return Sight(
      entry: Entry(metric: metric, day: day, outcome: .value(truth), sources: sources),
      claim: Claim(truth: truth, expectation: .measured, trap: .plain))
  }

  /// A zero that a present device saw: platforms say it as an empty result or as a number.
  private static func zero(
    _ metric: Metric, _ day: Day, _ lived: LivedDay, _ sources: [String], story: inout Story
  ) -> Sight {
    let isSaid = metric.zeroRule == .explicit || metric.zeroRule == .ordinary || story.random.chance(50)
    let trap: Trap =
      switch metric.zeroRule {
      case .explicit: .loggedZero
      case .ordinary: .ordinaryZero
      case .parent: lived.amounts[.sleep] == .zero ? .noNight : .noDeepSleep
      default: lived.isSpentInBed ? .inBed : .restDay
      }
    let entry = Entry(
      metric: metric, day: day, outcome: isSaid ? .value(.zero) : .empty, sources: isSaid ? sources : [])
    return Sight(
      entry: entry, claim: Claim(truth: .zero, expectation: trap == .noNight ? .unknown : .zero, trap: trap))
  }

  /// Nobody saw it. Some platforms stay silent and some say zero; neither is a measurement.
  private static func unseen(
    _ metric: Metric, _ day: Day, _ truth: Amount, by origin: Origin, story: inout Story
  ) -> Sight {
    var entry = Entry(metric: metric, day: day, outcome: .empty)
    var trap: Trap = metric.recorder == .log || metric.recorder == .scale ? .notLogged : .notWorn
    switch metric.zeroRule {
    case .covered where metric.recorder == .phoneOrWatch && story.person.phone != nil:
      trap = .phoneAtHome
      if story.random.chance(60), let phone = story.person.phone {
        entry.outcome = .value(.zero)
        entry.sources = [phone]
      }
    case .covered, .parent:
      if origin.isCloud || story.random.chance(30) { entry.outcome = .value(.zero) }
    case .explicit where metric == .sleep && origin.isCloud:
      // A zero that names no source: nobody slept with it on.
      entry.outcome = .value(.zero)
    case .never where metric == .basalEnergy && origin.platform == "health_connect":
      trap = .derivedDefault
      entry.outcome = .value(.tenths(15_645))
    default: break
    }
    return Sight(entry: entry, claim: Claim(truth: truth, expectation: .unknown, trap: trap))
  }
}

extension Sight {
  /// Phone on one platform and watch on another: the watch sees everything, the phone a part of it.
  private static func shared(
    _ metric: Metric, _ day: Day, _ lived: LivedDay, _ truth: Amount, origin: Origin, position: Int, isLater: Bool,
    story: inout Story
  ) -> Sight {
    let isPhone = position == 0
    guard let device = isPhone ? story.person.phone : story.person.watch else {
      return Sight(entry: Entry(metric: metric, day: day, outcome: .empty), claim: nil)
    }
    if metric == .sleep { return sharedLevel(day, lived, truth, device, isLater: isLater, story: &story) }
    let isSeen = isPhone ? lived.isPhoneCarried : lived.isWatchWorn
    let isAlone = !(isPhone ? lived.isWatchWorn : lived.isPhoneCarried)
    var entry = Entry(metric: metric, day: day, outcome: .empty, sources: [device])
    guard isSeen else {
      entry.outcome = .value(.zero)
      let isUnseen = isAlone && isPhone
      return Sight(
        entry: entry,
        claim: isUnseen ? Claim(truth: truth, expectation: .unknown, trap: .phoneAtHome) : nil)
    }
    let seen = isPhone && !isAlone ? truth.part(percent: story.random.number(in: 55...95)) : truth
    if seen > .zero { entry.outcome = .value(seen) } else { entry.sources = [] }
    guard isAlone || !isPhone else { return Sight(entry: entry, claim: nil) }
    let trap: Trap = truth == .zero ? .restDay : isAlone ? .zeroBesideValue : .largerSum
    return Sight(
      entry: entry, claim: Claim(truth: truth, expectation: truth == .zero ? .zero : .measured, trap: trap))
  }

  /// Both estimate the night; the later read is the one to believe.
  private static func sharedLevel(
    _ day: Day, _ lived: LivedDay, _ truth: Amount, _ device: String, isLater: Bool, story: inout Story
  ) -> Sight {
    var entry = Entry(metric: .sleep, day: day, outcome: .empty)
    guard lived.isWatchWorn else {
      return Sight(entry: entry, claim: Claim(truth: truth, expectation: .unknown, trap: .notWorn))
    }
    let night = max(truth, .whole(300))
    let estimate = isLater ? night : Amount(millionths: night.millionths + 20_000_000)
    entry.outcome = .value(estimate)
    entry.sources = [device]
    return Sight(
      entry: entry, claim: isLater ? Claim(truth: night, expectation: .measured, trap: .newestLevel) : nil)
  }
}
