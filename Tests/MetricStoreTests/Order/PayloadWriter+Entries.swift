import Foundation
import TestSupport

extension PayloadWriter {
  /// One entry of `days`.
  mutating func entry(_ latest: Int) -> String {
    let metric = random.pick(story.metrics)
    var members = [
      ("metric", JSON.text(metric.name)), ("local_date", Story.date(random.number(0...latest))),
    ]
    switch random.number(0...99) {
    case ..<30: members += [("outcome", JSON.text("value")), ("value", random.pick(metric.values))] + named()
    case ..<33: members += [("outcome", JSON.text("value")), ("value", metric.absurd)] + named()
    case ..<50: members += [("outcome", JSON.text("value")), ("value", "0")] + named()
    case ..<75: members.append(("outcome", JSON.text("empty")))
    case ..<88:
      members.append(("outcome", JSON.text("failed")))
      if random.chance(90) { members.append(("code", JSON.text(random.pick(Self.codes)))) }
    case ..<97: members.append(("outcome", JSON.text(random.pick(["denied", "unavailable"]))))
    default: members += random.pick(Self.mistakes)
    }
    if random.chance(8) { members.append(("complete", random.pick(["true", "false"]))) }
    return JSON.object(members)
  }

  private static let codes = [
    "HKError.6", "HKError.11", "HKError.5", "hkerror 2", "HKError.1", "HKError.7", "HKError.99",
    "HealthConnectException.7", "HealthConnectException.8", "http.429", "http.403", "http.401.revoked", "http.500",
  ]
  /// What a boundary refuses.
  private static let mistakes: [[(String, String)]] = [
    [("outcome", JSON.text("value"))], [("outcome", JSON.text("value")), ("value", JSON.text("12"))],
    [("outcome", JSON.text("empty")), ("value", "0")], [("outcome", JSON.text("perhaps"))],
    [("outcome", JSON.text("value")), ("value", "3"), ("unit", JSON.text("furlong"))],
  ]

  private mutating func named() -> [(String, String)] {
    let names = Story.sources.shuffled(using: &random).prefix(random.pick([0, 1, 1, 1, 2]))
    return names.isEmpty ? [] : [("sources", JSON.list(names.map(JSON.text)))]
  }

  /// One record. Most ids keep their day and metric; some are read again elsewhere, or with another value.
  mutating func record(_ latest: Int) -> String {
    let place = random.number(0...story.records.count - 1)
    let stays = random.chance(75)
    let metric = stays ? story.metrics[place % story.metrics.count] : random.pick(story.metrics)
    let day = min(latest, stays ? place % (story.days + 1) : random.number(0...latest))
    let id = story.records[place]
    var members = [
      ("record_id", JSON.text(random.chance(80) ? id : id.uppercased())), ("metric", JSON.text(metric.name)),
      ("local_date", Story.date(day)),
    ]
    if random.chance(85) { members.append(("value", random.pick(metric.values + [metric.values[0], "0"]))) }
    if random.chance(2) { members.append(("value", metric.absurd)) }
    if random.chance(80) { members.append(("source", JSON.text(random.pick(Story.sources)))) }
    if random.chance(60) {
      let start = day * 24 + random.number(0...22)
      members += [
        ("start", JSON.text(Story.instant(hours: start))),
        ("end", JSON.text(Story.instant(hours: start + random.pick([0, 1, 1, 2, 4])))),
      ]
    }
    if random.chance(15) { members.append(("entry", JSON.text("manual"))) }
    return JSON.object(members)
  }

  /// One deletion, by id or by interval. Some ids are never heard of again.
  mutating func deletion() -> String {
    if random.chance(65) {
      return JSON.object([("record_id", JSON.text(random.pick(story.records + Self.workouts + ["never"])))])
    }
    let start = random.number(0...story.days) * 24 + random.pick([0, 0, 0, -5, 3, 14])
    return JSON.object([
      ("metric", JSON.text(random.pick(story.metrics).name)), ("start", JSON.text(Story.instant(hours: start))),
      ("end", JSON.text(Story.instant(hours: start + random.pick([1, 24, 24, 48])))),
    ])
  }

  private static let workouts = ["ride 1", "ride 2", "ride 3"]

  /// One hour. Few, so that reads share some.
  mutating func hour(_ latest: Int) -> String {
    let covered = random.pick([0, 0, 30, 60])
    var members = [
      ("metric", JSON.text(random.pick(story.metrics).name)), ("local_date", Story.date(random.number(0...latest))),
      ("local_hour", random.pick(["9", "10"])), ("covered_minutes", "\(covered)"),
    ]
    if covered > 0 { members.append(("value", random.pick(["0", "2", "3"]))) }
    return JSON.object(members)
  }

  /// One workout, read again now and then with other times or samples, on another day too.
  mutating func workout(_ latest: Int) -> String {
    let (id, day) = (random.pick(Self.workouts), random.number(0...latest))
    let start = day * 24 + random.number(0...22)
    let beats = [
      JSON.object([("at", JSON.text(Story.instant(hours: start))), ("bpm", random.pick(["0", "120", "140"]))])
    ]
    return JSON.object([
      ("record_id", JSON.text(id)), ("local_date", Story.date(day)), ("start", JSON.text(Story.instant(hours: start))),
      ("end", JSON.text(Story.instant(hours: start + random.pick([1, 2])))),
      ("source", JSON.text(random.pick(Story.sources))),
      ("heart_rates", JSON.list(beats)),
    ])
  }

  mutating func presence() -> String {
    JSON.object([
      ("local_date", Story.date(random.number(0...story.days))), ("source", JSON.text(random.pick(Story.sources))),
      ("kind", JSON.text(random.pick(["wear", "wear", "carry", "activity_sync"]))),
      ("minutes", random.pick(["0", "60", "600"])),
    ])
  }

  mutating func looked(_ latest: Int) -> String {
    let first = random.number(0...latest)
    let metric = random.chance(70) ? JSON.text(random.pick(story.metrics).name) : "null"
    return JSON.object([
      ("metric", metric), ("from", Story.date(first)), ("to", Story.date(first + random.pick([0, 1, 3]))),
    ])
  }

  mutating func backfill() -> String {
    JSON.object([
      ("metric", JSON.text(random.pick(story.metrics).name)),
      ("state", JSON.text(random.pick(["running", "complete"]))), ("reached", Story.date(0)),
    ])
  }
}
