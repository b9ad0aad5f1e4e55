import Foundation
import Glibc
import Postgres
import TestSupport
import Testing

/// How far producers may go. It is opened bit by bit, so that there is work whenever something happens.
actor ChaosPace {
  private(set) var limit = 0

  func open(to limit: Int) { self.limit = max(self.limit, limit) }
}

/// What happens to services and producers at work, each drill on a server of its own; and in the end the same two
/// expectations always: every payload was applied exactly once, and all tables equal those of one undisturbed worker.
///
/// `make drills` runs all of them, at a larger size; `make test` a few. Each is an extension in a file of its own.
@Suite(.serialized) struct Drills {
  static let environment = ProcessInfo.processInfo.environment
  /// Whether `make drills` asks.
  static let isWhole = environment["DRILLS_REPORT"] != nil

  static let replay = Task { () throws -> ChaosReplay in
    let size = ["CHAOS_SEED": "20261130", "CHAOS_PEOPLE": "40", "CHAOS_PAYLOADS": isWhole ? "3000" : "300"]
    // Not on the server of the chaos suite, which its storm crashes.
    return try await ChaosReplay(
      try ChaosSize(size.merging(environment) { $1 }), "drill_replay", on: ThrowawayCluster.shared)
  }
}

extension Trait where Self == ConditionTrait {
  /// Only in `make drills`.
  static var whole: Self { .enabled(if: Drills.isWhole, "make drills") }
  /// Only in `make drills`, and only where this holds.
  static func whole(if condition: Bool, _ sentence: Comment) -> Self {
    .enabled(if: Drills.isWhole && condition, sentence)
  }
}

/// One drill.
struct Drill {
  let name: String
  /// What it does, for the table.
  let what: String
  var launch = ChaosLaunch(processes: 2)
  /// A database on a server of its own, if the usual one will not do.
  var database: ChaosDatabase?
  /// Whether the services may log errors: some misfortunes are worth one.
  var allowsErrors = false
  var expectsDeadlocks = false

  /// Runs it. The misfortune returns what was seen.
  func run(_ misfortune: (DrillScene) async throws -> DrillSight) async throws {
    let replay = try await Drills.replay.value
    var launch = launch
    let pace = ChaosPace()
    launch.pace = pace
    let database =
      if let database { database } else { try await ChaosDatabase("drill", on: ChaosDatabase.safeServer()) }
    let run = ChaosRun(database, replay.input, replay.size)
    var sight = DrillSight("")
    let report = try await run.play(launch) { scene in
      let scene = DrillScene(scene, pace)
      sight = try await misfortune(scene)
      await pace.open(to: .max)
      return Damage()
    }
    print("drill \(name): \(sight): \(report)")
    try await ChaosReplay.finish(database, replay.size, workers: 2)
    #expect(report.serious == [] || allowsErrors)
    #expect(report.deadlocks == 0 || expectsDeadlocks)
    #expect(try await run.ledger.differences() == [], "position, payload, times sent, in receipt, dead")
    #expect(report.neverSent == [], "acknowledged and not there")
    try await replay.expectSame(database)
    try Self.note([name, what, "\(sight.seen); \(report.enqueued) deliveries applied once, tables equal", sight.time])
  }

  /// Leaves a line for the table of `make drills`.
  private static func note(_ cells: [String]) throws {
    guard let path = Drills.environment["DRILLS_REPORT"] else { return }
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data((cells.joined(separator: "\t") + "\n").utf8))
    try file.close()
  }
}

/// What was seen of a drill.
struct DrillSight: CustomStringConvertible {
  let seen: String
  /// The longest time between the end of a misfortune and the next payload that was taken; nil: none was waited for.
  let recovery: Duration?

  init(_ seen: String, recovery: Duration? = nil) {
    self.seen = seen
    self.recovery = recovery
  }

  var time: String {
    guard let recovery else { return "-" }
    return String(format: "%.1f s", recovery / .seconds(1))
  }

  var description: String { "\(seen) (\(time))" }
}

/// Services and producers at work.
struct DrillScene {
  let database: ChaosDatabase
  let fleet: ChaosFleet
  private let observer: ChaosObserver
  private let pace: ChaosPace
  private let total: Int

  init(_ scene: ChaosScene, _ pace: ChaosPace) {
    (database, fleet, observer, total) = (scene.database, scene.fleet, scene.observer, scene.total)
    self.pace = pace
  }

  /// Lets producers send this share of the payloads.
  func supply(_ share: Double) async { await pace.open(to: Int(Double(total) * share)) }

  /// Waits until this share of the payloads has been taken. More are on their way then.
  func reach(_ share: Double) async throws {
    await supply(share + 0.15)
    let goal = Int(Double(total) * share)
    try await until("\(goal) of \(total) taken", progress: { try await observer.done() }) {
      try await observer.done() >= goal
    }
  }

  /// Counted now: what was counted a moment ago may have been before the misfortune's end.
  private func taken() async throws -> Int {
    try await number("SELECT (SELECT count(*) FROM chaos.sent) - (SELECT count(*) FROM intake.sync_payload)")
  }

  /// How long it takes from now on until one payload more is taken.
  func recovery() async throws -> Duration {
    let began = ContinuousClock.now
    let before = try await taken()
    guard before < total else { throw ChaosFailure("all payloads are taken: nothing is left to recover with") }
    // As little as there can be: often is often.
    await pace.open(to: before + 4)
    try await until("a payload taken again") { try await taken() > before }
    return ContinuousClock.now - began
  }

  /// Does something this many times, spread over the work, and returns the longest recovery.
  func often(_ times: Int, _ action: (Int) async throws -> Void) async throws -> Duration {
    var longest = Duration.zero
    for number in 0..<times {
      try await reach(0.8 * Double(number + 1) / Double(times + 1))
      try await action(number)
      longest = max(longest, try await recovery())
    }
    return longest
  }

  /// The first column of the first row.
  func number(_ sql: String, _ parameters: [Parameter] = []) async throws -> Int {
    try await observer.number(sql, parameters)
  }

  /// Waits until the server's log holds a text.
  func serverSays(_ text: String) async throws {
    try await until("said by the server: \(text)") { try database.cluster.log().contains(text) }
  }
}
