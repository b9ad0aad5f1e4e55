import Glibc
import Postgres
import TestSupport
import Testing

/// Processes that end or stand still.
extension Drills {
  @Test(.whole) func `services are killed again and again`() async throws {
    let kills = Self.environment["DRILL_KILLS"].flatMap { Int($0) } ?? 200
    let drill = Drill(name: "kill -9", what: "SIGKILL of a service, \(kills) times; another takes its place")
    try await drill.run { scene in
      let longest = try await scene.often(kills) { try await scene.fleet.kill($0 % 2) }
      return DrillSight("work comes back at once", recovery: longest)
    }
  }

  @Test(.whole) func `a service stands still with what it has in hand`() async throws {
    let drill = Drill(
      name: "frozen service",
      what: "SIGSTOP of one of two services, 3 times, until the other has gone on; then SIGCONT",
      launch: ChaosLaunch(processes: 2))
    try await drill.run { scene in
      var held = Duration.zero
      let longest = try await scene.often(3) { number in
        await scene.fleet.send(SIGSTOP, to: number % 2)
        held = max(held, try await scene.recovery())
        await scene.fleet.send(SIGCONT, to: number % 2)
      }
      return DrillSight("the other goes on; what is in hand waits, and is applied once", recovery: max(held, longest))
    }
  }

  @Test(.whole) func `the whole server stands still for longer than the client's deadline`() async throws {
    let launch = ChaosLaunch(processes: 2, arguments: ["--statement-deadline", "2", "--connect-timeout", "2"])
    let drill = Drill(
      name: "frozen server", what: "SIGSTOP of the postmaster and all backends until services gave up; then SIGCONT",
      launch: launch)
    try await drill.run { scene in
      try await scene.reach(0.2)
      let postmaster = try scene.database.cluster.postmaster()
      let children = try await run("/usr/bin/pgrep", ["-P", String(postmaster)]).stdout
      let processes = [postmaster] + children.split(separator: "\n").compactMap { pid_t($0) }
      for process in processes { kill(process, SIGSTOP) }
      defer { for process in processes { kill(process, SIGCONT) } }
      try await scene.fleet.says("did not answer in time")
      try await scene.fleet.says("timeout expired")
      for process in processes { kill(process, SIGCONT) }
      return DrillSight(
        "given up after the deadline, connected again by themselves", recovery: try await scene.recovery())
    }
  }

  @Test(.whole, arguments: ["terminate", "cancel"])
  func `backends are terminated or cancelled`(_ how: String) async throws {
    let drill = Drill(
      name: "\(how) backends", what: "pg_\(how)_backend of a backend of a service that is at work, 100 times")
    try await drill.run { scene in
      var hit = 0
      let longest = try await scene.often(100) { number in
        hit += try await scene.number(
          """
          SELECT COALESCE(sum(pg_\(how)_backend(pid)::int), 0)::int FROM (
            SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'chaos service%' AND state <> 'idle'
            ORDER BY md5(pid || $1::text) LIMIT 1) a
          """, [.text(String(number))])
      }
      let suspects = try await scene.number(
        "SELECT count(*)::int FROM intake.dead_letter WHERE code IN ('crashed', 'timed_out')")
      #expect(suspects == 0)
      return DrillSight("\(hit) were hit at work; nothing suspected", recovery: longest)
    }
  }

  @Test(.whole, arguments: ["fast", "immediate"]) func `the server is restarted`(_ mode: String) async throws {
    let drill = Drill(name: "\(mode) restart", what: "pg_ctl stop -m \(mode) and start, 5 times")
    try await drill.run { scene in
      let longest = try await scene.often(5) { _ in
        try await scene.database.cluster.control(["stop", "-m", mode])
        try await scene.database.cluster.control(["start"])
      }
      return DrillSight("connected again by themselves", recovery: longest)
    }
  }
}
