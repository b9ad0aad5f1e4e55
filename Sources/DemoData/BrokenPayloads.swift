/// Payloads that must not be believed, as a whole or in one entry, and must not stop the others.
enum BrokenPayloads {
  static func set(in story: inout Story) {
    guard !story.person.hasTwoPlatforms else { return }
    halfSent(in: &story)
    foreign(in: &story)
    for _ in 0..<2 { brokenEntry(in: &story) }
    if story.person.turn % 3 == 0 { brokenStatement(in: &story) }
  }

  private static func halfSent(in story: inout Story) {
    let isSentAgain = story.person.turn % 2 == 0
    for day in story.take() {
      guard let good = story.morning(of: day) else { continue }
      let flaw = Draft.Flaw.halfSent(percent: story.random.number(in: 60...95))
      story.changeMorning(of: day) { $0.flaw = flaw }
      guard isSentAgain else {
        story.lose(day, .halfSentForGood)
        continue
      }
      var again = story.again(good, readAt: good.readAt)
      again.arrival = good.arrival.plus(minutes: 45)
      story.drafts.append(again)
      story.keep(day, .halfSent)
    }
  }

  /// A payload that cannot be placed repeats the day with higher numbers. None of them may be seen.
  private static func foreign(in story: inout Story) {
    for day in story.take(where: { $0.isFullyMeasured($1) }) {
      guard let morning = story.morning(of: day) else { continue }
      var stranger = story.again(morning, readAt: morning.readAt.plus(minutes: 20))
      stranger.inflate()
      let trap: Trap
      switch story.person.index % 3 {
      case 0:
        stranger.origin.platform = "samsung_health"
        trap = .unknownPlatform
      case 1:
        stranger.flaw = .missingPlatform
        trap = .missingPlatform
      default:
        stranger.flaw = .foreignSchema
        trap = .foreignSchema
      }
      story.drafts.append(stranger)
      story.keep(day, trap)
    }
  }

  private static func brokenEntry(in story: inout Story) {
    let candidates = story.liveMetrics.filter { $0 != .sleep }
    guard !candidates.isEmpty else { return }
    let metric = story.random.pick(candidates)
    let garble = Garble.allCases[(story.person.index + story.drafts.count) % Garble.allCases.count]
    for day in story.take(where: { $0.expectation(metric, $1) == .measured && $0.hasNoZero($1) }) {
      guard let amount = story.life.amount(of: metric, on: day) else { continue }
      story.changeMorning(of: day) { draft in
        draft.change(metric) { $0.outcome = .garbled(garble, amount) }
      }
      story.set(metric, day, .unknown, .brokenEntry)
      story.count(.brokenEntry)
      guard garble == .farFuture else { continue }
      story.set(metric, Day(year: 2036, month: 1, day: 1), .absent, .futureDate)
      story.count(.futureDate)
    }
  }

  private static func brokenStatement(in story: inout Story) {
    for day in story.take() {
      story.changeMorning(of: day) { $0.strayZone = "Mars/Olympus_Mons" }
      story.keep(day, .brokenStatement)
    }
  }
}
