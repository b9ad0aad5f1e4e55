import TestSupport
import Testing

/// A payload that takes too long whenever it is tried comes to an end; a server that is slow for everybody ends none.
@Suite struct SlowPayloadTests {
  private static let alone = "a payload took too long although it was alone"
  private let letters = "SELECT count(*)::text FROM intake.dead_letter"
  private let remembered =
    "SELECT ((SELECT count(*) FROM intake.slow_payload) + (SELECT count(*) FROM intake.sync_payload))::text"

  /// A database in which merging these payloads takes much longer than the deadline.
  private func prepared(slow: String) async throws -> Program {
    let program = try await Program.prepared()
    try await program.database.psql(
      """
      CREATE FUNCTION public.dawdle() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF \(slow) THEN PERFORM pg_sleep(60); END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER slow BEFORE INSERT ON intake.receipt FOR EACH ROW EXECUTE FUNCTION public.dawdle();
      """)
    return program
  }

  private func service(_ program: Program, workers: Int) throws -> ChildProcess {
    try program.start(
      "run", "--workers", String(workers), "--batch", "4", "--poll-interval", "0.1", "--statement-deadline", "1")
  }

  @Test(arguments: [1, 2])
  func `a payload that always takes too long is parked after five attempts, and all others are merged`(
    _ workers: Int
  ) async throws {
    let program = try await prepared(slow: "NEW.payload_id = '\(Sample.id(1))'")
    let payloads = (1...24).map { Sample.payload(user: $0, number: $0, steps: ["\($0)31337"]) + "\n" }
    try await program("enqueue", "-", stdin: payloads[..<20].joined())
    let service = try service(program, workers: workers)
    try await service.says("attempts=1 of=5")
    #expect(try await program.eventually(Program.merged, is: "19") == "19")
    for attempt in 2...5 {
      // Nothing counts until somebody else has passed.
      try await program("enqueue", "-", stdin: payloads[18 + attempt])
      try await service.says("attempts=\(attempt) of=5")
    }
    #expect(try await program.eventually(letters, is: "1") == "1")
    try await service.says("went to the dead letters")
    #expect(try await program.eventually(Program.merged, is: "23") == "23")
    #expect(
      try await program.value(
        "SELECT code || ' ' || position('\(Sample.id(1))' IN payload)::boolean FROM intake.dead_letter")
        == "timed_out true")
    #expect(try await program.value(remembered) == "0")
    #expect(try !service.output().stderr.contains("31337"))

    // Once the cause is mended it is merged like any other.
    try await program.database.psql("ALTER TABLE intake.receipt DISABLE TRIGGER slow")
    #expect(try await program("dead", "retry", "--code", "timed_out").status == 0)
    #expect(try await program.eventually(Program.merged, is: "24") == "24")
    #expect(try await program.eventually(remembered, is: "0") == "0")
    try await service.end()
    #expect(try await program.value(letters) == "0")
  }

  @Test func `where everything is slow nothing is parked, however often it is tried`() async throws {
    let program = try await prepared(slow: "true")
    let payloads = (1...3).map { Sample.payload(user: $0, number: $0, steps: ["\($0)"]) + "\n" }
    try await program("enqueue", "-", stdin: payloads.joined())
    let service = try service(program, workers: 2)
    // Each of the three was tried alone once, and that counts; nothing more does.
    try await service.says("nothing else was merged since", times: 8)
    #expect(try await program.value("SELECT max(attempts) || ' ' || count(*) FROM intake.slow_payload") == "1 3")
    #expect(try await program.value(letters) == "0")
    try await program.database.psql("ALTER TABLE intake.receipt DISABLE TRIGGER slow")
    #expect(try await program.eventually(Program.merged, is: "3") == "3")
    #expect(try await program.eventually(remembered, is: "0") == "0")
    try await service.end()
    #expect(try await program.value(letters) == "0")
  }

  @Test func `a payload whose statement somebody cancels again and again is not taken for a slow one`() async throws {
    let program = try await prepared(slow: "NEW.payload_id = '\(Sample.id(1))'")
    let payloads = (1...8).map { Sample.payload(user: $0, number: $0, steps: ["\($0)"]) + "\n" }
    try await program("enqueue", "-", stdin: payloads[0])
    let service = try program.start("run", "--workers", "2", "--batch", "1", "--poll-interval", "0.1")
    let cancel =
      "SELECT count(pg_cancel_backend(pid))::text FROM pg_stat_activity "
      + "WHERE datname = current_database() AND wait_event = 'PgSleep'"
    for other in 1...7 {
      #expect(try await program.eventually(cancel, is: "1") == "1")
      // Others pass between: the server is not slow for everybody.
      try await program("enqueue", "-", stdin: payloads[other])
      #expect(try await program.eventually(Program.merged, is: "\(other)") == "\(other)")
    }
    #expect(try await program.value(letters) == "0")
    #expect(try await program.value("SELECT count(*) FROM intake.slow_payload") == "0")
    // The trigger cannot be taken off a table that the sleeper has written to.
    try await program.database.psql(
      "CREATE OR REPLACE FUNCTION public.dawdle() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'")
    _ = try await program.value(cancel)
    #expect(try await program.eventually(Program.merged, is: "8") == "8")
    try await service.end()
  }

  @Test func `each drain merges the others and counts what it can, and the fifth attempt parks it`() async throws {
    let program = try await prepared(slow: "NEW.payload_id = '\(Sample.id(1))'")
    for round in 1...4 {
      let others = [2 * round, 2 * round + 1].map { Sample.payload(user: $0, number: $0, steps: ["5"]) + "\n" }
      let culprit = round == 1 ? Sample.payload(user: 1, number: 1, steps: ["5"]) + "\n" : ""
      try await program("enqueue", "-", stdin: culprit + others.joined())
      let drain = try program.start("drain", "--workers", "1", "--batch", "4", "--statement-deadline", "1")
      let result = try await drain.wait()
      #expect(result.stderr.contains(Self.alone) || round == 4, "\(result.stderr)")
      #expect((result.status == 0) == (round == 4), "\(round): \(result.stderr)")
      #expect(try await program.value(Program.merged) == String(2 * round))
    }
    #expect(try await program.value("SELECT string_agg(code, ' ') FROM intake.dead_letter") == "timed_out")
  }
}
