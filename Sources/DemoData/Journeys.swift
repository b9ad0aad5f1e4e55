/// People who change the time zone. A date is over only when it is over wherever they spent some of it.
enum Journeys {
  static func set(in story: inout Story) {
    for day in story.person.travelDays {
      story.free.subtract([day - 1, day, day + 1])
      let ends = story.person.ends(of: day).sorted()
      guard let first = ends.first, let last = ends.last, first < last else { continue }
      readBetween(first, last, day, in: &story)
    }
  }

  /// The app believes the clock further east, and calls the day complete.
  private static func readBetween(_ first: Moment, _ last: Moment, _ day: Day, in story: inout Story) {
    let readAt = Moment(seconds: (first.seconds + last.seconds) / 2)
    let percent = story.random.number(in: 70...95)
    let zones = story.person.stays.filter { $0.from <= readAt }
    story.changeMorning(of: day) { draft in
      draft.readAt = readAt
      draft.arrival = readAt.plus(minutes: 8)
      draft.lastSuccess = .at(readAt)
      draft.zones = zones
      for position in draft.entries.indices {
        guard case .value(let amount) = draft.entries[position].outcome, draft.entries[position].metric.accumulates
        else { continue }
        let part = amount.part(percent: percent)
        draft.entries[position].outcome = part > .zero ? .value(part) : .empty
      }
    }
    for metric in story.liveMetrics { story.set(metric, day, .lowerBound, .travel) }
    story.count(.travel)
  }
}
