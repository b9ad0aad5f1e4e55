import Glibc
import Postgres
import TestSupport
import Testing

/// A payload that kills its process is found and parked; one that only was there is not.
@Suite struct CrashTests {
  private static let key = 4_242
  private let receipts = "SELECT count(*)::text FROM intake.receipt"
  private let deadLetters = "SELECT count(*) FROM intake.dead_letter"

  /// Sessions that have reached the payload that is to kill them: they wait for a lock that the test holds.
  private static let reached = """
    SELECT coalesce(min(pid), 0)::text FROM pg_locks WHERE locktype = 'advisory' AND objid = \(key) AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    """

  /// A database in which whoever merges this payload stops, so that the test can kill the process at that very moment.
  private func prepared(culprit: Int) async throws -> (program: Program, lock: Connection) {
    let program = try await Program.prepared()
    try await program.database.psql(
      """
      CREATE FUNCTION public.stop_there() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.payload_id = '\(Sample.id(culprit))' THEN PERFORM pg_advisory_xact_lock(\(Self.key)); END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER stop_there BEFORE INSERT ON intake.receipt FOR EACH ROW EXECUTE FUNCTION public.stop_there();
      """)
    let lock = try await program.database.connect()
    try await lock.execute("SELECT pg_advisory_lock(\(Self.key))")
    return (program, lock)
  }

  /// Kills the process as soon as it has the culprit in hand. False: it ended well before.
  private func killAtCulprit(_ process: ChildProcess, _ lock: Connection) async throws -> Bool {
    var backend = "0"
    while process.isRunning, backend == "0" {
      try await moment()
      backend = try await lock.execute(Self.reached).one().text(0)
    }
    guard backend != "0" else { return false }
    process.send(SIGKILL)
    #expect(try await process.wait().status == 128 + SIGKILL)
    // The server would notice as soon as it has something to say; it waits for the test's lock.
    try await lock.execute("SELECT pg_terminate_backend(\(backend), 180000)")
    return true
  }

  @Test(arguments: [1, 3])
  func `a payload that kills every process is parked after eight deaths, and all others are merged`(_ workers: Int)
    async throws
  {
    let (program, lock) = try await prepared(culprit: 17)
    try await program("enqueue", "-", stdin: Sample.file(payloads: 60, users: 11))
    var deaths = 0
    while deaths < 20 {
      let drain = try program.start("drain", "--workers", String(workers))
      guard try await killAtCulprit(drain, lock) else {
        let result = try await drain.wait()
        #expect(result.status == 0)
        // Of several workers one may have asked who died just before its process did: its session parks, and nobody is left to say so.
        let isSaid = result.stderr.contains("payloads that killed their process went to the dead letters\" count=1")
        #expect(isSaid || workers > 1 && result.stderr == "")
        break
      }
      deaths += 1
    }
    #expect(deaths == 8)
    await lock.close()
    #expect(try await program.value(receipts) == "59")
    #expect(try await program.value(Sample.queueDepth) == "0")
    #expect(
      try await program.value(
        "SELECT code || ' ' || position('\(Sample.id(17))' IN payload)::boolean FROM intake.dead_letter")
        == "crashed true")
    #expect(try await program.value("SELECT count(*) FROM intake.suspect") == "0")
    #expect(try await program.value("SELECT count(*) FROM intake.batch_in_hand") == "0", "a clean end leaves no note")

    // Once the cause is mended, here the lock, it is merged like any other.
    #expect(try await program("dead", "retry", "--code", "crashed").status == 0)
    #expect(try await program("drain").status == 0)
    #expect(try await program.value(receipts) == "60")
    #expect(try await program.value(deadLetters) == "0")
  }

  @Test func `a service that lives takes the suspects of one that died`() async throws {
    let (program, lock) = try await prepared(culprit: 5)
    try await program("enqueue", "-", stdin: Sample.file(payloads: 10, users: 3))
    let dying = try program.start("run", "--workers", "1")
    #expect(try await killAtCulprit(dying, lock))
    try await lock.execute("SELECT pg_advisory_unlock(\(Self.key))")
    let living = try program.start("run", "--workers", "1")
    #expect(try await program.eventually(receipts, is: "10") == "10")
    living.send(SIGTERM)
    let log = try await living.wait().stderr
    #expect(log.contains("a process or connection died with payloads in hand") && log.contains("payloads=10"))
    #expect(try await program.value(deadLetters) == "0")
    #expect(try await program.value("SELECT count(*) FROM intake.suspect") == "0")
  }

  @Test func `processes that are killed at random park nothing and lose nothing`() async throws {
    let program = try await Program.prepared()
    try await program("enqueue", "-", stdin: Sample.file(payloads: 900, users: 40))
    let connection = try await program.database.connect()
    var merged = 0
    var kills = 0
    // A slow machine kills late, when much is merged; then there are fewer kills.
    while kills < 12, merged < 800 {
      let drain = try program.start("drain", "--workers", "2", "--batch", "9")
      // As soon as something of it is merged: sometimes among suspects, sometimes among others.
      let wanted = merged + 1
      while drain.isRunning, merged < wanted {
        merged = try await connection.execute("SELECT count(*)::int FROM intake.receipt").one().int(0)
      }
      drain.send(SIGKILL)
      if try await drain.wait().status == 128 + SIGKILL { kills += 1 }
    }
    await connection.close()
    #expect(kills > 0, "it was over before the kills")
    #expect(try await program("drain").status == 0)
    #expect(try await program.value(receipts) == "900")
    #expect(try await program.value(deadLetters) == "0")
    #expect(try await program.value("SELECT sum(repetitions) FROM intake.receipt") == "0")
    #expect(try await program.value("SELECT count(*) FROM intake.suspect") == "0")
  }
}
