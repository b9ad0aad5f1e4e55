import Postgres
import TestSupport
import Testing

/// One person's history makes nobody wait. Counted, not timed: while the history is in hand it does not end at all.
@Suite struct FairnessTests {
  private static let busy = 50

  /// Step counts of some years; ten of them are larger than a batch, and so are five and five. Pages belong to one load.
  private static func history(number: Int, years: ClosedRange<Int>, page: Int? = nil, isLast: Bool = false) -> String {
    let days = years.flatMap { year in
      (1...12).flatMap { month in
        (1...28).map { day in
          let date = "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
          return #"{"metric":"steps","local_date":"\#(date)","outcome":"value","value":\#(day * month),"#
            + #""unit":"1","sources":["\#(String(repeating: "watch", count: 30))"],"complete":true}"#
        }
      }
    }
    let load = page.map { #","load_id":"L","page":\#($0),"final_page":\#(isLast)"# } ?? ""
    return """
      {"schema":"dailymetricd.sync/1","payload_id":"\(Sample.id(number))","user_id":"\(Sample.id(busy))",\
      "origin":{"platform":"garmin"},"read":{"read_at":"2026-03-01T07:00:00Z"\(load)},\
      "time_zones":[{"from":"2000-01-01T00:00:00Z","iana":"Europe/Berlin"}],"days":[\(days.joined(separator: ","))]}

      """
  }

  /// Stops whoever has merged the history, before the end of the transaction, until the returned session is closed.
  private func gate(_ program: Program) async throws -> Connection {
    let gate = try await program.database.connect()
    try await gate.script(
      """
      CREATE FUNCTION public.wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(77); RETURN NULL; END $$;
      CREATE TRIGGER gate AFTER INSERT ON intake.receipt FOR EACH ROW WHEN (NEW.cells > 3000)
        EXECUTE FUNCTION public.wait_at_gate();
      CREATE TRIGGER gate AFTER UPDATE ON intake.load FOR EACH ROW WHEN (NEW.state = 'applied')
        EXECUTE FUNCTION public.wait_at_gate();
      SELECT pg_advisory_lock(77);
      """)
    return gate
  }

  private func sync(_ user: Int) -> String { Sample.payload(user: user, number: user, steps: ["\(user)"]) + "\n" }

  @Test(arguments: [false, true])
  func `while one person's history is in hand, those who came before and after it are merged`(
    _ isLoad: Bool
  ) async throws {
    let program = try await Program.prepared()
    var history = Self.history(number: 1_000, years: 2016...2025)
    if isLoad {
      let first = Self.history(number: 1_000, years: 2016...2020, page: 1)
      let second = Self.history(number: 1_001, years: 2021...2025, page: 2)
      try await program("enqueue", "-", stdin: first + second)
      #expect(try await program("drain").status == 0)
      // The page that completes the load is small; what it sets off is not.
      history = Self.history(number: 1_002, years: 2026...2026, page: 3, isLast: true)
    }
    let gate = try await gate(program)
    let queue = (1...300).map { Sample.payload(user: Self.busy, number: 2_000 + $0, steps: ["\($0)"]) + "\n" }.joined()
    // Some come before the busy person in the order of ids, some behind; all are in the queue before the service starts.
    let neighbours = (41...59).filter { $0 != Self.busy }
    try await program("enqueue", "-", stdin: history + queue + neighbours.map(sync).joined())
    let service = try program.start("run", "--workers", "2")
    let others = "SELECT count(*)::text FROM intake.receipt WHERE user_id <> '\(Sample.id(Self.busy))'"
    #expect(try await program.eventually(others, is: "18") == "18")
    let here = "database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    let held =
      "SELECT count(*)::text FROM pg_locks WHERE locktype = 'advisory' AND objid = 77 AND NOT granted AND \(here)"
    #expect(try await program.eventually(held, is: "1") == "1")
    try await program("enqueue", "-", stdin: (60...64).map(sync).joined() + (30...34).map(sync).joined())
    #expect(try await program.eventually(others, is: "28") == "28")
    let whole = "SELECT count(*)::text FROM intake.receipt WHERE cells > 3000 OR payload_id = '\(Sample.id(1_002))'"
    #expect(try await program.value(whole) == "0")
    await gate.close()
    #expect(try await program.eventually(whole, is: "1") == "1")
    #expect(try await program.eventually("SELECT intake.has_work()::text", is: "false") == "false")
    try await service.end()
    #expect(try await program.value("SELECT count(*) FROM intake.dead_letter") == "0")
  }
}
