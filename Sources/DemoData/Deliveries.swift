/// Payloads that come late, twice, in the wrong order, or with other numbers than before.
enum Deliveries {
  static func set(in story: inout Story) {
    if !story.person.hasTwoPlatforms {
      lateWatch(in: &story)
      corrections(in: &story)
      olderReadsLater(in: &story)
      zerosAfterValues(in: &story)
      oldBuild(in: &story)
    }
    duplicates(in: &story)
    reusedID(in: &story)
  }

  /// The phone's part is there in the morning; the watch brings the rest days later.
  private static func lateWatch(in story: inout Story) {
    guard story.person.watch != nil else { return }
    for _ in 0..<2 {
      for day in story.take(where: { $0.life.days[$1]?.isWatchWorn == true }) {
        guard let good = story.morning(of: day) else { continue }
        let percent = story.random.number(in: 20...60)
        let source = story.person.phone
        story.changeMorning(of: day) { draft in
          draft.presence = []
          for position in draft.entries.indices {
            let part = partBeforeSync(draft.entries[position], percent: percent, source: source)
            draft.entries[position] = part
          }
        }
        story.drafts.append(
          story.again(good, readAt: good.readAt.plus(minutes: story.random.number(in: 1440...5000))))
        story.keep(day, .lateWatch)
      }
    }
  }

  private static func partBeforeSync(_ entry: Entry, percent: Int, source: String?) -> Entry {
    var part = Entry(metric: entry.metric, day: entry.day, outcome: .empty)
    if case .value(let amount) = entry.outcome, entry.metric.recorder == .phoneOrWatch,
      amount.part(percent: percent) > .zero
    {
      part.outcome = .value(amount.part(percent: percent))
      part.sources = source.map { [$0] } ?? entry.sources
    }
    // What a watch does not bring is not held up by it.
    return [.log, .scale].contains(entry.metric.recorder) ? entry : part
  }

  /// Platforms remove double counting afterwards: the later read is lower, and it is right.
  private static func corrections(in story: inout Story) {
    for isOutOfOrder in [false, false, true] {
      let found = story.take { story, day in
        story.liveMetrics.contains { $0.accumulates && story.expectation($0, day) == .measured }
      }
      for day in found {
        guard let good = story.morning(of: day) else { continue }
        let later = story.again(good, readAt: good.readAt.plus(minutes: story.random.number(in: 600...4000)))
        story.changeMorning(of: day) { draft in
          draft.inflate()
          if isOutOfOrder { draft.arrival = later.arrival.plus(minutes: 90) }
        }
        story.drafts.append(later)
        story.keep(day, isOutOfOrder ? .outOfOrder : .correctedDown)
      }
    }
  }

  /// A read of the evening that is delivered after the morning's.
  private static func olderReadsLater(in story: inout Story) {
    guard story.hasSums else { return }
    for _ in 0..<2 {
      for day in story.take() {
        guard let morning = story.morning(of: day) else { continue }
        var evening = story.evening(before: morning, day)
        evening.arrival = morning.arrival.plus(minutes: story.random.number(in: 60...2000))
        story.drafts.append(evening)
        story.keep(day, .outOfOrder)
      }
    }
  }

  private static func zerosAfterValues(in story: inout Story) {
    for _ in 0..<2 {
      for day in story.take(where: { $0.isFullyMeasured($1) }) {
        guard let morning = story.morning(of: day) else { continue }
        var later = story.again(morning, readAt: morning.readAt.plus(minutes: story.random.number(in: 600...5000)))
        later.presence = []
        later.entries = story.liveMetrics.map { Entry.nothing(of: $0, on: day) }
        story.drafts.append(later)
        story.keep(day, .zeroAfterValue)
      }
    }
  }

  /// No read block, no zones, no presence: its numbers are as good as any.
  private static func oldBuild(in story: inout Story) {
    guard story.person.turn % 2 == 0 else { return }
    for day in story.take(where: { $0.isFullyMeasured($1) }) {
      story.changeMorning(of: day) { $0.flaw = .oldBuild }
      story.keep(day, .oldBuild)
    }
  }

  private static func duplicates(in story: inout Story) {
    for _ in 0..<3 {
      for day in story.take() {
        let delay = story.random.number(in: 5...3000)
        let isWrittenAnew = story.random.chance(50)
        story.changeMorning(of: day) { draft in
          draft.echoes.append(
            Draft.Echo(arrival: draft.arrival.plus(minutes: delay), isWrittenAnew: isWrittenAnew))
        }
        story.keep(day, .duplicate)
      }
    }
  }

  private static func reusedID(in story: inout Story) {
    guard story.person.turn % 2 == 1 else { return }
    for day in story.take(where: { $0.isFullyMeasured($1) }) {
      guard let morning = story.morning(of: day) else { continue }
      var other = story.again(morning, readAt: morning.readAt.plus(minutes: 60))
      other.payloadID = morning.payloadID
      other.arrival = morning.arrival.plus(minutes: story.random.number(in: 100...2000))
      other.inflate()
      story.drafts.append(other)
      story.keep(day, .reusedID)
    }
  }
}
