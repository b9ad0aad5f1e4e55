import Glibc
import Postgres
import TestSupport
import Testing

/// A server that does not answer is noticed by the client's own deadline, and the result is exact all the same.
@Suite struct DeadlineTests {
  /// Where the server is stopped: between the statements of a batch, or in its COMMIT.
  enum Place: String, CaseIterable {
    case statement = "IMMEDIATE"
    case commit = "DEFERRED"
  }

  private let application = "datname = current_database() AND application_name = 'dailymetricd'"

  /// Lets each receipt wait for advisory lock 77, which the caller gets.
  private func gate(_ program: Program, at place: Place) async throws -> Connection {
    let gate = try await program.database.connect()
    try await gate.script(
      """
      CREATE FUNCTION public.wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock_shared(77); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER gate AFTER INSERT ON intake.receipt DEFERRABLE INITIALLY \(place.rawValue)
        FOR EACH ROW EXECUTE FUNCTION public.wait_at_gate();
      SELECT pg_advisory_lock(77);
      """)
    return gate
  }

  @Test(arguments: Place.allCases)
  func `a backend that freezes in mid-batch is given up, others go on, and its batch is applied once`(
    _ place: Place
  ) async throws {
    let batch = (1...5).map { Sample.payload(user: $0, number: $0, steps: ["1\($0)", "0"]) + "\n" }.joined()
    let later = Sample.payload(user: 6, number: 6, steps: ["77"]) + "\n"
    let program = try await Program.prepared()
    try await program("enqueue", "-", stdin: batch)
    let gate = try await gate(program, at: place)
    let service = try program.start("run", "--workers", "1", "--poll-interval", "0.2", "--statement-deadline", "6")
    let waiting =
      "SELECT min(pid)::text FROM pg_stat_activity WHERE \(application) AND wait_event_type = 'Lock' HAVING count(*) > 0"
    let backend = try #require(pid_t(try await program.answer(to: waiting)))
    #expect(kill(backend, SIGSTOP) == 0)
    defer { kill(backend, SIGCONT) }
    await gate.close()

    try await service.says("did not answer in time")
    try await service.says("working again")
    try await program("enqueue", "-", stdin: later)
    #expect(try await program.eventually(Program.merged, is: "1") == "1")
    // The five people are still the frozen backend's. That is said, but not at every look.
    try await service.says("classid 4711")
    #expect(try await program.value(Sample.queueDepth) == "5")
    let another = "SELECT count(*) FROM pg_stat_activity WHERE \(application) AND pid <> \(backend)"
    #expect(try await program.value(another) == "1")

    #expect(kill(backend, SIGCONT) == 0)
    #expect(try await program.eventually(Program.merged, is: "6") == "6")
    try await service.end()
    let log = try service.output().stderr
    #expect(log.split(separator: "\n").count { $0.contains("classid 4711") } <= 2)
    #expect(try await program.everything() == Program.undisturbed(batch + later))
  }

  @Test(arguments: [Network.Mode.swallow, .swallowAnswers])
  func `a network that swallows packets is noticed, and its return too`(_ mode: Network.Mode) async throws {
    let input = (1...40).map { Sample.payload(user: $0 % 7, number: $0, steps: ["\($0)", "5"]) + "\n" }
    let program = try await Program.prepared()
    let network = try Network(before: program.database.cluster)
    let service = try program.start(
      "run", "--workers", "2", "--batch", "3", "--poll-interval", "0.1", "--statement-deadline", "1",
      "--connect-timeout", "2", environment: ["PGHOST": network.host])
    try await program("enqueue", "-", stdin: input[..<20].joined())
    #expect(try await program.eventually(Program.merged, is: "20") == "20")
    network.set(mode)
    try await program("enqueue", "-", stdin: input[20...].joined())
    try await service.says("did not answer in time", times: 2)
    // New connections hear nothing either.
    try await service.says("timeout expired", times: 2)
    #expect(try await program.value(Program.merged) == "20")
    network.set(.pass)
    try await service.says("working again", times: 2)
    #expect(try await program.eventually(Program.merged, is: "40") == "40")
    try await service.end()
    #expect(try await program.everything() == Program.undisturbed(input.joined()))
  }

  @Test(arguments: [Network.Loss.silence, .cut])
  func `a COMMIT whose answer is lost has happened, once`(_ loss: Network.Loss) async throws {
    let input = (1...30).map { Sample.payload(user: $0 % 11, number: $0, steps: ["\($0)"]) + "\n" }.joined()
    let program = try await Program.prepared()
    let network = try Network(before: program.database.cluster)
    try await program("enqueue", "-", stdin: input)
    network.loseNextCommit(by: loss)
    let service = try program.start(
      "run", "--workers", "1", "--batch", "10", "--poll-interval", "0.1", "--statement-deadline", "1",
      environment: ["PGHOST": network.host])
    try await service.says("committing: ")
    #expect(network.commitsLost == 1)
    #expect(try await program.eventually(Program.merged, is: "30") == "30")
    try await service.end()
    #expect(try await program.everything() == Program.undisturbed(input))
  }
}
