import Glibc
import TestSupport
import Testing

@Suite struct PauseTests {
  private let merged = "SELECT count(*)::text FROM intake.receipt"

  @Test func `a pause stops the service and outlives it, and a resume wakes it`() async throws {
    let program = try await Program.prepared()
    // It would sleep for an hour: only what is announced can wake it in time.
    let service = try program.start("run", "--poll-interval", "3600")
    #expect(try await program("pause", "--because", "release 7").stdout.hasPrefix("intake is paused"))
    try await service.says("event=\"intake is paused; re-checks go on\"")
    #expect(try await program("pause").stdout.hasPrefix("it was already: intake is paused since 2"))
    try await program("enqueue", "-", stdin: Sample.payload(user: 1, number: 1, steps: ["8000"]))
    let drained = try await program("drain")
    #expect(drained.status == 1)
    #expect(drained.stdout.hasPrefix("0 payloads"))
    #expect(drained.stderr.contains("intake is paused since 2") && drained.stderr.contains(": release 7\n"))
    let status = try await program("status", "--json")
    #expect(status.status == 1)
    #expect(status.stdout.contains(#""paused_because":"release 7""#))
    #expect(try await program.value(merged) == "0")
    #expect(try await program("resume").stdout == "intake goes on\n")
    #expect(try await program("resume").stdout == "intake was not paused\n")
    #expect(try await program.eventually(merged, is: "1") == "1")
    service.send(SIGTERM)
    let result = try await service.wait()
    #expect(result.status == 0)
    let lines = result.stderr.split(separator: "\n")
    #expect(lines.count { $0.contains("intake is paused") } == 1, "two workers, one line")
    #expect(lines.count { $0.contains("event=\"intake goes on\"") } == 1)
    #expect(try await program("status").status == 0)
  }

  @Test func `a bad release pauses the intake of all services, and nothing is lost`() async throws {
    let program = try await Program.prepared()
    let bad = (1...40).map { number in
      Sample.payload(user: number, number: number, steps: ["31337"]).replacing("sync/1", with: "sync/2")
    }
    let good = (41...50).map { Sample.payload(user: $0, number: $0, steps: ["31337"]) }
    try await program("enqueue", "-", stdin: (bad + good).joined(separator: "\n"))
    let drained = try await program("drain", "--workers", "1")
    #expect(drained.status == 1)
    #expect(
      drained.stderr.contains("40 of a batch of 50 payloads, of 40 persons, cannot be used (40 unsupported_schema)"))
    #expect(!drained.stderr.contains("31337"))
    #expect(try await program.value(Sample.queueDepth) == "50")
    #expect(try await program.value("SELECT count(*) FROM intake.dead_letter") == "0")
    try await program("resume")
    let accepted = try await program("drain", "--workers", "1")
    #expect(accepted.status == 0)
    #expect(accepted.stdout.hasPrefix("50 payloads (0 repeated, 40 to dead letters), 10 cells written"))
  }
}
