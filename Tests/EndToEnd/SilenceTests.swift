import Foundation
import Glibc
import TestSupport
import Testing

/// What went wrong is said without the values that it went wrong with: by the service, its commands and the server's log.
@Suite struct SilenceTests {
  /// In every payload; no time, id or count has it in it.
  private static let mark = "173137"

  /// As talkative as a server can be. packaging/roles.sql wins over this.
  private static let talkative = [
    "log_error_verbosity": "verbose", "log_min_error_statement": "error", "log_statement": "'all'",
    "log_min_duration_statement": "0", "log_parameter_max_length": "-1", "log_parameter_max_length_on_error": "-1",
    "restart_after_crash": "on",
  ]

  /// Payloads that end in different places.
  private static let payloads: [String] = {
    let whole = Sample.payload(user: 9, number: 9, steps: [mark])
    let values = [
      mark, "999\(mark)", "-\(mark)", "\"\(mark)\"", String(repeating: mark, count: 9), "\(mark)e999", "[\(mark)]",
    ]
    return values.enumerated().map { Sample.payload(user: 1 + $0, number: 1 + $0, steps: [$1]) } + [
      whole.replacing("garmin", with: "pebble"), String(whole.dropLast(9)), "\(mark)", "{\"\(mark)\":\(mark)}",
      whole.replacing("\"unit\":\"1\"", with: "\"unit\":\"\(mark)\""), whole.replacing("2026-02-01", with: mark),
      Sample.payload(user: 1, number: 1, steps: ["\(mark)0"]), whole + mark,
    ]
  }()

  @Test func `no health value is in the log of a server that logs all it can, nor in anything that the program says`()
    async throws
  {
    let house = try await House.made(settings: Self.talkative)
    try await house.admitRoles()
    #expect(try await house("migrate", as: "dailymetric_migrator").status == 0)
    // A constraint that the daemon's checks of the schema let pass, and that marked values break; and a payload that takes too long.
    try await house.sql(
      """
      ALTER TABLE daily_metric ADD CONSTRAINT unlucky CHECK (value IS DISTINCT FROM \(Self.mark)) NOT VALID;
      CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.user_id = '\(Sample.id(2))' THEN PERFORM pg_sleep(60); END IF; RETURN NEW; END $$;
      CREATE TRIGGER slow BEFORE INSERT ON intake.receipt FOR EACH ROW EXECUTE FUNCTION dawdle();
      """)
    for (index, payload) in Self.payloads.enumerated() { try await house.enqueue(payload, user: 1 + index % 9) }
    let refused = try await house.enqueueing(Self.payloads[0], at: "infinity")
    let service = try house.start(
      "run", "--log-level", "debug", "--statement-deadline", "2", "--poll-interval", "0.1", as: "dailymetric_daemon")
    #expect(try await house.eventually("SELECT count(*) > 3 FROM intake.dead_letter", is: "t") == "t")
    try await service.says("took too long although it was alone")
    try await house.sql("ALTER TABLE intake.receipt DISABLE TRIGGER slow")
    #expect(try await house.eventually("SELECT count(*) FROM intake.sync_payload", is: "0") == "0")
    #expect(
      try await house.sql("SELECT count(*) > 0 FROM intake.dead_letter WHERE code = 'rejected_by_database'") == "t")
    var said = [refused] + (try await crash(house, service)) + (try await asked(house))
    try await house.sql("ALTER TABLE intake.receipt DISABLE TRIGGER slow")
    let drained = try await house("drain", as: "dailymetric_daemon")
    said += [drained.stdout, drained.stderr]
    for text in said { #expect(!text.contains(Self.mark), "\(text.prefix(2000))") }
    let log = try house.cluster.log()
    let found = log.split(separator: "\n").first { $0.contains(Self.mark) && !$0.contains("unlucky CHECK") }
    #expect(found == nil, "\(found ?? "")")
    #expect(log.contains("unlucky") && log.contains("terminated by signal 9"), "what went wrong is told")

    // Whoever has no such settings is logged with all there is: this test could fail.
    _ = try await house.psql("SELECT \(Self.mark)::text::date", as: "postgres")
    #expect(try house.cluster.log().split(separator: "\n").contains { $0.contains("\(Self.mark)::text") })
    try await house.cluster.control(["stop", "-m", "immediate"])
  }

  /// Kills the server process of a worker in the middle of a statement, and the service itself.
  private func crash(_ house: House, _ service: ChildProcess) async throws -> [String] {
    try await house.sql("ALTER TABLE intake.receipt ENABLE TRIGGER slow")
    try await house.enqueue(Sample.payload(user: 2, number: 77, steps: [Self.mark]), user: 2)
    let working = "FROM pg_stat_activity WHERE usename = 'dailymetric_daemon' AND wait_event = 'PgSleep'"
    #expect(try await house.eventually("SELECT count(*) > 0 \(working)", is: "t") == "t")
    let pid = try #require(pid_t(try await house.sql("SELECT min(pid) \(working)")))
    #expect(kill(pid, SIGKILL) == 0)
    try await service.says("working again")
    service.send(SIGKILL)
    let ended = try await service.wait()
    return [ended.stdout, ended.stderr]
  }

  /// What the commands print that are not asked for payloads themselves.
  private func asked(_ house: House) async throws -> [String] {
    let letters = try await house.sql("SELECT string_agg(id::text, ' ') FROM intake.dead_letter")
    var commands = [
      ["status"], ["status", "--json"], ["dead", "list"], ["payload", Sample.id(1), Sample.id(1)],
      ["payload", Sample.id(3), Sample.id(3)], ["rebuild", "--check"], ["recheck"],
    ]
    for letter in letters.split(separator: " ") { commands.append(["dead", "show", String(letter)]) }
    var said: [String] = []
    for words in commands {
      let result = try await house(words, as: "dailymetric_daemon")
      #expect(result.status <= 1, "\(words): \(result.stderr)")
      said += [result.stdout, result.stderr]
    }
    return said
  }
}

extension House {
  /// What a producer is told whose payload is refused for its time of arrival.
  fileprivate func enqueueing(_ payload: String, at time: String) async throws -> String {
    let literal = payload.replacing("'", with: "''")
    let result = try await psql(
      "SELECT enqueue_sync_payload('\(Sample.id(1))', '\(literal)', '\(time)')", as: "dailymetric_producer")
    #expect(result.status != 0)
    // psql repeats the line that it was given; the server's own words come first.
    return result.stderr.split(separator: "\n").first.map(String.init) ?? ""
  }
}
