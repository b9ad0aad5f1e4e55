/// The whole demo: its people, what they sent, and the truth.
struct Demo {
  private(set) var payloadLines: [String] = []
  private(set) var truthLines: [String] = [Truth.header]
  private var occasions: [Trap: Int] = [:]
  private var cells: [Trap: Int] = [:]

  init(_ options: Options) {
    var random = SplitMix64(seed: options.seed)
    let days = (0..<options.days).map { options.until - (options.days - 1 - $0) }
    var deliveries: [(arrival: Moment, line: String)] = []
    for index in 0..<options.people {
      var own = random.fork()
      let story = Demo.story(of: index, days: days, until: options.until, random: &own)
      for draft in story.drafts where draft.isSent {
        deliveries.append((draft.arrival, PayloadWriter.line(of: draft)))
        for echo in draft.echoes { deliveries.append((echo.arrival, PayloadWriter.line(of: draft, echo: echo))) }
      }
      truthLines += Truth.lines(of: story.person.id, claims: story.claims)
      count(story)
    }
    // Equal instants keep the order in which they were made, so that a seed gives one file.
    let order = deliveries.indices.sorted { (deliveries[$0].arrival, $0) < (deliveries[$1].arrival, $1) }
    payloadLines = order.map { deliveries[$0].line }
  }

  /// Truth first, then the routine, then what lasts for weeks, then the traps of single days.
  private static func story(of index: Int, days: [Day], until: Day, random: inout SplitMix64) -> Story {
    let person = Person.make(index: index, firstDay: days[0], random: &random)
    let life = Life(of: person, days: (days[0] - 12)...(until + 1), random: &random)
    var story = Story(
      person: person, life: life, days: days, deadline: (until + 1).utc(7, 30), random: random.fork())
    Routine.tell(&story)
    Denials.set(in: &story)
    SourceNames.set(in: &story)
    LimitedWindows.set(in: &story)
    Journeys.set(in: &story)
    HistoryLoads.set(in: &story)
    FailedReads.set(in: &story)
    FakeZeros.set(in: &story)
    OpenDays.set(in: &story)
    Denials.setUnprovenSilence(in: &story)
    Deliveries.set(in: &story)
    BrokenPayloads.set(in: &story)
    OpenDays.setToday(in: &story)
    return story
  }

  private mutating func count(_ story: Story) {
    for (trap, times) in story.tally { occasions[trap, default: 0] += times }
    for claim in story.claims.values { cells[claim.trap, default: 0] += 1 }
  }

  /// One line per trap: how often it was set where it was set on purpose, and how many cells went through it.
  var summary: [String] {
    let traps = Trap.allCases.map { trap in
      let set = occasions[trap].map { "set \($0) times, " } ?? ""
      return "\(trap.rawValue): \(set)\(cells[trap, default: 0]) cells"
    }
    return traps + ["\(payloadLines.count) payloads, \(truthLines.count - 1) cells"]
  }
}
