import Foundation
import Postgres
import TestSupport

/// What was seen in a run.
struct ChaosReport: Sendable, CustomStringConvertible {
  var damage = Damage()
  var dispatch = Dispatch()
  /// Deliveries that were acknowledged, and of which the database knows nothing.
  var neverSent: [Int] = []
  var enqueued = 0
  var deadlocks = 0
  /// Lines at level error in the services' logs.
  var serious: [String] = []
  var duration = Duration.zero

  var description: String {
    """
    \(enqueued) rows enqueued (\(dispatch.acknowledged.count) deliveries; \(dispatch.forgotten) transactions sent again \
    after a lost answer, \(dispatch.unknown) after a COMMIT without one, \(dispatch.failed) lost before it), \(damage), \
    \(deadlocks) deadlocks, \(serious.count) errors, \(duration.components.seconds) s
    """
  }
}

/// A run at work, for whatever is to happen to it.
struct ChaosScene: Sendable {
  let database: ChaosDatabase
  let fleet: ChaosFleet
  let observer: ChaosObserver
  /// How many deliveries there are to be made.
  let total: Int
}

/// One run: producers, services, and what happens to them, until everything that was sent is dealt with.
struct ChaosRun {
  let ledger: ChaosLedger
  private let database: ChaosDatabase
  private let input: ChaosInput
  private let size: ChaosSize

  init(_ database: ChaosDatabase, _ input: ChaosInput, _ size: ChaosSize) {
    self.database = database
    self.input = input
    self.size = size
    ledger = ChaosLedger(database: database)
  }

  func play(_ faults: [Fault: Int]) async throws -> ChaosReport {
    try await play(ChaosLaunch()) { scene in
      var storm = ChaosStorm(scene, seed: size.seed)
      return try await storm.rage(faults)
    }
  }

  /// Lets `misfortune` happen while producers and services are at work, and waits for their end.
  func play(_ launch: ChaosLaunch, _ misfortune: (ChaosScene) async throws -> Damage) async throws -> ChaosReport {
    let began = ContinuousClock.now
    try await ledger.prepare(input)
    let logged = try database.cluster.log().utf8.count
    let observer = ChaosObserver(database)
    let fleet = ChaosFleet(database, batch: size.batch, launch)
    try await fleet.start()
    async let dispatch = produce(observer, launch)
    var report = ChaosReport()
    report.damage = try await misfortune(
      ChaosScene(database: database, fleet: fleet, observer: observer, total: input.deliveries.count))
    report.dispatch = try await dispatch
    report.enqueued = try await observer.number("SELECT count(*) FROM chaos.sent")
    let sent = report.enqueued
    try await until("an empty queue", progress: { try await observer.done() }) {
      try await fleet.expectAlive()
      return try await observer.done() >= sent
    }
    try await fleet.stop()
    report.serious = await fleet.serious()
    report.deadlocks = try await deadlocks(observer, since: logged)
    report.neverSent = try await neverSent(report.dispatch.acknowledged)
    report.duration = ContinuousClock.now - began
    return report
  }

  /// The server's count does not survive its crash; its log does.
  private func deadlocks(_ observer: ChaosObserver, since start: Int) async throws -> Int {
    let log = String(decoding: try database.cluster.log().utf8.dropFirst(start), as: UTF8.self)
    let counted = try await observer.number(
      "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
    return max(counted, log.split(separator: "\n").count { $0.contains("deadlock detected") })
  }

  /// Three producers, each in its own way, never far ahead of the services.
  private func produce(_ observer: ChaosObserver, _ launch: ChaosLaunch) async throws -> Dispatch {
    let ways = Way.allCases
    return try await withThrowingTaskGroup(of: Dispatch.self) { group in
      for (number, way) in ways.enumerated() {
        let share = input.deliveries.indices.filter { $0 % ways.count == number }
        let seed = size.seed &+ UInt64(number)
        let lead = max(60, share.count / 3)
        group.addTask { [database, input] in
          var producer = ChaosProducer(database, input, way, share: share, bearsErrors: launch.producersBearErrors)
          return try await producer.work(seed: seed) { sent in
            try await until("queue short enough to go on", progress: { try await observer.done() }) {
              if let pace = launch.pace { return await pace.limit >= sent * ways.count }
              return try await observer.done() / ways.count + lead >= sent
            }
          }
        }
      }
      return try await group.reduce(into: Dispatch()) { sum, one in
        sum.acknowledged += one.acknowledged
        sum.unknown += one.unknown
        sum.failed += one.failed
        sum.forgotten += one.forgotten
      }
    }
  }

  private func neverSent(_ acknowledged: [Int]) async throws -> [Int] {
    let known = Set(try await database.ask("SELECT DISTINCT delivery FROM chaos.sent").compactMap { $0[0] })
    return acknowledged.filter { !known.contains(String($0)) }.sorted()
  }
}
