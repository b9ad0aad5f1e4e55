import HealthPayload
import MetricStore
import TestSupport
import Testing

@testable import MetricDaemon
@testable import MetricEndpoint

@Suite struct EndpointTests {
  private static let build = Build(version: "0", schema: "0")

  private static func endpoint(
    limits: ServerLimits = ServerLimits(), _ instruments: Instruments = Instruments()
  ) throws -> (Endpoint, HTTPClient) {
    let anyPort = ListenAddress(bytes: [127, 0, 0, 1], port: 0)
    let endpoint = try Endpoint(at: anyPort, limits: limits, build: build, instruments: instruments)
    return (endpoint, HTTPClient(port: endpoint.address.port))
  }

  @Test func `it answers GET and HEAD, one request for each connection`() throws {
    let (endpoint, client) = try Self.endpoint()
    let reply = try client.get("/metrics")
    #expect(reply.status == 200)
    #expect(reply.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
    #expect(reply.headers["connection"] == "close")
    #expect(reply.body.hasPrefix("# HELP dailymetricd_"))
    let head = try client.get("/metrics", method: "HEAD")
    #expect(head.status == 200 && head.body.isEmpty)
    #expect(head.headers["content-length"].flatMap { Int($0) } ?? 0 > 1_000)
    let open = try client.get("/metrics", headers: ["Accept: application/openmetrics-text; version=1.0.0"])
    #expect(open.headers["content-type"]?.hasPrefix("application/openmetrics-text; version=1.0.0") == true)
    #expect(open.body.hasSuffix("# EOF\n"))
    #expect(try client.get("/metrics?x=1").status == 200)
    withExtendedLifetime(endpoint) {}
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "BREW"])
  func `other methods are refused`(_ method: String) throws {
    let (endpoint, client) = try Self.endpoint()
    let reply = try client.get("/metrics", method: method)
    #expect(reply.status == 405)
    #expect(reply.headers["allow"] == "GET, HEAD")
    withExtendedLifetime(endpoint) {}
  }

  @Test func `there is nothing else to be had, and nothing can be sent`() throws {
    let (endpoint, client) = try Self.endpoint()
    for path in ["/", "/metrics/", "//metrics", "/%2e%2e/etc/passwd", "/healthz2"] {
      #expect(try client.get(path).status == 404, "\(path)")
    }
    #expect(try client.get("/metrics", headers: ["Content-Length: 5"]).status == 413)
    #expect(try client.get("/metrics", headers: ["Transfer-Encoding: chunked"]).status == 413)
    let long = "X-Long: " + String(repeating: "x", count: 100_000)
    #expect([0, 431].contains(try client.get("/metrics", headers: [long]).status))
    #expect([0, 414, 431].contains(try client.get("/" + String(repeating: "x", count: 100_000)).status))
    #expect([0, 400].contains(try client.say("\u{1}\u{2}\r\n\r\n").status))
    #expect(try client.get("/healthz").status == 200, "it survives all that")
    withExtendedLifetime(endpoint) {}
  }

  @Test func `healthz is the watchdog's question, readyz is about connection and schema`() throws {
    let instruments = Instruments()
    let (endpoint, client) = try Self.endpoint(instruments)
    func answers() throws -> [String] {
      try ["/healthz", "/readyz"].map {
        let reply = try client.get($0)
        return "\(reply.status) \(reply.body)"
      }
    }
    #expect(try answers() == ["200 alive\n", "503 waiting for the database\n"])
    instruments.connected(1)
    #expect(try answers() == ["200 alive\n", "200 ready\n"])
    var nothing = BatchReport()
    nothing.pause = IntakePause(since: Instant(microseconds: 0), because: "secret")
    instruments.ingested(nothing, took: .zero, at: Instant(microseconds: 0))
    #expect(try answers() == ["200 alive\n", "200 ready; intake is paused\n"])
    instruments.pulse.expect(2, within: .seconds(-1))
    #expect(try answers()[0] == "503 workers hang in a step: 2\n")
    instruments.pulse.expect(2, within: nil)
    instruments.disconnected(1)
    instruments.set(1, .paused("secret"))
    #expect(try answers() == ["200 alive\n", "503 something lasting is wrong; the log says what\n"])
    instruments.connected(1)
    instruments.stopping()
    #expect(try answers() == ["200 alive\n", "503 stopping\n"])
    withExtendedLifetime(endpoint) {}
  }

  @Test func `clients that trickle are cut off, and others get their turn`() async throws {
    let limits = ServerLimits(connections: 3, lifetime: .seconds(1))
    let (endpoint, client) = try Self.endpoint(limits: limits)
    // More than may be there at a time, and each comes back.
    let slow = (0..<6).map { _ in TricklingClient(port: client.port) }
    #expect(await eventually { slow.allSatisfy { $0.lettersSent > 0 } }, "nobody was in the way")
    for _ in 0..<5 { #expect(try client.get("/healthz").status == 200) }
    #expect(await eventually { slow.contains { $0.timesCutOff > 0 } })
    slow.forEach { $0.stop() }
    withExtendedLifetime(endpoint) {}
  }

  @Test func `an address that is taken is an error that says so, and one that is let go of is free`() throws {
    var first: Endpoint? = try Self.endpoint().0
    let address = try #require(first?.address)
    let error = #expect(throws: EndpointError.self) {
      try Endpoint(at: address, build: Self.build, instruments: Instruments())
    }
    #expect(error?.message.hasPrefix("--metrics-listen \(address): it cannot be listened at: ") == true)
    first = nil
    let client = HTTPClient(port: address.port)
    // The thread closes it, in a moment.
    #expect(throws: TestSupportError.self) { while true { _ = try client.get("/healthz") } }
    #expect(try Endpoint(at: address, build: Self.build, instruments: Instruments()).address == address)
  }

  @Test func `it answers on IPv6 too`() throws {
    let loopback = try #require(ListenAddress("[::1]:0"))
    let endpoint = try Endpoint(at: loopback, build: Self.build, instruments: Instruments())
    #expect(endpoint.address.isVersion6 && endpoint.address.port > 0)
  }
}
