import Glibc
import Postgres
import TestSupport
import Testing

/// A connection that is lost is no evidence against the payloads in hand, unless they may have crashed the server.
@Suite struct LostConnectionTests {
  /// A server of the test's own, with a payload at which whoever merges it stops while the gate is closed.
  private struct Scene {
    let database: ChaosDatabase
    private static let culprit = 7
    private static let reached = """
      SELECT min(pid)::text FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event = 'PgSleep'
      """

    init() async throws {
      database = try await ChaosDatabase("lost", on: ChaosDatabase.safeServer())
      // A table and not a lock: it stays closed while the server is away.
      let connection = try await database.connect()
      try await connection.script(
        """
        CREATE TABLE public.gate (is_closed bool NOT NULL);
        INSERT INTO public.gate VALUES (true);
        CREATE FUNCTION public.wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          WHILE NEW.payload_id = '\(Sample.id(Self.culprit))' AND (SELECT is_closed FROM public.gate) LOOP
            PERFORM pg_sleep(0.005);
          END LOOP;
          RETURN NEW;
        END $$;
        CREATE TRIGGER gate BEFORE INSERT ON intake.receipt FOR EACH ROW EXECUTE FUNCTION public.wait_at_gate();
        """)
      await connection.close()
      _ = try await run(
        BuiltProducts.path("dailymetricd"), ["enqueue", "-"], environment: database.environment,
        stdin: Sample.file(payloads: 10, users: 3))
    }

    func start(_ arguments: String...) throws -> ChildProcess {
      try ChildProcess(BuiltProducts.path("dailymetricd"), arguments, environment: database.environment)
    }

    /// The backend that has the culprit in hand, other than those that were there before; nil: the process ended well before.
    func backend(of process: ChildProcess, after earlier: [Int] = []) async throws -> Int? {
      let deadline = ContinuousClock.now + patience
      let others = (["0"] + earlier.map(String.init)).joined(separator: ", ")
      while process.isRunning, ContinuousClock.now < deadline {
        if let pid = try await value("\(Self.reached) AND pid NOT IN (\(others))") { return Int(pid) }
        try await moment()
      }
      return nil
    }

    func open() async throws { _ = try await database.ask("UPDATE public.gate SET is_closed = false RETURNING 1") }

    /// Asks again until the answer is the wanted one, as long as patience lasts; returns the last answer.
    func eventually(_ sql: String, is wanted: String) async throws -> String? {
      try await ask(until: { $0 == wanted }, { try await value(sql) })
    }

    /// Asks again if the server crashes meanwhile.
    func value(_ sql: String) async throws -> String? {
      while true {
        do {
          return try await database.ask(sql).first?.first ?? nil
        } catch let error as PostgresError where error.kind == .connectionLost {}
      }
    }

    func expectAllMerged() async throws {
      #expect(try await eventually("SELECT count(*)::text FROM intake.receipt", is: "10") == "10")
      #expect(try await value("SELECT count(*)::text FROM intake.dead_letter") == "0")
      #expect(try await value("SELECT count(*)::text FROM intake.suspect") == "0")
    }
  }

  private static let guilt = "SELECT count(*)::text FROM intake.suspect"

  @Test func `drains whose connections are terminated with the same payloads in hand park nothing, however often`()
    async throws
  {
    let scene = try await Scene()
    for _ in 0..<12 {
      let drain = try scene.start("drain", "--workers", "1")
      let backend = try #require(try await scene.backend(of: drain))
      _ = try await scene.database.ask("SELECT pg_terminate_backend(\(backend), 180000)")
      #expect(try await drain.wait().status != 0)
      #expect(try await scene.value(Self.guilt) == "0")
    }
    try await scene.open()
    #expect(try await scene.database.dailymetricd("drain").status == 0)
    try await scene.expectAllMerged()
  }

  @Test func `a service whose connection is terminated again and again goes on and suspects nobody`() async throws {
    let scene = try await Scene()
    let service = try scene.start("run", "--workers", "1")
    var backends: [Int] = []
    for _ in 0..<6 {
      let backend = try #require(try await scene.backend(of: service, after: backends))
      #expect(try await scene.value(Self.guilt) == "0")
      _ = try await scene.database.ask("SELECT pg_terminate_backend(\(backend), 180000)")
      backends.append(backend)
    }
    try await scene.open()
    try await scene.expectAllMerged()
    try await service.end()
  }

  @Test(arguments: ["fast", "immediate"])
  func `a server that is stopped and started again and again parks nothing`(_ mode: String) async throws {
    let scene = try await Scene()
    for round in 1...6 {
      // The last one is a service, which lives on.
      let process = try scene.start(round < 6 ? "drain" : "run", "--workers", "1")
      _ = try #require(try await scene.backend(of: process))
      try await scene.database.cluster.control(["stop", "-m", mode])
      if round < 6 { #expect(try await process.wait().status != 0) }
      try await scene.database.cluster.control(["start"])
      guard round == 6 else { continue }
      _ = try #require(try await scene.backend(of: process))
      #expect(try await scene.value(Self.guilt) == "0")
      try await scene.open()
      try await scene.expectAllMerged()
      try await process.end()
    }
  }

  @Test func `a payload that crashes the server is parked after eight crashes, and all others are merged`() async throws
  {
    let scene = try await Scene()
    let service = try scene.start("run", "--workers", "1", "--poll-interval", "0.1")
    var backends: [Int] = []
    while backends.count < 8, let backend = try await scene.backend(of: service, after: backends) {
      #expect(kill(pid_t(backend), SIGKILL) == 0)
      backends.append(backend)
    }
    #expect(backends.count == 8)
    let parked = "SELECT count(*)::text FROM intake.dead_letter WHERE code = 'crashed'"
    #expect(try await scene.eventually(parked, is: "1") == "1")
    #expect(try await scene.eventually("SELECT count(*)::text FROM intake.receipt", is: "9") == "9")
    #expect(
      try await scene.value("SELECT position('\(Sample.id(7))' IN payload)::bool::text FROM intake.dead_letter")
        == "true")
    #expect(try await scene.value(Self.guilt) == "0")
    try await service.end()
  }

  @Test(arguments: [true, false])
  func `a journal whose connection freezes or ends stops nobody for long`(_ isFrozen: Bool) async throws {
    let scene = try await Scene()
    try await scene.open()
    let service = try scene.start(
      "run", "--workers", "2", "--poll-interval", "0.1", "--statement-deadline", "2")
    try await scene.expectAllMerged()
    let journal = "SELECT min(pid)::text FROM pg_stat_activity WHERE application_name = 'dailymetricd journal'"
    let backend = try #require(try await scene.value(journal).flatMap { pid_t($0) })
    if isFrozen {
      #expect(kill(backend, SIGSTOP) == 0)
    } else {
      _ = try await scene.database.ask("SELECT pg_terminate_backend(\(backend), 180000)")
    }
    defer { kill(backend, SIGCONT) }
    let later = Sample.payload(user: 8, number: 99, steps: ["5"])
    _ = try await scene.database.ask("SELECT enqueue_sync_payload('\(Sample.id(8))', '\(later)')::text")
    #expect(try await scene.eventually("SELECT count(*)::text FROM intake.receipt", is: "11") == "11")
    try await service.end()
    let log = try service.output().stderr
    #expect(log.contains("writing down the batch in hand: the server did not answer in time") == isFrozen, "\(log)")
    #expect(try await scene.value(Self.guilt) == "0")
  }
}
