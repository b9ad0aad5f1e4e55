import Foundation
import Postgres
import TestSupport
import Testing

/// The feed of changed cells beside sessions that commit in any order.
@Suite struct FeedTests {
  /// Lets one session say a number for a person, as the merge of a payload does it.
  private static let say = """
    CREATE FUNCTION say(person uuid, day date, value integer, read timestamptz) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      steps smallint[];
    BEGIN
      SELECT ARRAY[m.metric_id] INTO steps FROM public.metric m WHERE m.metric = 'steps';
      PERFORM evidence.note_origins(ARRAY[person], '{2}', '{""}', ARRAY[read], '{true}', '{NULL}', read);
      PERFORM evidence.merge_readings(ARRAY[person], '{2}', '{""}', ARRAY[gen_random_uuid()], ARRAY[read], '{1}', steps, ARRAY[day],
        '{0}', '{value}', ARRAY[value::text], ARRAY['{watch}'], '{NULL}', '{NULL}', '{true}', read);
      PERFORM evidence.derive(ARRAY[person], ARRAY[day], read, false);
    END $$
    """

  private static func person(_ number: Int) -> String { "00000000-0000-8000-8000-\(String(format: "%012d", number))" }

  private static func saying(_ number: Int, day: String = "2026-11-24", _ value: Int) -> String {
    "SELECT say('\(person(number))', '\(day)', \(value), '2026-11-29 07:00Z'::timestamptz + \(value) * interval '1 second')"
  }

  private static func database() async throws -> TestDatabase {
    let database = try await freshDatabase(from: .migrated)
    try await database.connect().execute(say)
    return database
  }

  /// A service downstream: what it was told, cell by cell, and where it goes on.
  private struct Follower {
    var cursor: String?
    var cells: [String: String?] = [:]

    /// One page; false: it was empty.
    mutating func read(_ connection: Connection, limit: Int) async throws -> Bool {
      let place = cursor.map { "'\($0)'" } ?? "NULL"
      let page = try await connection.table(
        "SELECT concat_ws(' ', user_id, local_date), CASE WHEN NOT is_removed THEN value::text END, next_cursor FROM changes_since(\(place), \(limit))"
      )
      for row in page {
        let key = try #require(row[0])
        // Without a day it is about all of the person.
        if key.contains(" ") { cells[key] = row[1] } else { cells = cells.filter { !$0.key.hasPrefix(key) } }
        cursor = row[2]
      }
      return !page.isEmpty
    }

    mutating func readAll(_ connection: Connection) async throws {
      while try await read(connection, limit: 3) {}
    }

    /// Reads on until all transactions that run now, those of other tests' databases too, are over and told.
    mutating func catchUp(_ connection: Connection) async throws {
      let newest = try #require(try await connection.list("SELECT pg_snapshot_xmax(pg_current_snapshot())")[0])
      let isOver = "SELECT pg_snapshot_xmin(pg_current_snapshot()) >= '\(newest)'::xid8"
      while try await connection.list(isOver) == ["f"] { try await moment() }
      try await readAll(connection)
    }
  }

  @Test func `a follower is told of a person who is forgotten, goes on with the same cursor, and keeps the others`()
    async throws
  {
    let database = try await Self.database()
    let (writer, reader) = (try await database.connect(), try await database.connect())
    for number in [1, 2] { try await writer.execute(Self.saying(number, 10)) }
    var (early, late) = (Follower(), Follower())
    try await early.catchUp(reader)
    #expect(early.cells.count == 2)
    // Many changes that are told to nobody any more, more than a page has, before one that is.
    for value in 11...25 { try await writer.execute(Self.saying(1, value)) }
    try await writer.execute("SELECT intake.forget_begin('\(Self.person(1))', now())")
    try await writer.execute("SELECT intake.forget_step('\(Self.person(1))', 3, now())")
    // Whoever begins in the middle is told of what is still there, and then that it is gone.
    _ = try await late.read(reader, limit: 1)
    try await writer.execute(
      """
      DO $$
      DECLARE
        done boolean := false;
      BEGIN
        WHILE NOT done LOOP SELECT s.is_over INTO done FROM intake.forget_step('\(Self.person(1))', 3, now()) s; END LOOP;
      END $$
      """)
    try await writer.execute(Self.saying(2, 30))
    for followed in [early, late] {
      var follower = followed
      try await follower.catchUp(reader)
      #expect(follower.cells == ["\(Self.person(2)) 2026-11-24": "30"])
    }
    // Back again, the person is told of like anybody else.
    try await writer.execute("SELECT intake.allow_again('\(Self.person(1))', now())")
    try await writer.execute(Self.saying(1, 40))
    try await early.catchUp(reader)
    #expect(early.cells.count == 2 && early.cells["\(Self.person(1)) 2026-11-24"] == "40")
  }

  @Test func `a change is told although one that began later was committed earlier`() async throws {
    let database = try await Self.database()
    let (early, late, reader) = (
      try await database.connect(), try await database.connect(), try await database.connect()
    )
    try await early.execute(Self.saying(9, 10))
    var follower = Follower()
    try await follower.catchUp(reader)
    #expect(follower.cells.count == 1)

    try await early.execute("BEGIN")
    try await early.execute(Self.saying(2, 20))
    try await late.execute("BEGIN")
    try await late.execute(Self.saying(3, 30))
    try await late.execute("COMMIT")
    try await follower.readAll(reader)
    #expect(follower.cells.count == 1, "what is committed waits for what began before it")
    try await early.execute("COMMIT")
    try await follower.catchUp(reader)
    #expect(follower.cells.values.compactMap { $0 }.sorted() == ["10", "20", "30"])
  }

  @Test func `a beginning that others write beside misses nothing`() async throws {
    let database = try await Self.database()
    let (writer, reader) = (try await database.connect(), try await database.connect())
    for number in 1...5 { try await writer.execute(Self.saying(number, number)) }
    try await writer.execute("BEGIN")
    try await writer.execute(Self.saying(1, 100))
    var follower = Follower()
    #expect(try await follower.read(reader, limit: 3))
    #expect(follower.cells["\(Self.person(1)) 2026-11-24"] == "1")
    // Both lie behind the reader's place by now.
    try await writer.execute("COMMIT")
    try await writer.execute(Self.saying(2, 200))
    try await follower.catchUp(reader)
    #expect(follower.cells["\(Self.person(1)) 2026-11-24"] == "100")
    #expect(follower.cells["\(Self.person(2)) 2026-11-24"] == "200")
    #expect(follower.cells.count == 5)
  }

  @Test func `a dump that is restored into its own database ends the feed that was`() async throws {
    let database = try await Self.database()
    let before = try await database.connect()
    try await before.execute(Self.saying(1, 10))
    var follower = Follower()
    try await follower.catchUp(before)
    let file = try temporaryDirectory().appending(path: "dump").path
    // What the test itself has made in the schema would come back with it.
    try await before.execute("DROP FUNCTION say")
    let dump = try await run("/usr/bin/env", ["pg_dump", "-Fc", "-f", file], environment: database.environment)
    try #require(dump.status == 0, "\(dump.stderr)")
    try await before.execute(Self.say)
    try await before.execute(Self.saying(1, 20))
    try await follower.catchUp(before)
    #expect(follower.cells == ["\(Self.person(1)) 2026-11-24": "20"])

    try await database.psql("DROP SCHEMA public, intake, evidence CASCADE; CREATE SCHEMA public", ["-o", "/dev/null"])
    let restore = try await run(
      "/usr/bin/env", ["pg_restore", "-d", database.name, file], environment: database.environment)
    try #require(restore.status == 0, "\(restore.stderr)")
    let after = try await database.connect()
    let refusal = await #expect(throws: PostgresError.self) { try await follower.readAll(after) }
    #expect(refusal?.sqlState == "72000")
    var other = Follower()
    try await other.catchUp(after)
    #expect(other.cells == ["\(Self.person(1)) 2026-11-24": "10"])
    try await after.execute(Self.say)
    try await after.execute(Self.saying(1, 30))
    try await other.catchUp(after)
    #expect(other.cells == ["\(Self.person(1)) 2026-11-24": "30"])
  }

  @Test func `whoever follows many writers has what the table has in the end`() async throws {
    let database = try await Self.database()
    let reader = try await database.connect()
    var follower = Follower()
    try await withThrowingTaskGroup { group in
      for writer in 0..<3 {
        let connection = try await database.connect()
        group.addTask {
          for round in 0..<8 {
            try await connection.execute("BEGIN")
            // Each writer has its persons, as with the daemon's locks; some transactions have several, and some are rolled back.
            for step in 0...(round % 3) {
              try await connection.execute(Self.saying(writer * 10 + (round + step) % 4, round * 4 + step + 1))
            }
            try await connection.execute(round % 5 == 4 ? "ROLLBACK" : "COMMIT")
          }
        }
      }
      for _ in 0..<20 { _ = try await follower.read(reader, limit: 2) }
      try await group.waitForAll()
    }
    try await follower.catchUp(reader)
    let table = try await reader.table("SELECT user_id || ' ' || local_date, value::text FROM daily_metric")
    let known = Dictionary(uniqueKeysWithValues: try table.map { (try #require($0[0]), $0[1]) })
    #expect(known.count == 12)
    #expect(follower.cells == known)
  }
}
