import Foundation
import Glibc
import Postgres
import TestSupport
import Testing

/// The tests' own tools do what the tests rely on.
@Suite struct TestSupportTests {
  @Test func `a program's output, input, environment and status come back`() async throws {
    let result = try await run(
      "/bin/sh", ["-c", "cat; echo \"$GREETING\" >&2; exit 7"], environment: ["GREETING": "hello"], stdin: "in\n")
    #expect(result.status == 7)
    #expect(result.stdout == "in\n")
    #expect(result.stderr == "hello\n")
  }

  @Test func `a program can be signalled while it runs`() async throws {
    let child = try ChildProcess("/bin/sleep", ["600"])
    #expect(child.isRunning)
    child.send(SIGTERM)
    #expect(try await child.wait().status == 128 + SIGTERM)
    #expect(!child.isRunning)
  }

  @Test func `a database is a copy of its template and independent of others`() async throws {
    let template = DatabaseTemplate("with_table") { options in
      let connection = try await Connection.connect(options)
      try await connection.script("CREATE TABLE t (n int); INSERT INTO t VALUES (1)")
      await connection.close()
    }
    async let first = freshDatabase(from: template)
    async let second = freshDatabase(from: template)
    try await first.psql("INSERT INTO t VALUES (2)")
    #expect(try await first.psql("SELECT count(*) FROM t") == "2\n")
    #expect(try await second.psql("SELECT count(*) FROM t") == "1\n")
  }

  @Test func `psql that fails says why`() async throws {
    let database = try await freshDatabase(from: .empty)
    await #expect {
      try await database.psql("SELECT nonsense")
    } throws: {
      "\($0)".contains("nonsense")
    }
  }
}
