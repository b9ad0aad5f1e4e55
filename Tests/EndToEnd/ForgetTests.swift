import Foundation
import Glibc
import Postgres
import TestSupport
import Testing

/// Nothing is left of a person who is forgotten, wherever they stood and whenever something about them arrives.
@Suite struct ForgetTests {
  private let anna = Life(number: 1)
  private let ben = Life(number: 2)

  private static let proof = """
    SELECT concat_ws(' ', erased_at IS NOT NULL, rows_erased > 0, payloads_refused) FROM intake.forgotten_person
    WHERE user_id = '\(Sample.id(1))'
    """

  /// Both of them merged, but for what waits.
  private func lived(_ lives: [Life]) async throws -> Program {
    let program = try await Program.prepared()
    for life in lives { try await life.live(in: program) }
    return program
  }

  /// The line for followers of the feed, and nothing else.
  private func expectOneTrace(of life: Life, in program: Program) async throws {
    let traces = try await life.traces(in: program)
    #expect(traces.count == 1, "\(traces)")
  }

  /// What is known of a person and of what the database knows beside them, but for the times at which it was written.
  private func everything(of life: Life, in program: Program) async throws -> String {
    try await program.database.psql(
      """
      SELECT d.*::text FROM daily_metric d WHERE user_id = '\(life.user)' ORDER BY metric, local_date;
      SELECT h.*::text FROM daily_metric_history h WHERE user_id = '\(life.user)' ORDER BY 1;
      SELECT r.*::text FROM evidence.reading r WHERE user_id = '\(life.user)' ORDER BY 1;
      SELECT r.*::text FROM evidence.record r WHERE user_id = '\(life.user)' ORDER BY 1;
      SELECT r.*::text FROM intake.receipt r WHERE user_id = '\(life.user)' ORDER BY 1;
      SELECT l.*::text FROM intake.dead_letter l WHERE user_id = '\(life.user)' ORDER BY 1;
      SELECT l.*::text FROM intake.load_page l WHERE user_id = '\(life.user)' ORDER BY 1;
      SELECT q.*::text FROM intake.quarantined_entry q WHERE user_id = '\(life.user)' ORDER BY 1;
      """)
  }

  @Test func `of a person who is forgotten a dump of all tables holds the proof and one line for followers`()
    async throws
  {
    let program = try await lived([anna, ben])
    // What waits, what came under nobody's name, what a worker has noted.
    try await program("enqueue", "-", stdin: "\(anna.late(5))\n\(anna.late(6).replacing("}", with: ""))\n")
    try await program.database.psql(
      """
      INSERT INTO intake.sync_payload (user_id, payload) VALUES ('\(Sample.id(0))', '\(anna.late(7))');
      INSERT INTO intake.batch_in_hand VALUES ('\(Sample.id(9))', 1, 1, now(), now(), ARRAY['\(anna.user)']::uuid[], '{1}');
      """)
    #expect(try await program("drain").status == 0)
    try await program("enqueue", "-", stdin: anna.late(8))
    let before = try await anna.traces(in: program)
    #expect(before.count > 200)
    let others = try await everything(of: ben, in: program)

    let result = try await program("forget", anna.user.uppercased())
    #expect(result.status == 0 && result.stderr.isEmpty, "\(result.stderr)")
    #expect(result.stdout.hasPrefix("\(anna.user) is forgotten: ") && result.stdout.contains(" rows erased in "))
    let after = try await anna.traces(in: program)
    #expect(after.count == 1 && after[0].contains("\t{}\t{}\tt"), "\(after)")
    #expect(try await program.value(Self.proof) == "t t 0")
    #expect(try await everything(of: ben, in: program) == others)
    #expect(try await program("rebuild", "--check").status == 0)
    #expect(try await program("forget", anna.user).stdout.contains(" 0 rows erased"))
  }

  @Test func `what arrives later is received, not merged and not kept, until the person comes back`() async throws {
    let program = try await lived([anna])
    try await program("forget", anna.user)
    let service = try program.start("run", "--workers", "2", "--poll-interval", "0.1")
    // A payload of their own, a page of a load, one that is no JSON, and one that somebody else's queue row brings.
    let others = Sample.payload(user: 3, number: 77, steps: ["5"])
    try await program(
      "enqueue", "-", stdin: ([anna.late(5), anna.late(5)] + anna.payloads + [others]).joined(separator: "\n"))
    try await program.database.psql(
      """
      INSERT INTO intake.sync_payload (user_id, payload) VALUES
        ('\(anna.user)', 'nonsense \(anna.word)'), ('\(ben.user)', '\(anna.late(6))'), ('\(ben.user)', '\(anna.late(6).dropLast())');
      """)
    #expect(try await program.eventually(Self.proof, is: "t t 9") == "t t 9")
    #expect(try await program.eventually(Sample.queueDepth, is: "0") == "0")
    let kept = try await anna.traces(in: program)
    #expect(kept.count == 1, "\(kept)")
    #expect(try await program.value(Program.merged) == "1")
    let payload = try await program("payload", anna.user, Sample.id(1005))
    #expect(payload.status == 1 && payload.stdout.contains("the user was forgotten at "))

    let back = try await program("forget", "--allow-again", anna.user)
    #expect(back.status == 0 && back.stdout.contains("are taken again"))
    try await program("enqueue", "-", stdin: anna.late(5))
    #expect(try await program.eventually(Program.merged, is: "2") == "2")
    let values = try await program.value(
      "SELECT string_agg(DISTINCT value::text, ',') FROM daily_metric WHERE user_id = '\(anna.user)'")
    #expect(values == "9000.\(anna.mark)9")
    try await service.end()
    #expect(try await program("forget", "--allow-again", anna.user).stdout.contains("were allowed again before"))
    #expect(try await program("forget", "--allow-again", ben.user).status == 1)
    #expect(try await program("forget", Sample.id(0).replacing("4", with: "0").replacing("8", with: "0")).status == 64)
    #expect(try await program("forget", "anna").status == 64)
    // Once more, and the proof says how often.
    #expect(try await program("forget", anna.user).status == 0)
    #expect(try await program.value("SELECT times FROM intake.forgotten_person") == "2")
    try await expectOneTrace(of: anna, in: program)
  }

  /// Whoever erases the value of this day waits for a lock that the test holds.
  private func stopping(_ program: Program) async throws -> Connection {
    try await program.database.psql(
      """
      CREATE FUNCTION public.stop_there() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0 AS $$
      BEGIN
        IF OLD.local_date = '2026-02-20' THEN PERFORM pg_advisory_xact_lock(4243); END IF;
        RETURN OLD;
      END $$;
      CREATE TRIGGER stop_there BEFORE DELETE ON daily_metric FOR EACH ROW EXECUTE FUNCTION public.stop_there();
      """)
    let lock = try await program.database.connect()
    try await lock.execute("SELECT pg_advisory_lock(4243)")
    return lock
  }

  private static let waiting = """
    SELECT pid::text FROM pg_locks WHERE locktype = 'advisory' AND objid = 4243 AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    """

  @Test(arguments: [false, true])
  func `an erasure that is killed in the middle is gone on with, by the next call or by a service`(
    _ isLeftToService: Bool
  ) async throws {
    let program = try await lived([anna, ben])
    let others = try await everything(of: ben, in: program)
    let lock = try await stopping(program)
    let dying = try program.start("forget", "--rows-at-once", "7", anna.user)
    let backend = try await program.answer(to: Self.waiting)
    dying.send(SIGKILL)
    #expect(try await dying.wait().status == 128 + SIGKILL)
    try await lock.execute("SELECT pg_terminate_backend(\(backend), 180000)")
    #expect(try await program.value(Self.proof) == "f t 0")
    let half = "SELECT (count(*) > 0)::text FROM daily_metric WHERE user_id = '\(anna.user)'"
    #expect(try await program.value(half) == "true")
    #expect(try await program("forget", "--allow-again", anna.user).status == 1)
    // What arrives between is refused as well.
    try await program("enqueue", "-", stdin: anna.late(5))
    try await lock.execute("SELECT pg_advisory_unlock(4243)")
    if isLeftToService {
      let service = try program.start("run", "--workers", "2")
      #expect(try await program.eventually(Self.proof, is: "t t 1") == "t t 1")
      try await service.end()
    } else {
      #expect(try await program("drain").status == 0)
      #expect(try await program("forget", anna.user).status == 0)
      #expect(try await program.value(Self.proof) == "t t 1")
    }
    try await expectOneTrace(of: anna, in: program)
    #expect(try await everything(of: ben, in: program) == others)
  }

  @Test func `a batch that has the person in hand ends before, and all of it is erased`() async throws {
    let program = try await lived([ben])
    try await program.database.psql(
      """
      CREATE FUNCTION public.stop_there() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0 AS $$
      BEGIN
        IF NEW.user_id = '\(anna.user)' THEN PERFORM pg_advisory_xact_lock(4243); END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER stop_there BEFORE INSERT ON intake.receipt FOR EACH ROW EXECUTE FUNCTION public.stop_there();
      """)
    let lock = try await program.database.connect()
    try await lock.execute("SELECT pg_advisory_lock(4243)")
    let service = try program.start("run", "--workers", "2", "--poll-interval", "0.1")
    try await program("enqueue", "-", stdin: anna.payloads.joined(separator: "\n"))
    _ = try await program.answer(to: Self.waiting)
    let forgetting = try program.start("forget", anna.user)
    let isHeld = """
      SELECT pid::text FROM pg_locks WHERE locktype = 'advisory' AND classid = 4711 AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """
    _ = try await program.answer(to: isHeld)
    #expect(try await program.value("SELECT count(*) FROM intake.forgotten_person") == "0")
    try await lock.execute("SELECT pg_advisory_unlock(4243)")
    #expect(try await forgetting.wait().status == 0)
    #expect(try await program.eventually(Sample.queueDepth, is: "0") == "0")
    try await expectOneTrace(of: anna, in: program)
    try await service.end()
  }

  @Test func `a letter that another session is writing meanwhile is waited for, and erased`() async throws {
    let program = try await lived([ben])
    // A payload of theirs under another name. Whoever parks it stops before it is committed.
    try await program.database.psql(
      """
      CREATE FUNCTION public.stop_there() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0 AS $$
      BEGIN
        IF position('\(anna.user)' IN NEW.payload) > 0 THEN PERFORM pg_advisory_xact_lock(4243); END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER stop_there AFTER INSERT ON intake.dead_letter FOR EACH ROW EXECUTE FUNCTION public.stop_there();
      INSERT INTO intake.sync_payload (user_id, payload) VALUES ('\(ben.user)', '\(anna.late(6))');
      """)
    let lock = try await program.database.connect()
    try await lock.execute("SELECT pg_advisory_lock(4243)")
    let drain = try program.start("drain", "--workers", "1")
    _ = try await program.answer(to: Self.waiting)
    let forgetting = try program.start("forget", anna.user)
    // The ban is there, and the erasure waits for the letter.
    let waitsForLetters = """
      SELECT pid::text FROM pg_locks WHERE locktype = 'advisory' AND objid = intake.letter_key() AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """
    _ = try await program.answer(to: waitsForLetters)
    #expect(try await program.value("SELECT (erased_at IS NULL)::text FROM intake.forgotten_person") == "true")
    try await lock.execute("SELECT pg_advisory_unlock(4243)")
    #expect(try await drain.wait().status == 0)
    #expect(try await forgetting.wait().status == 0)
    try await expectOneTrace(of: anna, in: program)
  }

  @Test func `letters and entries about a forgotten person cannot be tried again`() async throws {
    let program = try await lived([anna, ben])
    let letters = try await program.value("SELECT string_agg(id::text, ',') FROM intake.dead_letter")
      .split(separator: ",")
    try #require(letters.count == 2)
    try await program("forget", anna.user)
    let retried = try await program("dead", "retry", String(letters[0]), String(letters[1]))
    #expect(retried.status == 1 && retried.stdout == "1 payload back in the queue\n")
    try await expectOneTrace(of: anna, in: program)
  }
}
