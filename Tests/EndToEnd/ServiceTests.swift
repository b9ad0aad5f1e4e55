import Glibc
import Postgres
import TestSupport
import Testing

@Suite struct ServiceTests {
  private let merged = "SELECT count(*)::text FROM intake.receipt"

  /// What one worker makes of the input, undisturbed.
  private func reference(_ input: String, rechecks: Bool = false) async throws -> String {
    let program = try await Program.prepared()
    try await program("enqueue", "-", stdin: input)
    #expect(try await program("drain", "--workers", "1").status == 0)
    if rechecks { #expect(try await program("recheck", "--workers", "1").status == 0) }
    return try await program.knowledge()
  }

  @Test func `the service merges what arrives, is woken by producers, and ends well on SIGTERM`() async throws {
    let program = try await Program.prepared()
    // It would sleep for an hour: only the producer's call can wake it in time.
    let service = try program.start("run", "--poll-interval", "3600")
    try await program("enqueue", "-", stdin: Sample.payload(user: 1, number: 1, steps: ["8000"]) + "\n")
    #expect(try await program.eventually(merged, is: "1") == "1")
    let payload = Sample.payload(user: 2, number: 2, steps: ["9000"])
    try await program.database.psql("SELECT enqueue_sync_payload('\(Sample.id(2))', '\(payload)')")
    #expect(try await program.eventually(merged, is: "2") == "2")
    service.send(SIGHUP)
    service.send(SIGTERM)
    let result = try await service.wait()
    #expect(result.status == 0)
    #expect(result.stderr.contains("event=stopped payloads=2"))
    #expect(try await program.value("SELECT count(*) FROM daily_metric WHERE status = 'measured'") == "2")
  }

  @Test func `two services and a drain side by side make what one worker makes alone`() async throws {
    let input = Sample.file(payloads: 400, users: 23)
    let program = try await Program.prepared()
    try await program("enqueue", "-", stdin: input)
    // One thread for all of Swift's tasks: a blocking call on it would stop everything.
    let strict = ["LIBDISPATCH_COOPERATIVE_POOL_STRICT": "1"]
    let services = try (0..<2).map { _ in
      try program.start("run", "--workers", "3", "--batch", "7", environment: strict)
    }
    #expect(try await program("drain", "--batch", "5").status == 0)
    #expect(try await program.value(Sample.queueDepth) == "0")
    for service in services { service.send(SIGTERM) }
    for service in services { #expect(try await service.wait().status == 0) }
    #expect(try await program.value(merged) == "400")
    // The services also re-check what the passing of time made due, as far as they got.
    #expect(try await program("recheck").status == 0)
    #expect(try await program.knowledge() == reference(input, rechecks: true))
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGKILL])
  func `a drain that is ended in the middle loses nothing and does nothing twice`(_ signal: Int32) async throws {
    let input = Sample.file(payloads: 600, users: 40)
    let program = try await Program.prepared()
    try await program("enqueue", "-", stdin: input)
    let drain = try program.start("drain", "--workers", "2", "--batch", "3")
    #expect(try await program.eventually("SELECT (count(*) > 5)::text FROM intake.receipt", is: "true") == "true")
    drain.send(signal)
    let result = try await drain.wait()
    #expect(result.status == (signal == SIGKILL ? 128 + SIGKILL : 0))
    let all = "SELECT ((SELECT count(*) FROM intake.receipt) + (SELECT count(*) FROM intake.sync_payload))::text"
    #expect(try await program.value(all) == "600")
    #expect(try await program.value(Sample.queueDepth) != "0", "it was over before the signal: take more payloads")
    #expect(try await program("drain").status == 0)
    #expect(try await program.value(merged) == "600")
    #expect(try await program.value("SELECT sum(repetitions) FROM intake.receipt") == "0")
    #expect(try await program.knowledge() == reference(input))
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a second signal ends the service at once, in the middle of a batch`(_ signal: Int32) async throws {
    let program = try await Program.prepared()
    try await program("enqueue", "-", stdin: Sample.payload(user: 1, number: 1, steps: ["1"]))
    let connection = try await program.database.connect()
    try await connection.script("BEGIN; LOCK TABLE evidence.person, evidence.reading IN ACCESS EXCLUSIVE MODE")
    let service = try program.start("run", "--workers", "1")
    let waiting = """
      SELECT count(*)::text FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
      """
    #expect(try await program.eventually(waiting, is: "1") == "1")
    service.send(signal)
    // The first one alone is not enough: the batch in hand waits for the lock.
    try await service.says("event=\"finishing the batches in hand")
    #expect(service.isRunning)
    service.send(signal)
    #expect(try await service.wait().status == 128 + signal)
    await connection.close()
    #expect(try await program.eventually(Sample.queueDepth, is: "1") == "1")
  }

  @Test func `a database that is away is waited for, and its return noticed`() async throws {
    let cluster = try await ThrowawayCluster.start()
    let address = ["--dsn", cluster.dsn(database: "postgres")]
    let path = try BuiltProducts.path("dailymetricd")
    #expect(try await run(path, ["migrate"] + address).status == 0)
    // Not "immediate": test servers commit asynchronously, and a crash could take the schema with it.
    try await cluster.control(["stop", "-m", "fast"])
    let service = try ChildProcess(path, ["run", "--workers", "1"] + address)
    try await service.says("attempt=1")
    try await cluster.control(["start"])
    let payloads = (1...2).map { Sample.payload(user: 1, number: $0, steps: [String($0)]) }
    #expect(try await run(path, ["enqueue", "-"] + address, stdin: payloads[0]).status == 0)
    try await service.says("working again")
    try await service.says("event=merged worker=1 payloads=1")
    try await cluster.control(["restart", "-m", "immediate"])
    #expect(try await run(path, ["enqueue", "-"] + address, stdin: payloads[1]).status == 0)
    try await service.says("event=merged worker=1 payloads=1", times: 2)
    service.send(SIGTERM)
    #expect(try await service.wait().status == 0)
    try await cluster.control(["stop", "-m", "immediate"])
  }
}

extension ChildProcess {
  /// Waits until the program has written `text` to its log so often.
  func says(_ text: String, times: Int = 1) async throws {
    let deadline = ContinuousClock.now + patience
    while isRunning, ContinuousClock.now < deadline {
      if try output().stderr.split(separator: "\n").count(where: { $0.contains(text) }) >= times { return }
      try await moment()
    }
    throw TestSupportError("it never said \"\(text)\" \(times) times, but: \(try output().stderr)")
  }
}
