import Foundation
import Glibc
import TestSupport
import Testing

/// The file of settings, SIGHUP and credentials, with the real program.
@Suite struct SettingsTests {
  private let nowhere = ["PGHOST": "/nowhere"]

  @Test func `a command finds its database by a file of settings, and by a credential before that`() async throws {
    let program = try await Program.prepared()
    let folder = try temporaryDirectory()
    let file = folder.path + "/d.conf"
    let credentials = folder.path
    let daemon = try BuiltProducts.path("dailymetricd")
    try "dsn = \(program.database.dsn)\n".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(try await run(daemon, ["status", "--config", file], environment: nowhere).status == 0)
    let named = nowhere.merging(["DAILYMETRICD_CONFIG": file]) { $1 }
    #expect(try await run(daemon, ["status"], environment: named).status == 0)
    #expect(try await run(daemon, ["status"], environment: nowhere).status == 69)
    try "dsn = host=/nowhere\n".write(toFile: file, atomically: true, encoding: .utf8)
    try program.database.dsn.write(toFile: credentials + "/dailymetricd.dsn", atomically: true, encoding: .utf8)
    let handed = nowhere.merging(["CREDENTIALS_DIRECTORY": credentials]) { $1 }
    #expect(try await run(daemon, ["status", "--config", file], environment: handed).status == 0)
  }

  /// Whether the service says so within a minute.
  private func says(_ text: String, _ service: ChildProcess) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      if try service.output().stderr.contains(text) { return true }
      try await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  @Test func `a service takes changes over on SIGHUP, and works on by the old settings after a slip`() async throws {
    let program = try await Program.prepared()
    let folder = try temporaryDirectory()
    let file = folder.path + "/d.conf"
    try "log-level = notice\npoll-interval = 0.05\n".write(toFile: file, atomically: true, encoding: .utf8)
    let service = try program.start("run", "--config", file)
    try await program("enqueue", "-", stdin: Sample.payload(user: 1, number: 1, steps: ["8000"]) + "\n")
    #expect(try await program.eventually(Program.merged, is: "1") == "1")
    #expect(try !service.output().stderr.contains("finished a batch"))
    try "log-level = debug\npoll-interval = 0.05\nworkers = 3\n".write(toFile: file, atomically: true, encoding: .utf8)
    service.send(SIGHUP)
    #expect(try await says("read the settings again\" changed=log-level", service))
    try await program("enqueue", "-", stdin: Sample.payload(user: 1, number: 2, steps: ["9000"]) + "\n")
    #expect(try await program.eventually(Program.merged, is: "2") == "2")
    try "log-level = shrill\n".write(toFile: file, atomically: true, encoding: .utf8)
    service.send(SIGHUP)
    #expect(try await says("the old ones stay in force", service))
    try await program("enqueue", "-", stdin: Sample.payload(user: 1, number: 3, steps: ["9000"]) + "\n")
    #expect(try await program.eventually(Program.merged, is: "3") == "3")
    service.send(SIGTERM)
    let result = try await service.wait()
    #expect(result.status == 0)
    #expect(result.stderr.contains("hold from the next start on\" settings=workers"))
    #expect(result.stderr.contains("level=debug event=\"finished a batch\""))
    #expect(result.stderr.contains("d.conf:1: log-level is"))
  }

  @Test func `a slip in the file is one line and status 78 at the start`() async throws {
    let folder = try temporaryDirectory()
    let file = folder.path + "/d.conf"
    try "\nwokers = 3\n".write(toFile: file, atomically: true, encoding: .utf8)
    let result = try await run(BuiltProducts.path("dailymetricd"), ["run", "--config", file], environment: nowhere)
    #expect(result.status == 78)
    #expect(
      result.stderr == "dailymetricd: \(file):2: there is no setting wokers; did you mean workers?\n")
  }
}
