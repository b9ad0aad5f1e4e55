import Foundation
import TestSupport

/// Writes what an origin states about access: windows that move, permissions that come and go.
///
/// What is stated changes for good, and no two stages are alike: of a run of equal statements only the ends are kept, so
/// one that is contradicted in its middle by a late arrival would hold again only at its end.
struct StatementWriter {
  let metrics: [String]
  let days: Int

  /// One to three stages, in order of time.
  func stages(_ random: inout SeededNumbers) -> [Story.Stage] {
    let starts = [0] + Set((0..<random.pick([0, 1, 1, 2])).map { _ in random.number(1...6) }).sorted()
    return starts.enumerated().map { number, day in
      Story.Stage(
        day: day, osMajor: random.pick(["13", "14", "15"]),
        blocks: [
          ("windows", JSON.list(windows(number, &random))), ("permissions", JSON.list(permissions(number, &random))),
        ])
    }
  }

  /// Each kind for all metrics, so that nothing that was stated before shows through, and now and then one for a metric.
  private func windows(_ stage: Int, _ random: inout SeededNumbers) -> [String] {
    let kinds = ["authorized_from", "counting_since", "history_window", "platform_floor"]
    var all = kinds.map { window($0, stage, metric: nil, isClosed: random.chance(15), &random) }
    if random.chance(40) { all.append(window(random.pick(kinds), stage, metric: random.pick(metrics), &random)) }
    return all
  }

  private func window(
    _ kind: String, _ stage: Int, metric: String?, isClosed: Bool = true, _ random: inout SeededNumbers
  ) -> String {
    let boundary = random.number(0...days * 24) + 7
    var members = [("kind", JSON.text(kind)), ("metric", metric.map(JSON.text) ?? "null")]
    switch kind {
    case "history_window":
      let grant = Story.instant(hours: (isClosed ? boundary : -240) + 30 * 24)
      members += [("first_grant_at", JSON.text(grant)), ("own_data", random.pick(["true", "false", "false"]))]
    case "platform_floor":
      let hours = isClosed ? boundary : -1000 - stage
      members.append(("instant", JSON.text(Story.instant(hours: hours))))
    default: members.append(("instant", isClosed ? JSON.text(Story.instant(hours: boundary)) : "null"))
    }
    return JSON.object(members)
  }

  private func permissions(_ stage: Int, _ random: inout SeededNumbers) -> [String] {
    var all = [
      permission(nil, random.chance(85) ? "granted" : "denied"),
      // Of a metric that no set is about.
      permission("caffeine", "granted", since: -1000 - stage),
    ]
    for _ in 0..<random.pick([0, 0, 1, 2]) {
      let state = random.pick(["granted", "denied", "not_asked", "not_connected"])
      all.append(permission(random.pick(metrics), state, since: random.chance(40) ? random.number(0...days * 24) : nil))
    }
    return all
  }

  private func permission(_ metric: String?, _ state: String, since hours: Int? = nil) -> String {
    var members = [("metric", metric.map(JSON.text) ?? "null"), ("state", JSON.text(state))]
    if let hours { members.append(("since", JSON.text(Story.instant(hours: hours)))) }
    return JSON.object(members)
  }
}
