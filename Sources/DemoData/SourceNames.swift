/// Since June 2026 the phone's own steps are written under a synthetic package name instead of `android`.
enum SourceNames {
  static func set(in story: inout Story) {
    let person = story.person
    let isOneOfThem = person.watch == nil ? person.turn % 5 == 4 : person.turn % 5 == 0
    guard person.isOnHealthConnect, isOneOfThem, let phone = person.phone, story.days.count > 20 else { return }
    let window = Window(
      metric: nil,
      kind: .history(firstGrant: Day(year: 2026, month: 8, day: 1).utc(9), permission: true, ownData: false))
    for position in story.drafts.indices { story.drafts[position].windows = [window] }
    lateUpdate(of: phone, in: &story)
    archive(of: phone, in: &story)
  }

  /// This phone got the update in autumn: one phone, two names, and one day with both.
  private static func lateUpdate(of phone: String, in story: inout Story) {
    let update = story.days[14]
    for day in story.days.prefix(15) {
      story.changeMorning(of: day) { draft in
        for position in draft.entries.indices {
          draft.entries[position].sources = draft.entries[position].sources.flatMap { source in
            source != phone ? [source] : day == update ? ["android", phone] : ["android"]
          }
        }
      }
      story.keep(day, .attributionChange)
    }
  }

  /// The person's history around the first of June, under the old name and then under the new one.
  private static func archive(of phone: String, in story: inout Story) {
    let june = Day(year: 2026, month: 6, day: 1)
    guard let morning = story.morning(of: story.days[5]), june + 20 < story.days[0] else { return }
    var archive = story.again(morning, readAt: morning.readAt.plus(minutes: 25))
    archive.entries = []
    archive.presence = []
    for offset in -10...9 {
      let amount = Amount.whole(story.random.number(in: 2_400...14_800))
      archive.entries.append(
        Entry(
          metric: .steps, day: june + offset, outcome: .value(amount), sources: [offset < 0 ? "android" : phone]))
      story.claims[Cell(metric: .steps, day: june + offset)] = Claim(
        truth: amount, expectation: .measured, trap: .olderThanJune)
    }
    story.drafts.append(archive)
    story.count(.olderThanJune)
  }
}
