/// Boundaries of what can be read: shared history, thirty days, platform floors, the start of counting, reinstalls.
enum LimitedWindows {
  static func set(in story: inout Story) {
    let person = story.person
    switch (person.platform, person.turn % 5) {
    case ("healthkit", 1) where person.isOnHealthKit: authorizedFrom(in: &story)
    case ("health_connect", 0) where person.isOnHealthConnect && person.watch == nil: thirtyDays(in: &story)
    case ("health_connect", 1) where person.isOnHealthConnect && person.watch != nil: historyPermission(in: &story)
    case ("health_connect", 1) where person.isOnHealthConnect: reinstall(in: &story)
    case ("health_connect", 2) where person.isOnHealthConnect && person.watch != nil: reinstall(in: &story)
    case ("health_connect", 2) where person.isOnHealthConnect: countingSince(in: &story)
    case ("garmin", 0), ("garmin", 1), ("oura", 2): platformFloor(in: &story)
    default: break
    }
  }

  /// The person shared history from a date on. What lies before looks like an empty store.
  private static func authorizedFrom(in story: inout Story) {
    guard story.days.count > 40 else { return }
    let boundary = afternoon(of: story.days[11], story)
    let window = Window(metric: nil, kind: .authorizedFrom(boundary))
    install(at: 22, LateInstall(windows: [window], outside: .beforeAuthorized) { _ in boundary }, in: &story)
  }

  private static func thirtyDays(in story: inout Story) {
    guard story.days.count > 55 else { return }
    let grant = afternoon(of: story.days[43], story)
    let boundary = grant.plus(minutes: -30 * 1440)
    // From Android 14 on an app may always read what it wrote itself.
    let isOwnFree = story.person.origins[0].osMajor.map { $0 >= 14 } == true
    let windows = [
      Window(metric: nil, kind: .history(firstGrant: grant, permission: false, ownData: false)),
      Window(metric: .water, kind: .history(firstGrant: grant, permission: false, ownData: true)),
    ]
    let late = LateInstall(windows: windows, outside: .outsideHistory, beyond: .ownData) { metric in
      metric == .water && isOwnFree ? nil : boundary
    }
    install(at: 43, late, in: &story)
  }

  private static func historyPermission(in story: inout Story) {
    guard story.days.count > 55 else { return }
    let grant = afternoon(of: story.days[43], story)
    let window = Window(metric: nil, kind: .history(firstGrant: grant, permission: true, ownData: false))
    let late = LateInstall(windows: [window], outside: .outsideHistory, beyond: .historyPermission) { _ in nil }
    install(at: 43, late, in: &story)
  }

  private static func platformFloor(in story: inout Story) {
    guard story.days.count > 40 else { return }
    let floor = afternoon(of: story.days[9], story)
    let window = Window(metric: nil, kind: .platformFloor(floor))
    install(at: 20, LateInstall(windows: [window], outside: .belowFloor) { _ in floor }, in: &story)
  }

  /// A phone counts steps only from the day on which the first app asks for them.
  private static func countingSince(in story: inout Story) {
    guard story.days.count > 40 else { return }
    let start = afternoon(of: story.days[13], story)
    let counted: [Metric] = [.steps, .distance, .floors]
    let windows = counted.map { Window(metric: $0, kind: .countingSince(start)) }
    let late = LateInstall(windows: windows, outside: .notCountingYet) { counted.contains($0) ? start : nil }
    install(at: 13, late, in: &story)
  }

  /// The app is deleted and installed again: it looks for its old history, and the platform shows none of it.
  private static func reinstall(in story: inout Story) {
    guard story.days.count > 55 else { return }
    let grant = afternoon(of: story.days[45], story)
    let window = Window(metric: nil, kind: .history(firstGrant: grant, permission: false, ownData: false))
    for day in story.days.dropFirst(45) { story.changeMorning(of: day) { $0.windows = [window] } }
    var search = story.draft(from: story.person.origins[0], readAt: grant.plus(minutes: 10))
    search.mode = .reread
    search.windows = [window]
    for day in story.days.prefix(16) {
      search.entries += story.liveMetrics.map { Entry.nothing(of: $0, on: day) }
      story.keep(day, .reinstall)
    }
    story.drafts.append(search)
  }

  private static func afternoon(of day: Day, _ story: Story) -> Moment {
    story.person.end(of: day - 1).plus(minutes: 13 * 60 + 20)
  }
}

/// An app that is installed in the middle of the story and then reads what came before.
private struct LateInstall {
  let windows: [Window]
  /// The trap of days that lie wholly before the boundary.
  let outside: Trap
  /// The trap of old cells that a right of their own makes readable.
  var beyond: Trap?
  let boundary: (Metric) -> Moment?
}

extension LimitedWindows {
  /// The mornings before the installation never happened; one long read stands for them.
  private static func install(at offset: Int, _ late: LateInstall, in story: inout Story) {
    let installed = afternoon(of: story.days[offset], story)
    var search = story.draft(from: story.person.origins[0], readAt: installed.plus(minutes: 5))
    search.mode = .reread
    search.windows = late.windows
    for (position, day) in story.days.enumerated() {
      guard let morning = story.morning(of: day) else { continue }
      let entries = morning.entries.map { judge($0, late, isOld: position + 30 < offset, in: &story) }
      if position < offset {
        story.cancelMorning(of: day)
        search.entries += entries
        search.presence += morning.presence
        search.readable = morning.readable
        search.permissions = morning.permissions
      } else {
        story.changeMorning(of: day) { draft in
          draft.windows = late.windows
          draft.entries = entries
        }
      }
      if position <= offset { story.free.remove(day) }
    }
    story.drafts.append(search)
    story.count(late.outside)
  }

  private static func judge(_ entry: Entry, _ late: LateInstall, isOld: Bool, in story: inout Story) -> Entry {
    let (metric, day) = (entry.metric, entry.day)
    guard !story.muted.contains(metric) else { return entry }
    guard let boundary = late.boundary(metric), story.person.end(of: day - 1) < boundary else {
      if let beyond = late.beyond, isOld { story.claims[Cell(metric: metric, day: day)]?.trap = beyond }
      return entry
    }
    if story.person.end(of: day) <= boundary {
      story.set(metric, day, .unknown, late.outside)
      return silence(of: entry, late, in: &story)
    }
    story.count(.boundaryDay)
    guard story.expectation(metric, day) == .measured, case .value(let amount) = entry.outcome, metric.accumulates,
      amount.part(percent: 50) > .zero
    else {
      story.set(metric, day, .unknown, .boundaryDay)
      return Entry.nothing(of: metric, on: day)
    }
    story.set(metric, day, .lowerBound, .boundaryDay)
    var part = entry
    part.outcome = .value(amount.part(percent: 50))
    return part
  }

  /// Apple and the providers are silent about what lies outside, Health Connect throws an error.
  private static func silence(of entry: Entry, _ late: LateInstall, in story: inout Story) -> Entry {
    var silence = Entry.nothing(of: entry.metric, on: entry.day)
    if late.outside == .outsideHistory, story.random.chance(50) {
      silence.outcome = .failed("HealthConnectException.3")
      silence.isComplete = nil
    }
    return silence
  }
}

extension Entry {
  /// How an adapter words that it found nothing: a zero where zeros are plausible, else an empty result.
  static func nothing(of metric: Metric, on day: Day) -> Entry {
    let saysZero = metric.zeroRule == .covered && day.number % 2 == 0
    return Entry(metric: metric, day: day, outcome: saysZero ? .value(.zero) : .empty)
  }
}
