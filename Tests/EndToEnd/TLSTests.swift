import Foundation
import Glibc
import Postgres
import TestSupport
import Testing

/// A connection over TCP: certificates, passwords, and where neither of them may be seen.
@Suite(.enabled("needs a server that was built with OpenSSL") { try await TLSServer.canBeHad() }) struct TLSTests {
  @Test func `a service works over TLS that it verifies, with a password bound to the channel, and neither is seen`()
    async throws
  {
    let server = try await TLSServer.made()
    let service = try server.start("run", "--log-level", "debug")
    let query = """
      SELECT min(s.ssl::text || s.version) FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)
      WHERE a.usename = 'dailymetric_daemon' AND a.application_name = 'dailymetricd'
      """
    let seen = try await ask(until: { $0 != "" }, { try await server.sql(query) })
    #expect(seen == "trueTLSv1.3")
    for file in ["cmdline", "environ"] {
      let text = String(decoding: try Data(contentsOf: URL(filePath: "/proc/\(service.pid)/\(file)")), as: UTF8.self)
      #expect(!text.isEmpty && !text.contains(TLSServer.password), "\(file)")
    }
    service.send(SIGTERM)
    let ended = try await service.wait()
    for text in [ended.stdout, ended.stderr, try server.cluster.log()] { #expect(!text.contains(TLSServer.password)) }

    // The same by what systemd hands over.
    let credentials = try server.folder("credentials")
    try Data("\(TLSServer.password)\n".utf8).write(to: credentials.appending(path: "dailymetricd.password"))
    try Data(server.address().utf8).write(to: credentials.appending(path: "dailymetricd.dsn"))
    let handed = try await run(
      BuiltProducts.path("dailymetricd"), ["status"], environment: ["CREDENTIALS_DIRECTORY": credentials.path])
    #expect(handed.status == 0, "\(handed.stderr)")
    try await server.cluster.control(["stop", "-m", "immediate"])
  }

  @Test func `another host, another authority, no TLS, no password and a wrong one are refused, each with its reason`()
    async throws
  {
    let server = try await TLSServer.made()
    let attempts: [(changes: [String: String], reason: String)] = [
      (["host": "elsewhere.example"], "does not match host name \"elsewhere.example\""),
      (["sslrootcert": server.file("other.crt")], "certificate verify failed"),
      (["sslmode": "disable", "sslrootcert": ""], "no encryption"),
      // A server that lets somebody in without proof that it knows the password.
      (["user": "dailymetric_auditor"], "server authenticated client without channel binding"),
      (["passfile": "/dev/null"], "no password supplied"),
      (["passfile": server.file("wrong.pass")], "password authentication failed"),
    ]
    for attempt in attempts {
      let result = try await server("status", changes: attempt.changes)
      #expect(result.status == 69 && result.stderr.contains(attempt.reason), "\(attempt): \(result)")
      #expect(!(result.stdout + result.stderr).contains("sesame"), "\(attempt)")
    }
    #expect(try await server("status").status == 0)
    let loud = try await run(
      BuiltProducts.path("dailymetricd"), ["status", "--dsn", server.address() + " password=\(TLSServer.password)"])
    #expect(loud.status == 64 && loud.stderr.contains("holds a password") && !loud.stderr.contains(TLSServer.password))
    try await server.cluster.control(["stop", "-m", "immediate"])
  }
}

/// A server with a certificate of an authority of its own, to which dailymetric_daemon comes over TCP with a password.
private struct TLSServer {
  static let password = "open-sesame-731"
  let cluster: ThrowawayCluster
  let place: URL
  let port: Int

  static func canBeHad() async throws -> Bool {
    let address = try await ThrowawayCluster.shared.dsn(database: "postgres")
    let connection = try await Connection.connect(ConnectionOptions(dsn: address, applicationName: "tests"))
    let library = try await connection.execute("SHOW ssl_library").one().text(0)
    await connection.close()
    return library != ""
  }

  static func made() async throws -> TLSServer {
    let port = try freePort()
    let server = TLSServer(
      cluster: try await ThrowawayCluster.start(settings: ["listen_addresses": "'127.0.0.1'", "port": "\(port)"]),
      place: try temporaryDirectory(), port: port)
    for name in ["ca", "other"] {
      try await server.openssl(
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout \(name).key -out \(name).crt -subj /CN=\(name)"
      )
    }
    try await server.openssl(
      "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout server.key -out server.csr -subj /CN=localhost")
    try await server.openssl(
      "x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -out server.crt")
    try await server.admit()
    return server
  }

  /// Hands the certificate to the server, and lets nobody in over TCP without TLS and a password.
  private func admit() async throws {
    guard let data = cluster.dataDirectory else { throw TestSupportError("the server is somebody else's") }
    for name in ["server.crt", "server.key"] {
      let copy = data.appending(path: name)
      try FileManager.default.copyItem(at: place.appending(path: name), to: copy)
      guard chmod(copy.path, 0o600) == 0 else { throw TestSupportError("cannot close \(name)") }
      _ = try await run("/usr/bin/env", ["chown", "--reference", data.path, copy.path])
    }
    let settings = try FileHandle(forWritingTo: data.appending(path: "postgresql.conf"))
    try settings.seekToEnd()
    try settings.write(contentsOf: Data("ssl = on\npassword_encryption = 'scram-sha-256'\n".utf8))
    try settings.close()
    let rules = try FileHandle(forWritingTo: data.appending(path: "pg_hba.conf"))
    try rules.truncate(atOffset: 0)
    try rules.write(
      contentsOf: Data(
        "local all all trust\nhostssl all dailymetric_auditor 127.0.0.1/32 trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n"
          .utf8))
    try rules.close()
    try await cluster.control(["reload"])
    let migrated = try await run(
      BuiltProducts.path("dailymetricd"),
      ["migrate", "--dsn", "host=\(cluster.host) port=\(port) user=postgres dbname=postgres"])
    guard migrated.status == 0 else { throw TestSupportError(migrated.stderr) }
    try await sql(
      "SET password_encryption = 'scram-sha-256'; ALTER ROLE dailymetric_daemon PASSWORD '\(Self.password)'")
    for (name, secret) in [("right.pass", Self.password), ("wrong.pass", "closed-sesame")] {
      try Data("*:*:*:*:\(secret)\n".utf8).write(to: place.appending(path: name))
      guard chmod(file(name), 0o600) == 0 else { throw TestSupportError("cannot close \(name)") }
    }
  }

  func file(_ name: String) -> String { place.appending(path: name).path }

  func folder(_ name: String) throws -> URL {
    let folder = place.appending(path: name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Keywords of a connection that verifies whom it talks to.
  func address(_ changes: [String: String] = [:]) -> String {
    let usual = [
      "host": "localhost", "hostaddr": "127.0.0.1", "port": "\(port)", "dbname": "postgres",
      "user": "dailymetric_daemon", "sslmode": "verify-full", "sslrootcert": file("ca.crt"),
      "channel_binding": "require",
    ]
    return usual.merging(changes) { $1 }.filter { $0.value != "" }.map { "\($0.key)=\($0.value)" }.sorted()
      .joined(separator: " ")
  }

  /// A service file and a password file, as libpq reads them.
  private func environment(_ changes: [String: String]) throws -> [String: String] {
    let service = place.appending(path: "service-\(UInt64.random(in: 0...UInt64.max))")
    let lines = address(["passfile": file("right.pass")].merging(changes) { $1 }).split(separator: " ")
    try Data("[health]\n\(lines.joined(separator: "\n"))\n".utf8).write(to: service)
    return ["PGSERVICEFILE": service.path, "PGSERVICE": "health"]
  }

  func callAsFunction(_ words: String..., changes: [String: String] = [:]) async throws -> ProcessResult {
    try await run(BuiltProducts.path("dailymetricd"), words, environment: environment(changes))
  }

  func start(_ words: String...) throws -> ChildProcess {
    try ChildProcess(BuiltProducts.path("dailymetricd"), words, environment: environment([:]))
  }

  @discardableResult
  func sql(_ sql: String) async throws -> String {
    let result = try await run(
      "/usr/bin/env", ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"],
      environment: ["PGHOST": cluster.host, "PGPORT": "\(port)", "PGUSER": "postgres", "PGDATABASE": "postgres"],
      stdin: sql)
    guard result.status == 0 else { throw TestSupportError(result.stderr) }
    return result.stdout.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func openssl(_ words: String) async throws {
    let result = try await run(
      "/usr/bin/env", ["openssl"] + words.split(separator: " ").map(String.init), workingDirectory: place)
    guard result.status == 0 else { throw TestSupportError("openssl \(words): \(result.stderr)") }
  }

  /// A port that nobody listens at now.
  private static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard bound else { throw TestSupportError("no free port (errno \(errno))") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
