/// Days that were read while they were running: what they say is a lower bound.
enum OpenDays {
  static func set(in story: inout Story) {
    guard !story.person.hasTwoPlatforms, story.hasSums else { return }
    longDay(in: &story)
    readAgain(in: &story)
    readOnce(in: &story)
  }

  private static func readAgain(in story: inout Story) {
    for _ in 0..<3 {
      for day in story.take() {
        guard let morning = story.morning(of: day) else { continue }
        story.drafts.append(story.evening(before: morning, day))
        story.keep(day, .openDay)
      }
    }
  }

  private static func readOnce(in story: inout Story) {
    for day in story.take() {
      guard let morning = story.morning(of: day) else { continue }
      let evening = story.evening(before: morning, day)
      story.cancelMorning(of: day)
      story.drafts.append(evening)
      story.claimOpen(day, evening, .openForGood)
      story.count(.openForGood)
    }
  }

  /// When summer time ends the day has 25 hours. The app believes in 24, and calls the day complete too early.
  private static func longDay(in story: inout Story) {
    let europe = Day(year: 2026, month: 10, day: 25)
    let america = Day(year: 2026, month: 11, day: 1)
    let zone = story.person.stays[0].zone
    let day = [.berlin, .london].contains(zone) ? europe : america
    guard [.berlin, .london, .newYork, .chicago, .losAngeles].contains(zone), story.person.turn % 2 == 0 else { return }
    for day in story.take(where: { $1 == day }) {
      guard let morning = story.morning(of: day) else { continue }
      var early = story.evening(before: morning, day)
      early.readAt = story.person.end(of: day).plus(minutes: -story.random.number(in: 15...45))
      early.arrival = early.readAt.plus(minutes: 12)
      for position in early.entries.indices { early.entries[position].isComplete = true }
      story.cancelMorning(of: day)
      story.drafts.append(early)
      story.claimOpen(day, early, .longDay)
      story.count(.longDay)
    }
  }

  /// What has been counted of the day after the last one, where it has begun.
  static func setToday(in story: inout Story) {
    let person = story.person
    guard person.index % 2 == 0, !person.hasTwoPlatforms, story.hasSums, let last = story.days.last,
      let morning = story.morning(of: last), let lived = story.life.days[last + 1]
    else { return }
    let readAt = story.deadline.plus(minutes: -story.random.number(in: 1...4))
    guard person.end(of: last) < readAt else { return }
    var today = story.again(morning, readAt: readAt)
    today.mode = .incremental
    today.presence = []
    today.entries = story.liveMetrics.filter(\.accumulates).map { metric in
      let sight = Sight.of(
        metric, on: last + 1, lived, by: person.origins[0], position: 0, isLater: false, story: &story)
      return sight.openEntry(&story.random)
    }
    story.drafts.append(today)
    story.claimOpen(last + 1, today, .lastDay)
  }
}

extension Story {
  /// A read some hours before the end of the day: parts of sums, and nothing that needs the night.
  mutating func evening(before morning: Draft, _ day: Day) -> Draft {
    var evening = again(morning, readAt: person.end(of: day).plus(minutes: -random.number(in: 180...380)))
    evening.mode = .incremental
    evening.presence = morning.presence.map { seen in
      Presence(day: seen.day, source: seen.source, kind: seen.kind, minutes: seen.minutes * 2 / 3)
    }
    evening.entries = morning.entries.filter(\.metric.accumulates).map { entry in
      Sight(entry: entry, claim: nil).openEntry(&random)
    }
    return evening
  }

  /// What may be said about a day that this read alone has seen, while it was open.
  mutating func claimOpen(_ day: Day, _ read: Draft, _ trap: Trap) {
    for metric in liveMetrics where life.amount(of: metric, on: day) != nil {
      if metric.accumulates || days.contains(day) { set(metric, day, .unknown, trap) }
    }
    for entry in read.entries where !muted.contains(entry.metric) {
      if case .value(let amount) = entry.outcome, amount > .zero { set(entry.metric, day, .lowerBound, trap) }
    }
  }
}
