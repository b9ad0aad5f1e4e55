import Postgres
import TestSupport
import Testing

/// How much a worker takes at a time, and whom it lets wait.
@Suite struct BatchTests {
  private let hasWork = "SELECT intake.has_work()::text"

  /// The payloads of each batch in the service's log, in order.
  private func sizes(_ service: ChildProcess) throws -> [Int] {
    try service.output().stderr.split(separator: "\n").filter { $0.contains("finished a batch") }
      .compactMap { $0.firstMatch(of: #/payloads=(\d+)/#).flatMap { Int($0.1) } }
  }

  @Test func `batches that take too long are halved, and grow again when they do not`() async throws {
    let program = try await Program.prepared()
    // Twenty-five payloads of a statement take as long as it may.
    try await program.database.psql(
      """
      CREATE FUNCTION public.dawdle() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_sleep(0.12); RETURN NULL; END $$;
      CREATE TRIGGER slow AFTER INSERT ON intake.receipt FOR EACH ROW EXECUTE FUNCTION public.dawdle();
      """)
    // A batch doubles after eight that were quick, so that from one to 64 it takes 504 payloads, however far a slow
    // machine let it fall.
    let payloads = (1...660).map { Sample.payload(user: $0, number: $0, steps: ["1"]) + "\n" }
    try await program("enqueue", "-", stdin: payloads[..<60].joined())
    let service = try program.start(
      "run", "--workers", "1", "--batch", "64", "--poll-interval", "0.1", "--statement-deadline", "3",
      "--log-level", "debug")
    #expect(try await program.eventually(hasWork, is: "false") == "false")
    // The line of the last batch follows its COMMIT; that of the whole stretch follows them all.
    try await service.says("event=merged")
    let slow = try sizes(service)
    #expect(slow.reduce(0, +) == 60)
    #expect(slow.allSatisfy { $0 < 30 }, "\(slow)")
    try await program.database.psql("ALTER TABLE intake.receipt DISABLE TRIGGER slow")
    try await program("enqueue", "-", stdin: payloads[60...].joined())
    try await service.says("payloads=64 ")
    #expect(try await program.eventually(Program.merged, is: "660") == "660")
    try await service.end()
    #expect(try await program.value("SELECT sum(repetitions) FROM intake.receipt") == "0")
  }
}
