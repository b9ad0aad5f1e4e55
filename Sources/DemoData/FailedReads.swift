/// Reads that failed: locked phones, rate limits, revoked tokens. A failure says nothing about the person.
enum FailedReads {
  static func set(in story: inout Story) {
    if story.person.platform == "healthkit" { lockedNights(in: &story) }
    if story.person.isOnHealthKit {
      lockedForGood(in: &story)
      noData(in: &story)
      if story.person.turn == 2 { revokedInHealthApp(in: &story) }
    }
    if story.person.isOnCloud {
      if story.person.turn % 2 == 0 { tokenRevoked(in: &story) }
      rateLimits(in: &story)
    }
  }

  /// A background wake at night finds the store encrypted; in the morning the phone is unlocked.
  private static func lockedNights(in story: inout Story) {
    for _ in 0..<3 {
      for day in story.take() {
        addLockedRead(of: day, in: &story)
        story.keep(day, .lockedNight)
      }
    }
  }

  private static func lockedForGood(in story: inout Story) {
    for _ in 0..<2 {
      for day in story.take() {
        addLockedRead(of: day, in: &story)
        story.cancelMorning(of: day)
        story.lose(day, .lockedForGood)
      }
    }
  }

  private static func addLockedRead(of day: Day, in story: inout Story) {
    guard let morning = story.morning(of: day) else { return }
    var night = story.again(
      morning, readAt: story.person.end(of: day).plus(minutes: story.random.number(in: 95...260)))
    let code = story.random.pick(["HKError.6", "HKError.errorDatabaseInaccessible"])
    night.mode = .incremental
    night.lastSuccess = .at(story.person.end(of: day).plus(minutes: -200))
    fail(&night, code: code)
    night.entries += night.entries.map { entry in
      Entry(metric: entry.metric, day: day + 1, outcome: .failed(code), isComplete: false)
    }
    story.drafts.append(night)
  }

  /// The one error that is an answer: the store was read, and there was nothing in it.
  private static func noData(in story: inout Story) {
    for _ in 0..<2 {
      let found = story.take { story, day in
        story.liveMetrics.contains { $0.zeroRule == .covered && story.expectation($0, day) == .zero }
      }
      for day in found {
        for metric in story.liveMetrics where metric.zeroRule == .covered {
          guard story.expectation(metric, day) == .zero else { continue }
          story.changeMorning(of: day) { draft in
            draft.change(metric) { entry in
              entry.outcome = .failed("HKError.11")
              entry.sources = []
            }
          }
        }
        story.keep(day, .noDataError)
      }
    }
  }

  /// Unlike a permission that was never given, one that was taken back makes the reads fail.
  private static func revokedInHealthApp(in story: inout Story) {
    for day in story.take(4) {
      story.changeMorning(of: day) { fail(&$0, code: "HKError.5") }
      story.lose(day, .revokedInHealthApp)
    }
  }

  private static func rateLimits(in story: inout Story) {
    for isRetried in [true, true, false] {
      for day in story.take() {
        guard let good = story.morning(of: day) else { continue }
        story.changeMorning(of: day) { fail(&$0, code: "http.429") }
        guard isRetried else {
          story.lose(day, .rateLimitedForGood)
          continue
        }
        story.drafts.append(story.again(good, readAt: good.readAt.plus(minutes: story.random.number(in: 600...2000))))
        story.keep(day, .rateLimited)
      }
    }
  }

  /// The account is disconnected for some days; after reconnecting some providers still have them.
  private static func tokenRevoked(in story: inout Story) {
    let run = story.take(5)
    guard let last = run.last, let end = story.morning(of: last)?.readAt else { return }
    let isRestored = story.person.turn % 4 == 0
    for day in run {
      guard let good = story.morning(of: day) else { continue }
      story.changeMorning(of: day) { draft in
        fail(&draft, code: "http.401.revoked")
        draft.permissions = [Permission(metric: nil, state: .notConnected)]
      }
      guard isRestored else {
        story.lose(day, .tokenRevoked)
        continue
      }
      story.drafts.append(story.again(good, readAt: end.plus(minutes: story.random.number(in: 300...600))))
      story.keep(day, .tokenRestored)
    }
  }

  private static func fail(_ draft: inout Draft, code: String) {
    draft.presence = []
    draft.readable = []
    draft.entries = draft.entries.map { Entry(metric: $0.metric, day: $0.day, outcome: .failed(code), isComplete: nil) }
  }
}
