import Foundation
import Glibc
import Postgres
import TestSupport
import Testing

/// Disks without room, and processes without memory.
extension Drills {
  private static let safe = ["fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"]
  private static let needsRoot: Comment = "make drills as root: a small disk has to be mounted"

  @Test(.whole(if: SmallDisk.canBeHad, needsRoot)) func `the disk of the data is full`() async throws {
    let disk = try SmallDisk(megabytes: 64)
    let server = try await ThrowawayCluster.start(settings: Self.safe)
    let administration = try await Connection.connect(
      ConnectionOptions(dsn: server.dsn(database: "postgres"), applicationName: "drill"))
    try await administration.script("CREATE TABLESPACE small LOCATION '\(disk.directory.path)'")
    await administration.close()
    let drill = Drill(
      name: "full disk (data)", what: "the tablespace of the database is filled up, and given room again, twice",
      launch: ChaosLaunch(processes: 2, producersBearErrors: true),
      database: try await ChaosDatabase("drill", on: server, options: "TABLESPACE small"), allowsErrors: true)
    try await drill.run { scene in
      let longest = try await scene.often(2) { number in
        try disk.fill()
        try await until("no room") {
          try scene.database.cluster.log().split(separator: "\n").count { $0.contains("No space left on device") }
            > 3 * (number + 1)
        }
        try disk.relieve()
      }
      return DrillSight("the server stays up, nothing is parked; goes on by itself", recovery: longest)
    }
  }

  @Test(.whole(if: SmallDisk.canBeHad, needsRoot)) func `the disk of the write-ahead log is full`() async throws {
    let disk = try SmallDisk(megabytes: 100)
    let settings = Self.safe.merging(["max_wal_size": "48MB", "min_wal_size": "32MB"]) { $1 }
    let server = try await ThrowawayCluster.start(
      settings: settings, walDirectory: disk.directory.appending(path: "wal").path)
    let drill = Drill(
      name: "full disk (WAL)", what: "the disk of the log is filled up until the server stops; given room and started",
      launch: ChaosLaunch(processes: 2, producersBearErrors: true),
      database: try await ChaosDatabase("drill", on: server), allowsErrors: true)
    try await drill.run { scene in
      try await scene.reach(0.2)
      try disk.fill()
      let writer = Task { try await Self.write(scene.database) }
      try await scene.serverSays("PANIC:  could not write to file")
      try await until("a server that has stopped") { !server.isRunning }
      _ = await writer.result
      try disk.relieve()
      try await server.control(["start"])
      return DrillSight(
        "the server stops by PANIC, and loses nothing that it acknowledged", recovery: try await scene.recovery())
    }
  }

  /// Writes until the server is gone.
  private static func write(_ database: ChaosDatabase) async throws {
    let connection = try await database.connect(as: "writer")
    try await connection.script("CREATE TABLE public.padding (text text)")
    while true {
      try await connection.script("INSERT INTO public.padding SELECT repeat('x', 1000) FROM generate_series(1, 2000)")
    }
  }
}
