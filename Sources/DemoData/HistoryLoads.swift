/// Loads of many days at once, which are worth nothing when one of the days failed.
enum HistoryLoads {
  static func set(in story: inout Story) {
    let person = story.person
    guard person.isOnCloud || person.isOnHealthKit else { return }
    switch person.turn % 5 {
    case 0, 3: repeated(in: &story)
    case 2: withNoData(in: &story)
    case 4: abandoned(in: &story)
    default: break
    }
  }

  /// Most of the first load is zeros of a locked phone; the second one is sound.
  private static func repeated(in story: inout Story) {
    let run = story.take(6)
    guard let last = run.last, let first = story.morning(of: last) else { return }
    var good = story.again(first, readAt: first.readAt.plus(minutes: story.random.number(in: 1500...2500)))
    var bad = story.again(first, readAt: first.readAt.plus(minutes: 40))
    gather(run, into: &good, in: &story)
    bad.presence = good.presence
    bad.entries = good.entries.map { entry in
      var fake = entry
      fake.outcome = entry.day == run[2] ? .failed(failure(of: story.person)) : .value(.zero)
      return fake
    }
    bad.mode = .historyLoad
    story.drafts += [bad, good]
    for day in run { story.keep(day, .loadRepeated) }
  }

  /// An HKError 11 is no failed day: the load counts.
  private static func withNoData(in story: inout Story) {
    guard story.person.isOnHealthKit else { return }
    let run = story.take(5)
    guard let last = run.last, let first = story.morning(of: last) else { return }
    var load = story.again(first, readAt: first.readAt.plus(minutes: 30))
    gather(run, into: &load, in: &story)
    for position in load.entries.indices {
      let entry = load.entries[position]
      guard entry.metric.zeroRule == .covered, story.expectation(entry.metric, entry.day) == .zero else { continue }
      load.entries[position].outcome = .failed("HKError.11")
      load.entries[position].sources = []
    }
    story.drafts.append(load)
    for day in run { story.keep(day, .loadWithNoData) }
  }

  /// The days before the story, loaded once, with a failed day among them, and never again.
  private static func abandoned(in story: inout Story) {
    guard let start = story.days.first, let morning = story.morning(of: story.days[2]) else { return }
    let person = story.person
    var load = story.again(morning, readAt: morning.readAt.plus(minutes: 45))
    load.mode = .historyLoad
    load.entries = []
    load.presence = []
    for day in (1...10).map({ start - $0 }).reversed() {
      for metric in story.liveMetrics {
        guard let amount = story.life.amount(of: metric, on: day) else { continue }
        let outcome: Entry.Outcome = day == start - 4 ? .failed(failure(of: person)) : .value(amount)
        load.entries.append(
          Entry(metric: metric, day: day, outcome: outcome, sources: [person.watch ?? person.phone].compactMap { $0 }))
        story.set(metric, day, .absent, .loadAbandoned)
      }
    }
    story.drafts.append(load)
    story.count(.loadAbandoned)
  }

  private static func failure(of person: Person) -> String { person.isOnHealthKit ? "HKError.6" : "http.500" }

  /// Moves what the mornings would have said into one load.
  private static func gather(_ run: [Day], into load: inout Draft, in story: inout Story) {
    load.mode = .historyLoad
    load.entries = []
    load.presence = []
    for day in run {
      guard let morning = story.morning(of: day) else { continue }
      story.cancelMorning(of: day)
      load.entries += morning.entries
      load.presence += morning.presence
    }
  }
}
