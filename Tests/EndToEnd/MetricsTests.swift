import Foundation
import Glibc
import Postgres
import TestSupport
import Testing

/// What monitors see of a real service.
@Suite struct MetricsTests {
  private static let anywhere = "127.0.0.1:0"
  private let queueIsEmpty = "SELECT (NOT EXISTS (SELECT FROM intake.sync_payload))::text"

  @Test func `what is counted is what the database holds`() async throws {
    let program = try await Program.prepared()
    let service = try program.start("run", "--metrics-listen", Self.anywhere)
    let client = try await service.monitored()
    #expect(try service.listeningSockets().count == 1)
    #expect(try await client.eventually("/readyz", says: "ready\n") == "ready\n")
    let good = (1...30).map { Sample.payload(user: 1 + $0 % 7, number: $0, steps: ["\($0)", "7"]) }
    let stranger = Sample.payload(user: 1, number: 90, steps: ["1"]).replacing("garmin", with: "pebble")
    let bad = Sample.payload(user: 2, number: 91, steps: ["5", "-5"])
    try await program(
      "enqueue", "-", stdin: (good + good.prefix(4) + [stranger, bad, "nonsense"]).joined(separator: "\n"))
    #expect(try await program.eventually(queueIsEmpty, is: "true") == "true")
    // The commit is in the database before the process knows it.
    try await client.eventually("/metrics", says: "\ndailymetricd_payloads_taken_total 37\n")
    let metrics = try client.get("/metrics").body
    let expected = [
      "payloads_merged_total": "SELECT count(*) FROM intake.receipt",
      "payloads_repeated_total": "SELECT sum(repetitions) FROM intake.receipt",
      "entries_quarantined_total": "SELECT count(*) FROM intake.quarantined_entry",
      "dead_letters_total{code=\"not_json\"}": "SELECT count(*) FROM intake.dead_letter WHERE code = 'not_json'",
      "dead_letters_total{code=\"unknown_platform\"}":
        "SELECT count(*) FROM intake.dead_letter WHERE code = 'unknown_platform'",
    ]
    for (name, sql) in expected {
      let count = try await program.value(sql)
      #expect(count != "0" && metrics.contains("\ndailymetricd_\(name) \(count)\n"), "\(name) is not \(count)")
    }
    service.send(SIGTERM)
    #expect(try await service.wait().status == 0)
  }

  @Test func `a database that is away makes it not ready, and no less alive`() async throws {
    let path = try BuiltProducts.path("dailymetricd")
    let service = try ChildProcess(path, ["run", "--dsn", "host=/nowhere", "--metrics-listen", Self.anywhere])
    let client = try await service.monitored()
    try await client.eventually("/metrics", says: "\ndailymetricd_workers{state=\"unreachable\"} 2\n")
    #expect(try client.get("/readyz").status == 503)
    #expect(try client.get("/healthz").status == 200)
    #expect(try !client.get("/metrics").body.contains("\ndailymetricd_retries_total{reason=\"connection\"} 0\n"))
    service.send(SIGTERM)
    #expect(try await service.wait().status == 0)
  }

  @Test func `a server that stops and starts again makes it unready and ready again`() async throws {
    let cluster = try await ThrowawayCluster.start()
    let address = ["--dsn", cluster.dsn(database: "postgres")]
    let path = try BuiltProducts.path("dailymetricd")
    #expect(try await run(path, ["migrate"] + address).status == 0)
    let service = try ChildProcess(path, ["run", "--metrics-listen", Self.anywhere] + address)
    let client = try await service.monitored()
    try await client.eventually("/readyz", says: "ready\n")
    try await cluster.control(["stop", "-m", "fast"])
    try await client.eventually("/readyz", says: "waiting for the database\n")
    try await cluster.control(["start"])
    try await client.eventually("/readyz", says: "ready\n")
    service.send(SIGTERM)
    #expect(try await service.wait().status == 0)
    try await cluster.control(["stop", "-m", "immediate"])
  }

  @Test func `a worker that hangs makes it unhealthy, until it goes on`() async throws {
    let program = try await Program.prepared()
    let service = try program.start("run", "--workers", "1", "--step-deadline", "1", "--metrics-listen", Self.anywhere)
    let client = try await service.monitored()
    try await client.eventually("/readyz", says: "ready\n")
    let connection = try await program.database.connect()
    try await connection.script("BEGIN; LOCK TABLE evidence.person, evidence.reading IN ACCESS EXCLUSIVE MODE")
    try await program("enqueue", "-", stdin: Sample.payload(user: 1, number: 1, steps: ["1"]))
    try await client.eventually("/healthz", says: "workers hang in a step: 1\n")
    #expect(try client.get("/healthz").status == 503)
    try await connection.script("COMMIT")
    try await client.eventually("/healthz", says: "alive\n")
    await connection.close()
    try await service.end()
  }

  @Test func `an address that others can reach, or that is taken, is refused at the start`() async throws {
    let path = try BuiltProducts.path("dailymetricd")
    let open = try await run(path, ["run", "--metrics-listen", "0.0.0.0:0"])
    #expect(open.status == 64 && open.stderr.contains("--metrics-from anywhere"))
    let byUnit = try await run(path, ["run"], environment: ["DAILYMETRICD_METRICS_LISTEN": "nonsense"])
    #expect(byUnit.status == 78 && byUnit.stderr.contains("such as 127.0.0.1:14711"))
    let program = try await Program.prepared()
    let service = try program.start("run", "--metrics-listen", "0.0.0.0:0", "--metrics-from", "anywhere")
    let port = try await service.monitored().port
    let taken = try await program("run", "--metrics-listen", "127.0.0.1:\(port)")
    #expect(taken.status == 78 && taken.stderr.contains("Address already in use"))
    try await service.end()
  }

  @Test func `nobody asked for it: nothing listens`() async throws {
    let program = try await Program.prepared()
    let service = try program.start("run")
    try await service.says("event=started")
    #expect(try service.listeningSockets() == [])
    try await service.end()
  }

  @Test func `clients that trickle do not keep the workers from their work`() async throws {
    let program = try await Program.prepared()
    let service = try program.start("run", "--metrics-listen", Self.anywhere)
    let client = try await service.monitored()
    let slow = (0..<16).map { _ in TricklingClient(port: client.port) }
    try await program("enqueue", "-", stdin: Sample.file(payloads: 200, users: 10))
    #expect(try await program.eventually("SELECT count(*)::text FROM intake.receipt", is: "200") == "200")
    #expect(await eventually { slow.allSatisfy { $0.lettersSent > 0 } })
    #expect(try client.get("/healthz").status == 200, "whoever waits gets a turn")
    slow.forEach { $0.stop() }
    service.send(SIGTERM)
    #expect(try await service.wait().status == 0)
  }

  @Test func `no health value is in a metric, an answer, the daemon's log or the server's`() async throws {
    let cluster = try await ThrowawayCluster.start()
    let address = ["--dsn", cluster.dsn(database: "postgres")]
    let path = try BuiltProducts.path("dailymetricd")
    #expect(try await run(path, ["migrate"] + address).status == 0)
    let service = try ChildProcess(
      path, ["run", "--log-level", "debug", "--metrics-listen", Self.anywhere] + address)
    let client = try await service.monitored()
    // Each of them ends elsewhere: measured, out of range, no number, too long, dead letters of three kinds.
    let values = ["731337", "999731337", "-731337", "\"731337\"", String(repeating: "731337", count: 9)]
    let days = values.enumerated().map { Sample.payload(user: 1 + $0, number: 1 + $0, steps: [$1]) }
    let whole = Sample.payload(user: 9, number: 9, steps: ["731337"])
    let dead = [
      whole.replacing("garmin", with: "pebble"), String(whole.dropLast(9)),
      Sample.payload(user: 8, number: 1, steps: ["731337"]), Sample.payload(user: 1, number: 1, steps: ["7313370"]),
    ]
    let input = (days + dead).joined(separator: "\n")
    #expect(try await run(path, ["enqueue", "-"] + address, stdin: input).status == 0)
    try await client.eventually("/metrics", says: "\ndailymetricd_payloads_taken_total \(days.count + dead.count)\n")
    let answers = try ["/metrics", "/healthz", "/readyz", "/731337"].map { try client.get($0).body }
    #expect(answers[0].contains("dailymetricd_dead_letters_total{code=\"payload_id_reused\"} 1\n"))
    service.send(SIGTERM)
    let daemon = try await service.wait()
    #expect(daemon.stderr.contains("quarantined="))
    let server = try cluster.log()
    #expect(server.contains("database system is ready"))
    for text in answers + [daemon.stdout, daemon.stderr, server] { #expect(!text.contains("731337")) }
    // A person's id stands in a log line where an operator must find the payload, and in no metric.
    #expect(!answers[0].contains(Sample.id(1)))
    try await cluster.control(["stop", "-m", "immediate"])
  }
}

extension ChildProcess {
  /// A client of the address at which this service answers monitors.
  func monitored() async throws -> HTTPClient {
    try await says("answering monitors")
    let port = try output().stderr.firstMatch(of: #/answering monitors" address=\S+:(\d+)/#).flatMap { UInt16($0.1) }
    guard let port else { throw TestSupportError("its address is not in the log: \(try output().stderr)") }
    return HTTPClient(port: port)
  }

  /// The TCP sockets at which this program listens, by the kernel's own lists.
  func listeningSockets() throws -> [String] {
    let folder = "/proc/\(pid)/fd"
    var links: Set<String> = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      // A descriptor may be closed meanwhile.
      do { links.insert(try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) } catch {}
    }
    var addresses: [String] = []
    for name in ["tcp", "tcp6"] {
      let table = try String(contentsOfFile: "/proc/\(pid)/net/\(name)", encoding: .utf8)
      for line in table.split(separator: "\n") {
        // The fourth word is the state, 0A listens; the tenth is the socket's number.
        let words = line.split(separator: " ")
        guard words.count > 9, words[3] == "0A", links.contains("socket:[\(words[9])]") else { continue }
        addresses.append(String(words[1]))
      }
    }
    return addresses
  }
}

extension HTTPClient {
  /// Asks again until the answer has this text in it, for at most a minute; returns the last answer.
  @discardableResult
  func eventually(_ path: String, says text: String, close: Bool = false) async throws -> String {
    let deadline = ContinuousClock.now + .seconds(60)
    var answer = ""
    repeat {
      answer = try get(path, headers: close ? ["Connection: close"] : []).body
      await Task.yield()
    } while !answer.contains(text) && ContinuousClock.now < deadline
    #expect(answer.contains(text), "\(path) never said \(text)")
    return answer
  }
}
