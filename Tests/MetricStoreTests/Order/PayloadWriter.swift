import Foundation
import HealthPayload
import TestSupport

/// Writes the payloads of one set.
struct PayloadWriter {
  /// Who states what readings are judged by.
  enum Statements: CaseIterable {
    /// Nobody.
    case none
    /// Payloads that come before all others, in any order among themselves.
    case first
    /// Each payload by itself, all of it.
    case own
  }

  var random: SeededNumbers
  let story: Story
  private var minute = 0

  init(seed: UInt64) {
    // Neighbouring seeds must not tell neighbouring stories.
    random = SeededNumbers(seed: seed &* 0xD134_2543_DE82_EF95 &+ 1)
    story = Story(&random)
  }

  /// The payloads with statements that are delivered before all others.
  mutating func prologue() -> [PayloadSet.Payload] {
    guard story.statements == .first else { return [] }
    return (1...random.number(1...4)).map { _ in
      let (origin, read, starts) = (random.pick(story.origins), readTime(), random.pick([1, 2, 3]))
      return finish(
        person: story.person(&random), isFirst: true,
        head(origin, read, members(of: read)) + statements(of: origin, read, zoneStarts: starts))
    }
  }

  private func statements(of origin: Story.Origin, _ read: Story.Time?, zoneStarts: Int) -> [(String, String)] {
    let day = Self.day(of: read)
    let blocks = origin.stages.last { $0.day <= day }.map(\.blocks)
    return [("time_zones", story.zones(statedOn: day, starts: zoneStarts))] + (blocks ?? [])
  }

  /// What one read found out; now and then something that no boundary can use.
  mutating func payload() -> PayloadSet.Payload {
    let read = readTime()
    var members = members(of: read)
    if random.chance(4) { members.append(("last_successful_read_at", "null")) }
    if random.chance(6) { members.append(("all_or_nothing", random.pick(["true", "false"]))) }
    if random.chance(4) { members.append(("mode", JSON.text("history_load"))) }
    let origin = random.pick(story.origins)
    let payload = finish(
      person: story.person(&random), head(origin, read, members) + content(of: origin, read))
    return random.chance(3) ? broken(payload) : payload
  }

  /// A load of several pages, of which one may be missing.
  mutating func load(_ name: String) -> [PayloadSet.Payload] {
    let (origin, person, pages) = (random.pick(story.origins), story.person(&random), random.number(1...3))
    let missing = random.chance(15) ? random.number(1...pages) : nil
    return (1...pages).filter { $0 != missing }.map { page in
      let read = readTime()
      let members =
        members(of: read) + [
          ("mode", JSON.text("history_load")), ("load_id", JSON.text(name)), ("page", "\(page)"),
          ("final_page", "\(page == pages)"),
        ]
      return finish(person: person, head(origin, read, members) + content(of: origin, read))
    }
  }

  private mutating func finish(
    person: Int, isFirst: Bool = false, _ blocks: [(String, String)]
  ) -> PayloadSet.Payload {
    minute += 1
    return PayloadSet.Payload(person: person, isFirst: isFirst, minute: minute, rest: JSON.members(blocks) + "}")
  }

  private mutating func broken(_ payload: PayloadSet.Payload) -> PayloadSet.Payload {
    let rest =
      random.chance(50)
      ? String(payload.rest.dropLast(2)) : payload.rest.replacing("dailymetricd.sync/1", with: "other.sync/7")
    return PayloadSet.Payload(person: payload.person, isFirst: false, minute: payload.minute, rest: rest)
  }

  // MARK: The envelope

  /// A read time; nil: the payload says none. Few instants, so that reads share some.
  private mutating func readTime() -> Story.Time? {
    guard random.chance(92) else { return nil }
    return Story.Time(day: random.number(0...5), hour: random.pick([0, 7, 7, 12, 20]))
  }

  /// The day of a read; one without a time counts as read when it arrives, after all others.
  private static func day(of read: Story.Time?) -> Int {
    guard let read else { return 9 }
    return read.day
  }

  /// The read time as the payload words it. A clock that runs ahead is as good as none.
  private mutating func members(of read: Story.Time?) -> [(String, String)] {
    if let read { return [("read_at", JSON.text(read.text))] }
    return random.chance(50) ? [("read_at", JSON.text("2031-01-01T00:00:00Z"))] : []
  }

  private mutating func head(
    _ origin: Story.Origin, _ read: Story.Time?, _ time: [(String, String)]
  ) -> [(String, String)] {
    let id = UUID(random.next(), random.next()).uuidString
    var members = [("platform", JSON.text(origin.platform)), ("store", JSON.text(origin.store))]
    // Windows are stated with the system that they are about.
    if let stage = origin.stages.last(where: { $0.day <= Self.day(of: read) }),
      story.statements != .none || random.chance(50)
    {
      members.append(("os_major", stage.osMajor))
    }
    return [
      ("schema", JSON.text("dailymetricd.sync/1")), ("payload_id", JSON.text(random.chance(50) ? id : id.lowercased())),
      ("origin", JSON.object(members)), ("read", JSON.object(time)),
    ]
  }

  /// Everything but the envelope.
  private mutating func content(of origin: Story.Origin, _ read: Story.Time?) -> [(String, String)] {
    var blocks =
      story.statements == .own ? self.statements(of: origin, read, zoneStarts: Story.zoneStarts.count) : []
    func some(_ name: String, _ count: Int, _ write: () -> String) {
      if count > 0 { blocks.append((name, JSON.list((1...count).map { _ in write() }))) }
    }
    // Most of what a read tells lies before it.
    let latest = random.chance(95) ? min(Self.day(of: read), story.days) : story.days
    some("days", random.pick([0, 1, 2, 3, 5])) { entry(latest) }
    some("records", random.pick([0, 0, 0, 1, 2, 4])) { record(latest) }
    some("deletions", random.pick([0, 0, 0, 0, 1, 2])) { deletion() }
    some("presence", random.pick([0, 0, 1, 2])) { presence() }
    some("looked", random.pick([0, 0, 0, 0, 1, 2])) { looked(latest) }
    some("backfill", random.chance(5) ? 1 : 0) { backfill() }
    some("hours", random.pick([0, 0, 1, 3])) { hour(latest) }
    some("workouts", random.pick([0, 0, 0, 1, 2])) { workout(latest) }
    if random.chance(35) {
      blocks.append(("readable", JSON.list(story.metrics.filter { _ in random.chance(60) }.map { JSON.text($0.name) })))
    }
    return blocks
  }
}
