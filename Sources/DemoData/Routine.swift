/// The plain days: each morning every origin reports the day before, and says what its devices saw.
enum Routine {
  static func tell(_ story: inout Story) {
    for day in story.days {
      story.mornings[day] = []
      for (position, origin) in story.person.origins.enumerated() {
        tell(day, from: origin, position: position, in: &story)
      }
    }
  }

  /// The morning's read, some hours after the day was over wherever the person was.
  private static func tell(_ day: Day, from origin: Origin, position: Int, in story: inout Story) {
    let person = story.person
    guard let lived = story.life.days[day] else { return }
    // Of two platforms each is the later one on every other day, and the later one has the better level.
    let isLater = person.hasTwoPlatforms && (day.number + position) % 2 == 0
    let usual = person.end(of: day).plus(minutes: story.random.number(in: 390...480) + (isLater ? 100 : 0))
    let latest = story.deadline.plus(minutes: story.random.number(in: -20 ... -14) + (isLater ? 10 : 0))
    let readAt = min(usual, latest)
    var draft = story.draft(from: origin, readAt: readAt)
    if story.random.chance(5) { draft.arrival = delayed(draft.arrival, in: &story) }
    draft.readable = origin.platform == "healthkit" ? person.metrics : []
    if origin.isCloud { draft.permissions = [Permission(metric: nil, state: .granted)] }
    if origin.platform == "health_connect" { draft.windows = [longGranted] }
    let isOver = person.end(of: day) <= readAt
    draft.presence = presence(on: day, lived, of: origin, isOver: isOver, in: &story)
    for metric in person.metrics {
      let view = Sight.of(metric, on: day, lived, by: origin, position: position, isLater: isLater, story: &story)
      draft.entries.append(isOver ? view.entry : view.openEntry(&story.random))
      claim(metric, day, view.claim, isOver: isOver, in: &story)
    }
    story.mornings[day]?.append(story.drafts.count)
    story.drafts.append(draft)
  }

  private static func claim(
    _ metric: Metric, _ day: Day, _ claim: Claim?, isOver: Bool, in story: inout Story
  ) {
    guard var claim else { return }
    if !isOver { claim = Claim(truth: claim.truth, expectation: .lowerBound, trap: .lastDay) }
    story.claims[Cell(metric: metric, day: day)] = claim
  }

  /// Health Connect was allowed in summer: its thirty days end long before the demo begins.
  private static let longGranted = Window(
    metric: nil,
    kind: .history(firstGrant: Day(year: 2026, month: 8, day: 1).utc(9), permission: false, ownData: false))

  /// A phone without a network delivers days later.
  private static func delayed(_ arrival: Moment, in story: inout Story) -> Moment {
    min(arrival.plus(minutes: story.random.number(in: 300...4000)), story.deadline.plus(minutes: 15))
  }

  private static func presence(
    on day: Day, _ lived: LivedDay, of origin: Origin, isOver: Bool, in story: inout Story
  ) -> [Presence] {
    let person = story.person
    var presence: [Presence] = []
    let ownsWatch = origin == person.origins[person.origins.count - 1]
    if let watch = person.watch, ownsWatch {
      if lived.isWatchWorn {
        let minutes = story.random.number(in: isOver ? 780...1400 : 60...600)
        presence.append(Presence(day: day, source: watch, kind: .wear, minutes: minutes))
      } else if story.random.chance(30) {
        // Zero minutes say that it lay in a drawer; that is no evidence of anything.
        presence.append(Presence(day: day, source: watch, kind: .wear, minutes: 0))
      }
    }
    if let phone = person.phone, lived.isPhoneCarried, lived.isSpentInBed, origin == person.origins[0] {
      presence.append(Presence(day: day, source: phone, kind: .carry, minutes: story.random.number(in: 90...600)))
    }
    return presence
  }
}
