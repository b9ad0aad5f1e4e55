import Glibc
import TestSupport
import Testing

/// Pages of a history load, and services that come and go between them.
@Suite struct LoadTests {
  /// Page `page` of three: steps of one day, or a read that failed.
  private func page(_ page: Int, of load: Int, failed: Bool = false) -> String {
    let steps = failed ? "0" : String(load * 1000 + page)
    let payload = Sample.payload(user: load, number: load * 10 + page, steps: [steps])
      .replacing("2026-02-01", with: "2026-02-0\(page)")
      .replacing(
        #""read_at""#,
        with: #""mode":"history_load","load_id":"L","page":\#(page),"final_page":\#(page == 3),"read_at""#)
    guard failed else { return payload }
    return payload.replacing(#""outcome":"value","value":0,"unit":"1""#, with: #""outcome":"failed","code":"http.500""#)
  }

  private let outcomes =
    "SELECT COALESCE(string_agg(DISTINCT outcome, ' '), 'none') || ' ' || count(*) FROM intake.receipt WHERE user_id"
  private let cells = """
    SELECT COALESCE(string_agg(local_date || ' ' || value, ', ' ORDER BY local_date), 'nothing')
    FROM daily_metric WHERE status = 'measured' AND user_id
    """

  @Test(arguments: [SIGTERM, SIGKILL])
  func `pages survive the end of the service between them, and are applied or abandoned as a whole`(
    _ signal: Int32
  ) async throws {
    let program = try await Program.prepared()
    let (whole, broken) = ("= '\(Sample.id(1))'", "= '\(Sample.id(2))'")
    // The pages that come before the restart: in no order, and one of the second load has a failed day.
    let first = [page(3, of: 1), page(1, of: 1), page(2, of: 2, failed: true)]
    var service = try program.start("run")
    try await program("enqueue", "-", stdin: first.joined(separator: "\n"))
    #expect(try await program.eventually("\(outcomes) \(whole)", is: "held 2") == "held 2")
    #expect(try await program.eventually("\(outcomes) \(broken)", is: "held 1") == "held 1")
    service.send(signal)
    #expect(try await service.wait().status == (signal == SIGKILL ? 128 + SIGKILL : 0))
    #expect(try await program.value("SELECT count(*) FROM daily_metric") == "0")
    #expect(try await program.value("SELECT count(*) FROM intake.load_page") == "3")

    service = try program.start("run")
    let rest = [page(2, of: 1), page(1, of: 2), page(3, of: 2), page(1, of: 1)]
    try await program("enqueue", "-", stdin: rest.joined(separator: "\n"))
    #expect(try await program.eventually("\(outcomes) \(whole)", is: "merged 3") == "merged 3")
    #expect(try await program.eventually("\(outcomes) \(broken)", is: "load_abandoned 3") == "load_abandoned 3")
    #expect(try await program.value("\(cells) \(whole)") == "2026-02-01 1001, 2026-02-02 1002, 2026-02-03 1003")
    #expect(try await program.value("\(cells) \(broken)") == "nothing")
    let letters = "SELECT code || ' ' || count(*) FROM intake.dead_letter WHERE user_id \(broken) GROUP BY code"
    #expect(try await program.value(letters) == "load_abandoned 3")
    #expect(try await program.value("SELECT count(*) FROM intake.load_page") == "0")
    service.send(SIGTERM)
    #expect(try await service.wait().status == 0)
  }
}
