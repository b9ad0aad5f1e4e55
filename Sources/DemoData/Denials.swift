/// Types that may not be read, or cannot be measured: for weeks, and for one metric only.
enum Denials {
  static func set(in story: inout Story) {
    let person = story.person
    if person.isOnHealthKit, person.turn % 5 == 0, let metric = person.metrics.last {
      silentDenial(of: metric, in: &story)
    }
    if person.isOnHealthKit, person.turn % 5 == 4 {
      silentDenial(of: person.watch == nil ? .floors : person.metrics[0], in: &story)
    }
    if person.isOnHealthConnect, person.turn % 5 == 3 { openDenial(of: person.metrics[1], in: &story) }
    let hasNoBarometer = person.isOnHealthConnect ? person.turn % 5 == 4 : person.isOnHealthKit && person.turn % 5 == 2
    if hasNoBarometer, person.watch == nil, person.metrics.contains(.floors) { noBarometer(in: &story) }
  }

  /// HealthKit shows an empty store where the person said no. Steps were walked all the same.
  private static func silentDenial(of metric: Metric, in story: inout Story) {
    mute(metric, .silentDenial, in: &story) { draft in
      draft.change(metric) { entry in
        entry.outcome = .empty
        entry.sources = []
      }
      draft.readable.removeAll { $0 == metric }
    }
  }

  private static func openDenial(of metric: Metric, in story: inout Story) {
    let code = story.random.pick(["SecurityException", "HealthConnectException.5"])
    mute(metric, .openDenial, in: &story) { draft in
      draft.change(metric) { entry in
        entry.outcome = .denied(code)
        entry.sources = []
        entry.isComplete = nil
      }
      draft.permissions = [Permission(metric: nil, state: .granted), Permission(metric: metric, state: .denied)]
    }
  }

  private static func noBarometer(in story: inout Story) {
    mute(.floors, .noBarometer, in: &story) { draft in
      draft.change(.floors) { entry in
        entry.outcome = .unavailable("no_barometer")
        entry.sources = []
        entry.isComplete = nil
      }
    }
  }

  private static func mute(_ metric: Metric, _ trap: Trap, in story: inout Story, _ change: (inout Draft) -> Void) {
    for position in story.drafts.indices { change(&story.drafts[position]) }
    for day in story.days { story.set(metric, day, .unknown, trap) }
    story.muted.insert(metric)
    story.count(trap)
  }

  /// A rest day on HealthKit, read without any proof that the type can be read.
  static func setUnprovenSilence(in story: inout Story) {
    guard story.person.isOnHealthKit else { return }
    for _ in 0..<2 {
      let found = story.take { story, day in
        story.liveMetrics.contains { $0.zeroRule == .covered && story.expectation($0, day) == .zero }
      }
      for day in found {
        story.changeMorning(of: day) { $0.readable = [] }
        for metric in story.liveMetrics where metric.zeroRule == .covered {
          if story.expectation(metric, day) == .zero { story.set(metric, day, .unknown, .noProof) }
        }
        story.count(.noProof)
      }
    }
  }
}
