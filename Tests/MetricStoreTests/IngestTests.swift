import Foundation
import HealthPayload
import Postgres
import TestSupport
import Testing

@testable import MetricStore

/// One transaction per batch: all of it or nothing, and never a good payload lost for the sake of a bad one.
@Suite struct IngestTests {
  private static let now = "2026-11-29T08:00:00Z"

  private static func id(_ number: Int) -> String {
    "00000000-0000-8000-8000-" + String(repeating: "0", count: 12 - String(number).count) + String(number)
  }

  /// A payload with a value for each of two days; the steps are the number, so that no two payloads say the same.
  private static func payload(_ number: Int, person: Int) -> EnqueuedLine {
    let text = """
      {"schema": "dailymetricd.sync/1", "payload_id": "\(id(number))", "user_id": "\(id(person))",
       "origin": {"platform": "health_connect"}, "read": {"read_at": "2026-11-29T07:00:00Z"},
       "days": [{"metric": "steps", "local_date": "2026-11-\(10 + number % 15)", "outcome": "value", "value": \(42_000 + number), "sources": ["watch"]},
                {"metric": "steps", "local_date": "2026-11-28", "outcome": "empty"}]}
      """
    return EnqueuedLine(user: UUID(uuidString: id(person)), text: text)
  }

  /// Ten payloads of three persons, in the queue.
  private static func loaded() async throws -> (worker: Worker, connection: Connection, database: TestDatabase) {
    let database = try await freshDatabase(from: .migrated)
    let worker = try await Worker(database)
    try await worker.store.enqueue((1...10).map { payload($0, person: 900 + $0 % 3) }, receivedAt: instant(now))
    return (worker, try await database.connect(), database)
  }

  private static func ingest(_ worker: Worker) async throws -> BatchReport {
    var cursor: UUID?
    return try await worker.store.ingestBatch(
      decoder: worker.decoder, limits: BatchLimits(), cursor: &cursor, asOf: instant(now))
  }

  /// All that a batch writes, as text.
  private static func everything(_ connection: Connection) async throws -> [[String?]] {
    let tables = [
      "intake.sync_payload", "intake.receipt", "intake.dead_letter", "intake.quarantined_entry", "evidence.person",
      "evidence.origin", "evidence.tracking", "evidence.reading", "evidence.due_day", "public.daily_metric",
    ]
    return try await connection.table(
      tables.map { "SELECT '\($0)', x::text FROM \($0) x" }.joined(separator: " UNION ALL ") + " ORDER BY 1, 2")
  }

  @Test(arguments: [[5], [1], [10], [4, 5], [1, 10], [2, 5, 8]])
  func `what the database refuses is parked, and its neighbours pass`(_ culprits: [Int]) async throws {
    let (worker, connection, _) = try await Self.loaded()
    let ids = culprits.map { "'\(Self.id($0))'" }.joined(separator: ", ")
    try await connection.script("ALTER TABLE evidence.reading ADD CONSTRAINT moon CHECK (payload_id NOT IN (\(ids)))")
    let report = try await Self.ingest(worker)
    #expect(report.payloads == 10)
    #expect(report.deadLetters == culprits.count)
    #expect(report.entries == 2 * (10 - culprits.count))
    let parked = culprits.map { [Self.id($0), "rejected_by_database"] }
    #expect(try await connection.table("SELECT payload_id, code FROM intake.dead_letter ORDER BY 1") == parked)
    let others = (1...10).filter { !culprits.contains($0) }.map(Self.id)
    #expect(try await connection.list("SELECT payload_id FROM intake.receipt ORDER BY 1") == others)
    #expect(
      try await connection.list("SELECT DISTINCT payload_id FROM evidence.reading WHERE outcome = 'value' ORDER BY 1")
        == others)
    #expect(
      try await connection.list("SELECT count(*) FROM daily_metric WHERE status = 'measured'") == [String(others.count)]
    )
    #expect(try await connection.list("SELECT count(*) FROM intake.sync_payload") == ["0"])
  }

  @Test func `a row that is too large for an index is a payload's fault`() async throws {
    let (worker, connection, _) = try await Self.loaded()
    try await connection.script(
      """
      CREATE FUNCTION public.swell() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.value = 42005 THEN
        SELECT string_agg(md5(i::text), '') INTO NEW.store FROM generate_series(1, 400) i; END IF; RETURN NEW; END $$;
      CREATE TRIGGER swell BEFORE INSERT ON evidence.reading FOR EACH ROW EXECUTE FUNCTION public.swell();
      """)
    #expect(try await Self.ingest(worker).deadLetters == 1)
    #expect(try await connection.list("SELECT payload_id FROM intake.dead_letter") == [Self.id(5)])
  }

  /// Names that must come back as they were sent: what arrays and JSON quote, and what joins it to one character on a screen.
  @Test func `sources are kept letter by letter`() async throws {
    let database = try await freshDatabase(from: .migrated)
    let worker = try await Worker(database)
    let names = [
      "\"", "\\", "\"\u{301}", "\\\u{301}", "\\\u{301}\"", "\"\u{200D}", "{", "}", "a,b", "NULL", "null", " ", "\r\n",
      "\u{1}",
      "{\"a\",NULL}", "\\N", "\\.", "é", "e\u{301}", "'; --",
    ]
    let list = String(decoding: try JSONEncoder().encode(names), as: UTF8.self)
    let line = Self.payload(1, person: 900)
    let text = line.text.replacing(#"["watch"]"#, with: list)
    try await worker.store.enqueue([EnqueuedLine(user: line.user, text: text)], receivedAt: instant(Self.now))
    #expect(try await Self.ingest(worker).deadLetters == 0)
    let connection = try await database.connect()
    let kept = try await connection.list("SELECT unnest(sources) FROM evidence.reading WHERE outcome = 'value'")
    #expect(kept.map { $0.map { Array($0.utf8) } } == names.map { Array($0.utf8) })
  }

  @Test func `the letter of a parked payload names the constraint and no value`() async throws {
    let (worker, connection, _) = try await Self.loaded()
    try await connection.script("ALTER TABLE public.daily_metric ADD CONSTRAINT moon CHECK (value <> 42005)")
    #expect(try await Self.ingest(worker).deadLetters == 1)
    let letter = try await connection.table("SELECT payload_id, detail FROM intake.dead_letter")
    #expect(letter.first?[0] == Self.id(5))
    let detail = try #require(letter.first?[1])
    #expect(detail.contains("moon") && detail.contains("23514"))
    #expect(!detail.contains("42005"))
  }

  @Test func `a value that the server cannot compute with is parked too`() async throws {
    let (worker, connection, _) = try await Self.loaded()
    try await connection.script(
      """
      CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF NEW.value = 42005 THEN RAISE numeric_value_out_of_range; END IF; RETURN NEW; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON evidence.reading FOR EACH ROW EXECUTE FUNCTION public.refuse();
      """)
    #expect(try await Self.ingest(worker).deadLetters == 1)
    #expect(try await connection.list("SELECT payload_id FROM intake.dead_letter") == [Self.id(5)])
  }

  @Test(arguments: [
    ("DROP FUNCTION evidence.plain_days(uuid[], date[])", StoreError.Kind.schema),
    ("ALTER TABLE evidence.reading RENAME TO moon", .schema),
    (
      "CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE disk_full; END $$; "
        + "CREATE TRIGGER refuse BEFORE INSERT ON evidence.reading FOR EACH ROW EXECUTE FUNCTION public.refuse()",
      .systemic
    ),
  ])
  func `a fault of the database empties no queue into the dead letters`(_ sql: String, _ kind: StoreError.Kind)
    async throws
  {
    let (worker, connection, _) = try await Self.loaded()
    try await connection.script(sql)
    await #expect {
      try await Self.ingest(worker)
    } throws: { error in
      (error as? StoreError)?.kind == kind
    }
    #expect(try await connection.list("SELECT count(*) FROM intake.sync_payload") == ["10"])
    #expect(try await connection.list("SELECT count(*) FROM intake.dead_letter") == ["0"])
    #expect(try await connection.list("SELECT count(*) FROM intake.receipt") == ["0"])
  }

  @Test(arguments: [
    "intake.sync_payload", "intake.receipt", "evidence.origin", "evidence.reading", "evidence.tracking",
    "public.daily_metric", "evidence.due_day",
  ])
  func `a connection that dies in the middle leaves all or nothing, and the next one ends the work`(_ table: String)
    async throws
  {
    let undisturbed = try await Self.loaded()
    _ = try await Self.ingest(undisturbed.worker)
    let (worker, connection, database) = try await Self.loaded()
    let before = try await Self.everything(connection)
    // The session ends itself when it has written to the table.
    try await connection.script(
      """
      CREATE FUNCTION public.die() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
      CREATE TRIGGER die AFTER INSERT OR DELETE ON \(table) FOR EACH STATEMENT EXECUTE FUNCTION public.die();
      """)
    await #expect {
      try await Self.ingest(worker)
    } throws: { error in
      (error as? StoreError)?.isConnectionLost == true
    }
    #expect(!worker.store.isOpen)
    #expect(try await Self.everything(connection) == before)
    try await connection.script("DROP TRIGGER die ON \(table); DROP FUNCTION public.die()")
    #expect(try await Self.ingest(Worker(database)).payloads == 10)
    #expect(try await Self.everything(connection) == Self.everything(undisturbed.connection))
  }

  @Test func `a batch takes no more than its limits, everybody has a turn, and the end is said`() async throws {
    let (worker, connection, _) = try await Self.loaded()
    var cursor: UUID?
    var taken: [Int] = []
    var isEmpty = false
    while !isEmpty {
      let report = try await worker.store.ingestBatch(
        decoder: worker.decoder, limits: BatchLimits(payloads: 2, perUser: 1, users: 2), cursor: &cursor,
        asOf: instant(Self.now))
      taken.append(report.payloads)
      isEmpty = report.queueIsEmpty
    }
    #expect(taken.reduce(0, +) == 10)
    #expect(taken.allSatisfy { $0 <= 2 })
    #expect(taken.last == 0)
    // The first of each person are merged before the last of anybody.
    let order = try await connection.list("SELECT user_id FROM intake.receipt ORDER BY xmin::text::bigint LIMIT 3")
    #expect(Set(order).count == 3)
  }

  @Test func `a payload that another session has in hand is left to it, and the queue is not called empty`()
    async throws
  {
    let (worker, connection, _) = try await Self.loaded()
    try await connection.script("BEGIN; SELECT evidence.lock_person(user_id) FROM intake.sync_payload")
    let report = try await Self.ingest(worker)
    #expect(report.payloads == 0)
    #expect(!report.queueIsEmpty)
    try await connection.script("ROLLBACK")
    #expect(try await Self.ingest(worker).payloads == 10)
  }
}
