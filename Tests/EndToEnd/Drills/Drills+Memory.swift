import Glibc
import Postgres
import TestSupport
import Testing

/// Services that get no memory.
extension Drills {
  /// A payload of so many entries that no service of the drill can take it in.
  private static let giant = """
    SELECT enqueue_sync_payload('00000000-0000-4000-8000-00000000f00d', format(
      '{"schema": "dailymetricd.sync/1", "payload_id": "00000000-0000-4000-8000-00000000f00d", '
      '"user_id": "00000000-0000-4000-8000-00000000f00d", "origin": {"platform": "garmin"}, "read": {"mode": "reread"}, '
      '"days": [%s]}', rtrim(repeat('{"metric": "steps", "local_date": "2026-01-01", "outcome": "empty", "sources": ["' || repeat('x', 70) || '"]},', 190000), ',')))::text
    """

  @Test(.whole) func `services run out of memory`() async throws {
    let megabytes = Self.environment["DRILL_MEMORY"].flatMap { Int($0) } ?? 640
    let drill = Drill(
      name: "out of memory", what: "services may have \(megabytes) MB of addresses, and a payload of 28 MB comes",
      launch: ChaosLaunch(
        processes: 2, through: ["/bin/sh", "-c", "ulimit -c 0 -v \(megabytes * 1024); exec \"$0\" \"$@\""],
        environment: ["SWIFT_BACKTRACE": "enable=no"]))
    try await drill.run { scene in
      try await scene.reach(0.2)
      _ = try await scene.database.ask(Self.giant)
      var deaths = 0
      let parked = "SELECT count(*)::int FROM intake.dead_letter WHERE code = 'crashed'"
      try await until("parked") {
        deaths += try await scene.fleet.replaceTheDead()
        return try await scene.number(parked) == 1
      }
      let recovery = try await scene.recovery()
      _ = try await scene.database.ask("DELETE FROM intake.dead_letter WHERE code = 'crashed' RETURNING code")
      return DrillSight(
        "services died \(deaths) times and were replaced; the payload was parked, alone", recovery: recovery)
    }
  }
}
