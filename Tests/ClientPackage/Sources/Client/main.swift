import Foundation
import HealthPayload

// Prints what an app would send, one payload on each line.
//   Client sync     a week of which the store knows three days, one of them a zero
//   Client locked   the same on a locked phone
//   Client load     thirty days of history
//   Client tiles    what the tile for floors shows
// On a locked phone a load is abandoned; `Client locked-load` says so and exits with 1.

struct Fault: Error {}

let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]

func sync(_ store: Store) throws -> Sync {
  guard let zone = TimeZone(identifier: "Europe/Berlin"), let now = Instant("2026-11-28T19:00:00Z"),
    let shared = Instant("2026-11-22T00:00:00+01:00"), let floor = Instant("2014-06-01T00:00:00Z")
  else { throw Fault() }
  return Sync(
    userID: UUID(), zone: zone, now: now, store: store, sharedSince: ["StepCount": shared], permittedSince: floor)
}

func filledStore() throws -> Store {
  var steps: [LocalDate: (sum: Double, sources: [String])] = [:]
  let days: [(date: String, sum: Double)] = [("2026-11-26", 8_123), ("2026-11-27", 0), ("2026-11-28", 412)]
  for day in days {
    guard let date = LocalDate(day.date) else { throw Fault() }
    steps[date] = (sum: day.sum, sources: ["watch"])
  }
  return Store(sums: ["steps": steps])
}

func show(_ payloads: [SyncPayload]) throws {
  for payload in payloads { print(String(decoding: try encoder.encode(payload), as: UTF8.self)) }
}

func tiles() {
  let walk = RawPedometer(
    startDate: Date(timeIntervalSince1970: 1_790_000_000), endDate: Date(timeIntervalSince1970: 1_790_000_600),
    numberOfSteps: 800, distance: 600, floorsAscended: 0, floorsDescended: 0, currentPace: nil, currentCadence: nil,
    averageActivePace: nil)
  print(floorsTile(access: .authorized, raw: walk, canCountFloors: true))
  print(floorsTile(access: .unavailable, raw: nil, canCountFloors: false))
  print(floorsTile(access: .denied, raw: nil, canCountFloors: true))
  print(floorsTile(access: .authorized, raw: nil, canCountFloors: true))
}

let locked = Store(failure: .healthKit(6))
var guarded = PublishGuard<Int>()
switch CommandLine.arguments.dropFirst().first {
case "sync": try show([sync(filledStore()).payload(sent: &guarded)])
case "locked": try show([sync(locked).payload(sent: &guarded)])
case "load": try show(sync(filledStore()).history())
case "locked-load":
  do { try show(sync(locked).history()) } catch let abandoned as LoadAbandoned {
    print(abandoned)
    exit(1)
  }
case "tiles": tiles()
default:
  print("use sync, locked, load, locked-load or tiles")
  exit(64)
}
