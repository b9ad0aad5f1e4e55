/// Numbers that look like measurements and are none.
enum FakeZeros {
  static func set(in story: inout Story) {
    let person = story.person
    if !person.hasTwoPlatforms, person.phone != nil || person.isOnHealthKit {
      freshProcesses(in: &story)
    }
    if person.metrics.contains(.basalEnergy) { taintedZeros(in: &story) }
    if !person.hasTwoPlatforms {
      impossibleZeros(in: &story)
      outOfRange(in: &story)
    }
  }

  /// A process that starts in the background publishes its initial values before it has read anything.
  private static func freshProcesses(in story: inout Story) {
    for isReadLater in [true, true, false] {
      for day in story.take() {
        guard let morning = story.morning(of: day) else { continue }
        var fresh = story.again(
          morning, readAt: story.person.end(of: day).plus(minutes: story.random.number(in: 100...250)))
        fresh.mode = .incremental
        fresh.lastSuccess = .never
        fresh.readable = []
        fresh.entries = story.person.metrics.map { Entry(metric: $0, day: day, outcome: .value(.zero)) }
        fresh.entries.append(Entry(metric: .foodEnergy, day: day, outcome: .value(.zero)))
        story.drafts.append(fresh)
        // Food was eaten and is shared with nobody: the initial zero is all that was ever said about it.
        story.set(.foodEnergy, day, .absent, .initialValue)
        guard !isReadLater else {
          story.keep(day, .freshProcess)
          continue
        }
        story.cancelMorning(of: day)
        story.lose(day, .freshProcessForGood)
      }
    }
  }

  /// Nobody burns nothing: a resting energy of zero unmasks the zeros beside it.
  private static func taintedZeros(in story: inout Story) {
    for isReadLater in [true, true, false] {
      for day in story.take(where: { $0.expectation(.basalEnergy, $1) == .measured }) {
        guard let morning = story.morning(of: day) else { continue }
        var tainted = story.again(
          morning, readAt: story.person.end(of: day).plus(minutes: story.random.number(in: 100...250)))
        tainted.mode = .incremental
        tainted.entries = morning.entries.filter { [.steps, .activeEnergy, .basalEnergy].contains($0.metric) }
        for position in tainted.entries.indices { tainted.entries[position].outcome = .value(.zero) }
        story.drafts.append(tainted)
        guard !isReadLater else {
          story.keep(day, .taintedZeros)
          continue
        }
        story.cancelMorning(of: day)
        story.lose(day, .taintedForGood)
      }
    }
  }

  private static func impossibleZeros(in story: inout Story) {
    for metric in [Metric.heartRate, .restingHeartRate] where story.liveMetrics.contains(metric) {
      for _ in 0..<2 {
        replace(metric, by: .zero, .impossibleZero, in: &story)
      }
    }
  }

  private static func outOfRange(in story: inout Story) {
    guard story.liveMetrics.contains(.steps) else { return }
    replace(.steps, by: .whole(1_204_311), .outOfRange, in: &story)
  }

  private static func replace(_ metric: Metric, by amount: Amount, _ trap: Trap, in story: inout Story) {
    // A wrong number takes away the evidence too: a zero beside it would lose its witness.
    for day in story.take(where: { $0.expectation(metric, $1) == .measured && $0.hasNoZero($1) }) {
      story.changeMorning(of: day) { draft in draft.change(metric) { $0.outcome = .value(amount) } }
      story.set(metric, day, .unknown, trap)
      story.count(trap)
    }
  }
}
