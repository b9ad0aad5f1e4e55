/// One person's sixty days: what was lived, what was sent, and what may be claimed.
///
/// It starts as the plain routine; each trap then takes days of its own and changes what was sent about them,
/// so that no two traps meet on one day and the claim stays certain.
struct Story {
  let person: Person
  let life: Life
  let days: [Day]
  /// The last instant at which anything is read.
  let deadline: Moment
  var random: SplitMix64
  var drafts: [Draft] = []
  /// The morning's reads about a day, one per origin, as positions in `drafts`.
  var mornings: [Day: [Int]] = [:]
  var claims: [Cell: Claim] = [:]
  /// Days that no trap has taken yet.
  var free: Set<Day> = []
  /// Metrics that never report in this story.
  var muted: Set<Metric> = []
  /// How often each trap was set.
  private(set) var tally: [Trap: Int] = [:]

  init(person: Person, life: Life, days: [Day], deadline: Moment, random: SplitMix64) {
    self.person = person
    self.life = life
    self.days = days
    self.deadline = deadline
    self.random = random
    free = Set(days)
  }

  var liveMetrics: [Metric] { person.metrics.filter { !muted.contains($0) } }

  /// Takes unbroken free days out of the story for one trap; empty if there are none that fit.
  ///
  /// The last week is left alone so that a later read still fits in.
  mutating func take(_ count: Int = 1, where fits: (Story, Day) -> Bool = { _, _ in true }) -> [Day] {
    guard days.count > count + 7 else { return [] }
    let starts = days.dropLast(count + 7).filter { start in
      (0..<count).allSatisfy { free.contains(start + $0) && fits(self, start + $0) }
    }
    guard !starts.isEmpty else { return [] }
    let start = random.pick(Array(starts))
    let run = (0..<count).map { start + $0 }
    free.subtract(run)
    return run
  }

  mutating func count(_ trap: Trap, times: Int = 1) { tally[trap, default: 0] += times }

  /// Says that these cells went through a trap and came out as they were.
  mutating func keep(_ day: Day, _ trap: Trap) {
    count(trap)
    for metric in liveMetrics { claims[Cell(metric: metric, day: day)]?.trap = trap }
  }

  /// Says that nothing can be known about the day.
  mutating func lose(_ day: Day, _ trap: Trap) {
    count(trap)
    for metric in liveMetrics { set(metric, day, .unknown, trap) }
  }

  mutating func set(_ metric: Metric, _ day: Day, _ expectation: Expectation, _ trap: Trap) {
    claims[Cell(metric: metric, day: day)] = Claim(
      truth: life.amount(of: metric, on: day), expectation: expectation, trap: trap)
  }

  func expectation(_ metric: Metric, _ day: Day) -> Expectation? { claims[Cell(metric: metric, day: day)]?.expectation }

  /// Something that a part of the day gives a part of can be read.
  var hasSums: Bool { liveMetrics.contains(where: \.accumulates) }

  /// Every live metric has a non-zero value that day.
  func isFullyMeasured(_ day: Day) -> Bool { liveMetrics.allSatisfy { expectation($0, day) == .measured } }

  /// No live metric rests on a licensed zero that day.
  func hasNoZero(_ day: Day) -> Bool { liveMetrics.allSatisfy { expectation($0, day) != .zero } }

  /// The morning's read of the first origin about a day.
  func morning(of day: Day) -> Draft? { mornings[day]?.first.map { drafts[$0] } }

  mutating func changeMorning(of day: Day, _ change: (inout Draft) -> Void) {
    for position in mornings[day] ?? [] { change(&drafts[position]) }
  }

  /// The read of that morning never happened.
  mutating func cancelMorning(of day: Day) { changeMorning(of: day) { $0.isSent = false } }

  /// A new payload of an origin with the statements that are true at that time.
  mutating func draft(from origin: Origin, readAt: Moment) -> Draft {
    var draft = Draft(
      personID: person.id, payloadID: random.uuid(), origin: origin, readAt: readAt,
      arrival: Moment(seconds: readAt.seconds + random.number(in: 20...1500)))
    draft.lastSuccess = .at(readAt)
    draft.zones = person.stays.filter { $0.from <= readAt }
    return draft
  }

  /// The morning's read done again at another time.
  mutating func again(_ morning: Draft, readAt: Moment) -> Draft {
    var copy = draft(from: morning.origin, readAt: readAt)
    copy.mode = .reread
    copy.windows = morning.windows
    copy.permissions = morning.permissions
    copy.presence = morning.presence
    copy.entries = morning.entries
    copy.readable = morning.readable
    return copy
  }
}
