import Postgres
import TestSupport
import Testing

/// A schema that is made anew beside the work, and builds of different age on one queue.
extension Drills {
  @Test func `the schema is migrated while services work`() async throws {
    let drill = Drill(name: "migration", what: "dailymetricd migrate, which makes every function anew, beside services")
    try await drill.run { scene in
      let longest = try await scene.often(Self.isWhole ? 8 : 2) { _ in
        let result = try await scene.database.dailymetricd("migrate")
        #expect(result.status == 0, "\(result.stderr)")
      }
      return DrillSight("services go on and log no error", recovery: longest)
    }
  }

  @Test(.whole) func `a newer build has migrated and older services go on`() async throws {
    let other = Self.environment["DRILL_OTHER_DAEMON"]
    let database = try await ChaosDatabase("drill", on: ChaosDatabase.safeServer())
    let drill = Drill(
      name: "old and new side by side",
      what: "a compatible migration of a newer build is recorded; services are killed and start beside it"
        + (other == nil ? "" : "; every other one is another build"),
      launch: ChaosLaunch(processes: 2, otherProgram: other), database: database)
    // What another build starts with has to look newer than it is: its functions are others.
    if other != nil { try await recordNewer(database) }
    try await drill.run { scene in
      try await scene.reach(0.2)
      if other == nil { try await recordNewer(database) }
      let longest = try await scene.often(4) { try await scene.fleet.kill($0 % 2) }
      try await scene.fleet.says("newer, compatible migrations")
      return DrillSight("older services say so and go on", recovery: longest)
    }
  }

  private func recordNewer(_ database: ChaosDatabase) async throws {
    let hand = try await database.connect(as: "hand")
    try await hand.script(
      """
      INSERT INTO intake.migration (file, checksum, is_compatible, applied_at)
      VALUES ('migrations/0999_newer.sql', repeat('0', 64), true, now())
      """)
    await hand.close()
  }
}
