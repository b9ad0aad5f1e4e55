import Postgres
import TestSupport
import Testing

/// What no payload is to blame for: the service says so, leaves the queue as it is, and goes on by itself.
@Suite struct TroubleTests {
  private let depth = Sample.queueDepth

  private func insert(_ program: Program, _ number: Int) async throws {
    // A plain INSERT calls nobody.
    let payload = Sample.payload(user: number, number: number, steps: ["5"])
    try await program.database.psql(
      "INSERT INTO intake.sync_payload (user_id, payload) VALUES ('\(Sample.id(number))', '\(payload)')")
  }

  @Test func `without being called a service finds payloads by polling, also after its sessions died`() async throws {
    let program = try await Program.prepared()
    let service = try program.start("run", "--workers", "2", "--poll-interval", "0.2")
    try await insert(program, 1)
    #expect(try await program.eventually(Program.merged, is: "1") == "1")
    let sessions = "datname = current_database() AND application_name = 'dailymetricd'"
    let count = "SELECT count(*)::text FROM pg_stat_activity WHERE \(sessions)"
    #expect(try await program.eventually(count, is: "2") == "2")
    try await program.database.psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE \(sessions)")
    try await service.says("attempt=1", times: 2)
    try await service.says("working again", times: 2)
    // Also if nobody can be called: the gate is taken, and producers call no one.
    let gate = try await program.database.connect()
    try await gate.script("SELECT pg_advisory_lock(intake.wake_key())")
    for number in 2...3 {
      try await insert(program, number)
      #expect(try await program.eventually(Program.merged, is: "\(number)") == "\(number)")
    }
    await gate.close()
    try await service.end()
  }

  @Test(arguments: [
    ("INSERT", "evidence.reading", "table reading"), ("SELECT, DELETE", "intake.sync_payload", "table sync_payload"),
    ("USAGE", "SCHEMA evidence", "schema evidence"),
  ])
  func `a permission that is taken away is named, and its return noticed`(
    _ permission: String, _ object: String, _ name: String
  ) async throws {
    let program = try await Program.prepared()
    let role = "service_of_\(program.database.name)"
    let owner = try await program.database.connect()
    try await owner.script(
      """
      CREATE ROLE \(role) LOGIN;
      GRANT USAGE ON SCHEMA intake, evidence TO \(role);
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public, intake, evidence TO \(role);
      GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public, intake, evidence TO \(role);
      """)
    let service = try program.start(
      "run", "--workers", "1", "--poll-interval", "0.1", environment: ["PGUSER": role])
    try await insert(program, 1)
    #expect(try await program.eventually(Program.merged, is: "1") == "1")
    try await owner.script("REVOKE \(permission) ON \(object) FROM \(role)")
    try await insert(program, 2)
    try await service.says("permission denied for \(name)")
    #expect(try await program.value(depth) == "1")
    #expect(try await program.value("SELECT count(*) FROM intake.dead_letter") == "0")
    try await owner.script("GRANT \(permission) ON \(object) TO \(role)")
    #expect(try await program.eventually(Program.merged, is: "2") == "2")
    try await service.says("working again")
    try await service.end()
    try await owner.script("DROP OWNED BY \(role); DROP ROLE \(role)")
    await owner.close()
  }

  @Test func `a full disk is waited for, and nothing is parked`() async throws {
    let input = (1...20).map { Sample.payload(user: $0 % 7, number: $0, steps: ["\($0)", "5"]) + "\n" }.joined()
    let program = try await Program.prepared()
    try await program.database.psql(
      """
      CREATE FUNCTION public.no_room() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full';
      END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON evidence.reading FOR EACH ROW EXECUTE FUNCTION public.no_room();
      """)
    try await program("enqueue", "-", stdin: input)
    let service = try program.start("run", "--workers", "2", "--poll-interval", "0.1")
    try await service.says("No space left on device")
    #expect(try await program.value(depth) == "20")
    #expect(try await program.value("SELECT count(*) FROM intake.dead_letter") == "0")
    #expect(service.isRunning)
    try await program.database.psql(
      """
      CREATE OR REPLACE FUNCTION public.no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$
      """)
    #expect(try await program.eventually(Program.merged, is: "20") == "20")
    try await service.says("working again")
    try await service.end()
    #expect(try await program.everything() == Program.undisturbed(input))
  }
}
