import Postgres
import TestSupport
import Testing

/// Others at work in the same database.
extension Drills {
  @Test func `somebody locks tables in another order`() async throws {
    let drill = Drill(
      name: "deadlock",
      what: "a hand-made transaction locks daily_metric, then the queue, until services were its victims",
      expectsDeadlocks: true)
    try await drill.run { scene in
      let hand = try await scene.database.connect(as: "hand")
      // So that it is the services that are ended.
      try await hand.script("SET deadlock_timeout = '1min'")
      let wanted = Self.isWhole ? 10 : 1
      var tries = 0
      var seen = 0
      while seen < wanted, tries < 60 {
        tries += 1
        try await scene.reach(0.8 * Double(tries) / 60)
        try await hand.script(
          """
          BEGIN; LOCK TABLE daily_metric IN EXCLUSIVE MODE; SELECT pg_sleep(0.03);
          LOCK TABLE intake.sync_payload IN ACCESS EXCLUSIVE MODE; COMMIT
          """)
        seen = try scene.database.cluster.log().split(separator: "\n").count { $0.contains("deadlock detected") }
      }
      await hand.close()
      #expect(seen >= wanted, "\(seen) deadlocks in \(tries) tries")
      return DrillSight("\(seen) deadlocks, each batch tried again", recovery: try await scene.recovery())
    }
  }

  @Test(.whole) func `a table is locked for longer than statements may take`() async throws {
    let drill = Drill(
      name: "lock and statement timeouts",
      what: "evidence.reading is locked until statements were cancelled, 6 times",
      launch: ChaosLaunch(processes: 2, arguments: ["--statement-deadline", "2"]))
    try await drill.run { scene in
      let longest = try await scene.often(6) { number in
        let hand = try await scene.database.connect(as: "hand")
        try await hand.script("BEGIN; LOCK TABLE evidence.reading IN ACCESS EXCLUSIVE MODE")
        try await until("statements cancelled") {
          try scene.database.cluster.log().split(separator: "\n")
            .count { $0.contains("canceling statement due to") } >= 2 * (number + 1)
        }
        try await hand.script("COMMIT")
        await hand.close()
      }
      return DrillSight("tried again with fewer payloads; nothing parked", recovery: longest)
    }
  }

  @Test(.whole) func `an analyst holds a snapshot for the whole run`() async throws {
    try await Drill(name: "old snapshot", what: "a REPEATABLE READ transaction is open from beginning to end").run {
      scene in
      let analyst = try await scene.database.connect(as: "analyst")
      try await analyst.script("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM daily_metric")
      try await scene.reach(0.8)
      let dead = try await scene.number(
        "SELECT n_dead_tup::int FROM pg_stat_all_tables WHERE relid = 'intake.sync_payload'::regclass")
      let counted = try await analyst.execute("SELECT count(*)::int FROM daily_metric").one().int(0)
      #expect(counted == 0, "it sees what there was")
      let recovery = try await scene.recovery()
      await analyst.close()
      return DrillSight("\(dead) dead rows in the queue at the end, which nobody could remove", recovery: recovery)
    }
  }

  @Test(.whole) func `tables are rewritten and indexes made beside the work`() async throws {
    let drill = Drill(
      name: "DDL and VACUUM FULL",
      what: "VACUUM FULL of queue, readings and cells, REINDEX, CREATE and DROP INDEX and VIEW, 4 rounds")
    try await drill.run { scene in
      let longest = try await scene.often(4) { _ in
        let hand = try await scene.database.connect(as: "hand")
        for statement in [
          "VACUUM FULL intake.sync_payload", "VACUUM FULL evidence.reading", "VACUUM FULL daily_metric",
          "REINDEX TABLE evidence.reading", "CREATE INDEX analyst_index ON daily_metric (value)", "ANALYZE",
          "CREATE VIEW analyst_view AS SELECT * FROM daily_metric", "DROP VIEW analyst_view",
          "DROP INDEX analyst_index",
          "CREATE INDEX CONCURRENTLY analyst_index ON intake.receipt (outcome)",
          "DROP INDEX CONCURRENTLY intake.analyst_index",
        ] { try await hand.script(statement) }
        await hand.close()
      }
      return DrillSight("waited for, and gone on", recovery: longest)
    }
  }

  @Test(.whole) func `all connections are taken`() async throws {
    let server = try await ThrowawayCluster.start(settings: [
      "fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "max_connections": "20",
    ])
    let drill = Drill(
      name: "too many connections", what: "others take all of 20 connections, and those of the services are terminated",
      launch: ChaosLaunch(processes: 2, producersBearErrors: true),
      database: try await ChaosDatabase("drill", on: server))
    try await drill.run { scene in
      try await scene.reach(0.2)
      var others: [Connection] = []
      let options = ConnectionOptions(dsn: server.dsn(database: "postgres"), applicationName: "crowd")
      for _ in 0..<2 {
        do { while true { others.append(try await Connection.connect(options)) } } catch {}
        _ = try await scene.number(
          """
          SELECT count(pg_terminate_backend(pid))::int FROM pg_stat_activity WHERE application_name LIKE 'chaos service%'
          """
        )
      }
      do { while true { others.append(try await Connection.connect(options)) } } catch {}
      try await scene.fleet.says("too many clients")
      for other in others { await other.close() }
      return DrillSight("tried again until there was room", recovery: try await scene.recovery())
    }
  }
}
