import Foundation
import Postgres
import TestSupport
import Testing

/// Clocks that jump, by libfaketime: a text file says by how much.
extension Drills {
  private static let library = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/faketime/libfaketime.so.1" }
    .first { FileManager.default.fileExists(atPath: $0) }
  private static let needsLibrary: Comment = "make drills with libfaketime: apt-get install faketime"

  /// A clock that this process sets.
  private struct Clock {
    let file: URL
    let environment: [String: String]

    init() throws {
      file = URL(filePath: "/tmp/drill-clock-\(getpid())-\(UInt32.random(in: 0 ... .max))")
      environment = [
        "LD_PRELOAD": library ?? "", "FAKETIME_TIMESTAMP_FILE": file.path, "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
      ]
      try set("+0")
    }

    func set(_ offset: String) throws {
      try Data("\(offset)\n".utf8).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    }

    func remove() throws { try FileManager.default.removeItem(at: file) }
  }

  private static let jumps = ["+20h", "-3d", "-400d", "+0"]

  @Test(.whole(if: library != nil, needsLibrary)) func `the clock of the services jumps`() async throws {
    let clock = try Clock()
    let drill = Drill(
      name: "clock of the services", what: "20 h ahead, 3 days and 400 days behind, and back, while they work",
      launch: ChaosLaunch(processes: 2, environment: clock.environment))
    try await drill.run { scene in
      let past = Date(timeIntervalSinceNow: -400 * 86_400).ISO8601Format().prefix(10)
      let longest = try await scene.often(Self.jumps.count) { number in
        try clock.set(Self.jumps[number])
        guard Self.jumps[number] == "-400d" else { return }
        _ = try await scene.recovery()
        try await scene.fleet.says("time=\(past)")
      }
      return DrillSight("nobody notices", recovery: longest)
    }
    try clock.remove()
  }

  @Test(.whole(if: library != nil, needsLibrary)) func `the clock of the server jumps`() async throws {
    let clock = try Clock()
    let server = try await ThrowawayCluster.start(
      settings: ["fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"], environment: clock.environment)
    let drill = Drill(
      name: "clock of the server", what: "20 h ahead, 3 days and 400 days behind, and back, while it works",
      database: try await ChaosDatabase("drill", on: server))
    try await drill.run { scene in
      var shown: Set<Int> = []
      let longest = try await scene.often(Self.jumps.count) { number in
        try clock.set(Self.jumps[number])
        shown.insert(try await scene.number("SELECT current_date - '2000-01-01'::date"))
      }
      #expect(shown.count >= 3, "the clock did not jump")
      return DrillSight("nobody notices", recovery: longest)
    }
    try clock.remove()
  }
}
