import Foundation
import Glibc
import Postgres
import TestSupport

/// What was done to a run.
struct Damage: Sendable, CustomStringConvertible {
  var done: [Fault: Int] = [:]
  /// Faults that hit a connection which had a transaction open an instant before.
  var inTransaction = 0

  mutating func count(_ fault: Fault) { done[fault, default: 0] += 1 }

  var description: String {
    let parts = [
      (Fault.kill, "kills"), (.terminate, "terminated backends"), (.restart, "crashes of the server"),
      (.freeze, "frozen services"),
    ].compactMap { fault, name in done[fault].map { "\($0) \(name)" } }
    guard !parts.isEmpty else { return "no fault" }
    return parts.joined(separator: ", ") + " (\(inTransaction) kills and terminations in the middle of a transaction)"
  }
}

/// Misfortunes, each at a point of the work that the seed decides.
struct ChaosStorm {
  let database: ChaosDatabase
  let fleet: ChaosFleet
  let observer: ChaosObserver
  let total: Int
  private var random: SeededNumbers
  private var damage = Damage()

  init(_ scene: ChaosScene, seed: UInt64) {
    database = scene.database
    fleet = scene.fleet
    observer = scene.observer
    total = scene.total
    random = SeededNumbers(seed: seed)
  }

  /// Lets all of it happen while the work goes on.
  mutating func rage(_ faults: [Fault: Int]) async throws -> Damage {
    // Sorted first: a dictionary has no order of its own.
    let kinds = Fault.allCases.flatMap { fault in Array(repeating: fault, count: faults[fault, default: 0]) }
      .shuffled(using: &random)
    for (index, fault) in kinds.enumerated() {
      let share = Double(index) + Double.random(in: 0.1...0.9, using: &random)
      let point = Int(share / Double(kinds.count + 1) * Double(total))
      let (fleet, observer) = (fleet, observer)
      try await until("\(point) of \(total) done", progress: { try await observer.done() }) {
        try await fleet.expectAlive()
        return try await observer.done() >= point
      }
      try await inflict(fault)
      damage.count(fault)
    }
    return damage
  }

  private mutating func inflict(_ fault: Fault) async throws {
    let number = random.number(0...ChaosSize.processes - 1)
    switch fault {
    case .kill:
      damage.inTransaction += try await observer.number(Self.isBusy, [.text(ChaosFleet.name(number))])
      try await fleet.kill(number)
    case .terminate: try await terminate()
    case .restart:
      try await database.cluster.control(["stop", "-m", "immediate"])
      try await database.cluster.control(["start"])
    case .freeze: try await freeze(number)
    }
  }

  /// Ends a backend of a service or of a producer, as an operator would.
  private mutating func terminate() async throws {
    let pick = "\(random.next())"
    let observer = observer
    var hit = 0
    try await until("a backend terminated") {
      hit = try await observer.number(Self.terminateOne, [.text(pick)])
      return hit > 0
    }
    damage.inTransaction += hit - 1
  }

  /// Stops a service with all that it holds, and lets it go on when the others have done much meanwhile.
  private func freeze(_ number: Int) async throws {
    await fleet.send(SIGSTOP, to: number)
    let start = try await observer.done()
    let goal = min(start + total / 20, total * 9 / 10)
    let observer = observer
    try await until("the others went on without a frozen service", progress: { try await observer.done() }) {
      try await observer.done() >= goal
    }
    await fleet.send(SIGCONT, to: number)
  }

  private static let isBusy = """
    SELECT (count(*) > 0)::int FROM pg_stat_activity WHERE application_name = $1 AND backend_xid IS NOT NULL
    """
  /// 0: there was none, 1: it was idle, 2: it had written something and not committed.
  private static let terminateOne = """
    SELECT COALESCE((SELECT CASE WHEN pg_terminate_backend(a.pid) THEN 1 + (a.backend_xid IS NOT NULL)::int END
      FROM (SELECT pid, backend_xid FROM pg_stat_activity
            WHERE datname = current_database() AND application_name IN (
              'chaos producer', 'chaos service 0', 'chaos service 1', 'chaos service 2', 'chaos service 3')
            ORDER BY md5(pid || $1::text) LIMIT 1) a), 0)
    """
}
