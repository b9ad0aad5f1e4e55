import Glibc
import Postgres
import TestSupport
import Testing

/// Processes that are killed because there is no memory, and what the kernel's choice looks like from outside.
extension Drills {
  private static let needsRoot: Comment = "make drills as root: a control group has to be made"
  private static let someone = "00000000-0000-4000-8000-00000000f00d"

  /// A good payload of so many entries that no service of the drill can take it in.
  private static let giant = """
    SELECT enqueue_sync_payload('\(someone)', format(
      '{"schema": "dailymetricd.sync/1", "payload_id": "%1$s", "user_id": "%1$s", "origin": {"platform": "garmin"}, "days": [%2$s]}',
      '\(someone)', rtrim(repeat(
        '{"metric": "steps", "local_date": "2026-01-01", "outcome": "empty", "sources": ["' || repeat('x', 70) || '"]},', 190000), ',')))::text
    """

  @Test(.whole(if: MemoryLimit.canBeHad, needsRoot)) func `services run out of memory over one payload`() async throws {
    let memory = try MemoryLimit(megabytes: 120)
    let drill = Drill(
      name: "out of memory (service)",
      what: "two services have 120 MB together, and a payload of 28 MB comes; who is killed is started again",
      launch: ChaosLaunch(processes: 2, through: memory.launcher), allowsErrors: true)
    try await drill.run { scene in
      try await scene.reach(0.2)
      _ = try await scene.database.ask(Self.giant)
      var deaths = 0
      let letters =
        "SELECT count(*)::int FROM intake.dead_letter WHERE user_id = '\(Self.someone)' AND code = 'crashed'"
      try await until("parked", progress: { try memory.kills() }) {
        deaths += try await scene.fleet.replaceTheDead()
        return try await scene.number(letters) == 1
      }
      deaths += try await scene.fleet.replaceTheDead()
      let recovery = try await scene.recovery()
      #expect(try memory.kills() == deaths, "killed by the kernel, and for nothing else")
      let crashed = try await scene.number("SELECT count(*)::int FROM intake.dead_letter WHERE code = 'crashed'")
      #expect(crashed == 1, "no other payload is parked")
      // It is none of the producers'.
      _ = try await scene.database.ask("DELETE FROM intake.dead_letter WHERE user_id = '\(Self.someone)' RETURNING id")
      return DrillSight(
        "\(deaths) kills by the kernel; the payload is parked as crashed, and no other", recovery: recovery)
    }
  }

  @Test(.whole(if: MemoryLimit.canBeHad, needsRoot)) func `the server runs out of memory`() async throws {
    let memory = try MemoryLimit(megabytes: 4000)
    // As Postgres' manual advises, the kernel shall prefer the children to the first process.
    let server = try await ThrowawayCluster.start(
      settings: ["fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"],
      environment: ["PG_OOM_ADJUST_FILE": "/proc/self/oom_score_adj", "PG_OOM_ADJUST_VALUE": "500"])
    try memory.admit(try server.postmaster())
    let drill = Drill(
      name: "out of memory (server)",
      what: "a query takes all memory that the server may have, 3 times; the kernel kills its process",
      launch: ChaosLaunch(processes: 2, producersBearErrors: true),
      database: try await ChaosDatabase("drill", on: server), allowsErrors: true)
    try await drill.run { scene in
      let longest = try await scene.often(3) { number in
        try memory.set(megabytes: memory.megabytesUsed() + 100)
        await Self.takeAllMemory(scene.database)
        #expect(try memory.kills() > number)
        try memory.set(megabytes: 4000)
      }
      #expect(try scene.database.cluster.log().contains("all server processes terminated; reinitializing"))
      return DrillSight("the server recovers, services connect again; nothing parked", recovery: longest)
    }
  }

  /// Asks for more and more until the connection is gone.
  private static func takeAllMemory(_ database: ChaosDatabase) async {
    do {
      let hungry = try await database.connect(as: "hungry")
      try await hungry.script(
        "SET work_mem = '2GB'; SELECT count(*) FROM (SELECT array_agg(md5(n::text)) FROM generate_series(1, 100000000) n) a"
      )
    } catch {}
  }

  @Test(.whole) func `backends are killed`() async throws {
    let drill = Drill(
      name: "kill -9 of backends", what: "SIGKILL of a backend of a service that is at work, 10 times",
      launch: ChaosLaunch(processes: 2, producersBearErrors: true), allowsErrors: true)
    try await drill.run { scene in
      let longest = try await scene.often(10) { number in
        // Whoever was chosen may have ended meanwhile; then somebody else is.
        try await until("a backend killed at work") {
          let backend = try await scene.number(
            """
            SELECT COALESCE(max(pid), 0) FROM pg_stat_activity
            WHERE application_name LIKE 'chaos service%' AND state <> 'idle' AND backend_type = 'client backend'
            """)
          if backend != 0 { kill(pid_t(backend), SIGKILL) }
          let log = try scene.database.cluster.log()
          return log.split(separator: "\n").count { $0.contains("was terminated by signal 9") } > number
        }
      }
      let parked = try await scene.number(
        "SELECT count(*)::int FROM intake.dead_letter WHERE code IN ('crashed', 'timed_out')")
      #expect(parked == 0)
      return DrillSight("the server recovers, services connect again; nothing parked", recovery: longest)
    }
  }
}
