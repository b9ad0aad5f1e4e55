import Postgres
import TestSupport
import Testing

/// Networks that lose, swallow or delay. The services are behind it, the producers are not.
extension Drills {
  private func behind(_ network: Network, _ arguments: [String]) -> ChaosLaunch {
    ChaosLaunch(processes: 2, arguments: arguments, environment: ["PGHOST": network.host])
  }

  @Test(.whole, arguments: [Network.Loss.cutBefore, .cut])
  func `connections are lost before and after COMMIT`(_ loss: Network.Loss) async throws {
    let database = try await ChaosDatabase("drill", on: ChaosDatabase.safeServer())
    let network = try Network(before: database.cluster)
    let when = loss == .cut ? "after" : "before"
    let drill = Drill(
      name: "cut \(when) COMMIT", what: "the connection ends just \(when) the server has committed, 40 times",
      launch: behind(network, []), database: database)
    try await drill.run { scene in
      let longest = try await scene.often(40) { number in
        network.loseNextCommit(by: loss)
        try await until("a COMMIT lost") { network.commitsLost > number }
      }
      let times = try await scene.number("SELECT sum(repetitions)::int FROM intake.receipt")
      return DrillSight("\(network.commitsLost) lost; \(times) repetitions, as many as were sent", recovery: longest)
    }
  }

  @Test(.whole) func `the network swallows everything and comes back`() async throws {
    let database = try await ChaosDatabase("drill", on: ChaosDatabase.safeServer())
    let network = try Network(before: database.cluster)
    let drill = Drill(
      name: "black hole", what: "packets vanish both ways until services gave up; twice",
      launch: behind(network, ["--statement-deadline", "2", "--connect-timeout", "2"]), database: database)
    try await drill.run { scene in
      let longest = try await scene.often(2) { _ in
        let before = try await scene.fleet.count(of: "timeout expired")
        network.set(.swallow)
        try await scene.fleet.says("timeout expired", times: before + 1)
        network.set(.pass)
      }
      return DrillSight("noticed by the deadline, and its return too", recovery: longest)
    }
  }

  @Test(.whole) func `the network is slow`() async throws {
    let database = try await ChaosDatabase("drill", on: ChaosDatabase.safeServer())
    let network = try Network(before: database.cluster)
    let drill = Drill(
      name: "slow network", what: "10 ms for each piece, one after the other, for a third of the work",
      launch: behind(network, []), database: database)
    try await drill.run { scene in
      try await scene.reach(0.2)
      network.set(.slow(milliseconds: 10))
      let before = try await scene.recovery()
      try await scene.reach(0.5)
      network.set(.pass)
      return DrillSight("slower, and nothing else", recovery: max(before, try await scene.recovery()))
    }
  }
}
