import Glibc
import Postgres
import TestSupport
import Testing

/// Servers that take no writes, and others that do.
extension Drills {
  @Test(.whole) func `the server turns read-only and back`() async throws {
    let drill = Drill(
      name: "read-only by default", what: "default_transaction_read_only is set to on and back, 3 times",
      launch: ChaosLaunch(processes: 2, producersBearErrors: true))
    try await drill.run { scene in
      let longest = try await scene.often(3) { number in
        try await Self.setReadOnly("on", scene)
        await scene.supply(0.2 * Double(number + 2))
        try await until("producers refused") {
          try scene.database.cluster.log().split(separator: "\n").count { $0.contains("read-only transaction") } > 3
            * number
        }
        try await Self.setReadOnly("off", scene)
      }
      return DrillSight("producers are refused; services ask for writing themselves and go on", recovery: longest)
    }
  }

  private static func setReadOnly(_ value: String, _ scene: DrillScene) async throws {
    let connection = try await scene.database.connect()
    // It changes nothing that a transaction could see, so a read-only one may.
    try await connection.script("ALTER SYSTEM SET default_transaction_read_only = \(value)")
    try await connection.script("SELECT pg_reload_conf()")
    await connection.close()
  }

  /// A server, and another one without which it acknowledges nothing.
  private static func pair() async throws -> (database: ChaosDatabase, standby: ThrowawayCluster) {
    let settings = ["fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"]
    let primary = try await ThrowawayCluster.start(settings: settings)
    let alone = try await ChaosDatabase("drill", on: primary)
    let standby = try await ThrowawayCluster.standby(of: primary, settings: settings)
    let administration = try await alone.connect()
    try await administration.script("ALTER SYSTEM SET synchronous_standby_names = '*'")
    try await administration.script("SELECT pg_reload_conf()")
    let synchronous = "SELECT count(*)::int FROM pg_stat_replication WHERE sync_state = 'sync'"
    try await until("a synchronous standby") {
      try await administration.execute(synchronous).one().int(0) == 1
    }
    await administration.close()
    return (ChaosDatabase(alone, on: [standby, primary]), standby)
  }

  @Test func `a synchronous standby is promoted when the primary is lost`() async throws {
    let (database, standby) = try await Self.pair()
    let drill = Drill(
      name: "promotion",
      what: "two hosts, the standby first; the primary is stopped at once, and the standby promoted",
      launch: ChaosLaunch(processes: 2, producersBearErrors: true), database: database)
    try await drill.run { scene in
      try await scene.reach(0.3)
      try await database.cluster.control(["stop", "-m", "immediate"])
      try await scene.fleet.says("attempt=2")
      try await standby.control(["promote"])
      return DrillSight("passed over until it takes writes, then used", recovery: try await scene.recovery())
    }
  }

  @Test(.whole) func `services look at a standby that is promoted later`() async throws {
    let (database, standby) = try await Self.pair()
    let drill = Drill(
      name: "only a standby",
      what: "services know the standby alone and are told nothing of reading and writing; it is promoted",
      launch: ChaosLaunch(
        processes: 2, environment: ["PGHOST": standby.host, "PGPORT": "5432", "PGTARGETSESSIONATTRS": "any"],
        producersBearErrors: true), database: database)
    try await drill.run { scene in
      await scene.supply(0.15)
      try await scene.fleet.says("sqlstate=25006", times: 2)
      try await database.cluster.control(["stop", "-m", "immediate"])
      try await standby.control(["promote"])
      return DrillSight("every write refused, connected anew until one is taken", recovery: try await scene.recovery())
    }
  }
}
