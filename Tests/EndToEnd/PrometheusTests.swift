import Foundation
import Glibc
import TestSupport
import Testing

/// What Prometheus itself makes of the service's metrics.
@Suite struct PrometheusTests {
  private static let monitoring = BuiltProducts.packageRoot.appending(path: "monitoring")

  /// A service that has counted something of everything easy.
  private static func busyService(_ program: Program) async throws -> (ChildProcess, HTTPClient) {
    let service = try program.start("run", "--metrics-listen", "127.0.0.1:0")
    let client = try await service.monitored()
    let payloads = (1...30).map { Sample.payload(user: 1 + $0 % 7, number: $0, steps: ["\($0)", "7"]) } + ["nonsense"]
    try await program("enqueue", "-", stdin: payloads.joined(separator: "\n"))
    try await client.eventually("/metrics", says: "\ndailymetricd_payloads_merged_total 30\n")
    return (service, client)
  }

  @Test func `promtool has nothing to say against names, types and help`() async throws {
    let program = try await Program.prepared()
    let (service, client) = try await Self.busyService(program)
    let checked = try await run(
      PrometheusPrograms.path("promtool"), ["check", "metrics"], stdin: try client.get("/metrics").body)
    #expect(checked.status == 0 && checked.stdout + checked.stderr == "")
    let wrong = try await run(PrometheusPrograms.path("promtool"), ["check", "metrics"], stdin: "x_days_total 1\n")
    #expect(wrong.status != 0, "it would have found something")
    try await service.end()
  }

  @Test func `a real Prometheus scrapes it by the shipped settings and understands the rules`() async throws {
    let program = try await Program.prepared()
    let (service, client) = try await Self.busyService(program)
    let folder = try temporaryDirectory()
    try FileManager.default.copyItem(
      at: Self.monitoring.appending(path: "alerts.yml"), to: folder.appending(path: "alerts.yml"))
    let settings = try String(contentsOf: Self.monitoring.appending(path: "prometheus.yml"), encoding: .utf8)
    try #require(settings.contains("127.0.0.1:14711"))
    try settings.replacing("127.0.0.1:14711", with: "127.0.0.1:\(client.port)")
      .replacing("_interval: 15s", with: "_interval: 1s")
      .write(to: folder.appending(path: "prometheus.yml"), atomically: true, encoding: .utf8)
    let prometheus = try ChildProcess(
      PrometheusPrograms.path("prometheus"),
      [
        "--config.file=\(folder.path)/prometheus.yml", "--storage.tsdb.path=\(folder.path)/data",
        "--web.listen-address=127.0.0.1:0",
      ])
    try await prometheus.says("msg=\"Listening on\"")
    let port = try prometheus.output().stderr.firstMatch(of: #/"Listening on" address=127.0.0.1:(\d+)/#)
    let api = HTTPClient(port: try #require(port.flatMap { UInt16($0.1) }))
    func ask(_ query: String, for answer: String) async throws {
      let text = try await api.eventually("/api/v1/query?query=\(query)", says: answer, close: true)
      #expect(text.contains(#""job":"dailymetricd""#))
    }
    try await ask("up%7Bjob=%22dailymetricd%22%7D", for: #","1"]"#)
    try await ask("dailymetricd_payloads_merged_total", for: #","30"]"#)
    try await ask("dailymetricd_dead_letters_total%7Bcode=%22not_json%22%7D", for: #","1"]"#)
    try await ask("dailymetricd_build_info", for: #""version":""#)
    // Every rule was evaluated, and none of them is wrong.
    let rules = try await api.eventually("/api/v1/rules", says: #""health":"ok""#, close: true)
    #expect(!rules.contains(#""health":"err""#))
    prometheus.send(SIGTERM)
    _ = try await prometheus.wait()
    try await service.end()
    try FileManager.default.removeItem(at: folder)
  }

  @Test func `the documentation names every metric that there is, and no other`() async throws {
    let program = try await Program.prepared()
    let (service, client) = try await Self.busyService(program)
    let page = BuiltProducts.packageRoot.appending(path: "docs/operations.md")
    let table = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").drop { $0 != "| Metric | Says |" }
    let rows = table.prefix { $0.hasPrefix("|") }.dropFirst(2).map { $0.split(separator: "|")[0] }
    let documented = rows.flatMap { row in
      row.matches(of: #/`((?:dailymetricd|process)_[a-z_]+)`/#).map { String($0.1) }
    }
    let real = try client.get("/metrics").body.matches(of: #/# TYPE ([a-z_]+) /#).map { String($0.1) }
    #expect(documented.sorted() == real.sorted())
    try await service.end()
  }

  @Test func `alerts and dashboard use no name that the service does not have`() async throws {
    let program = try await Program.prepared()
    let (service, client) = try await Self.busyService(program)
    let metrics = try client.get("/metrics").body
    var names: Set<String> = []
    for file in ["alerts.yml", "alerts.test.yml", "grafana/dashboards/dailymetricd.json"] {
      let text = try String(contentsOf: Self.monitoring.appending(path: file), encoding: .utf8)
      names.formUnion(text.matches(of: #/\bdailymetricd_[a-z_]+/#).map { String($0.0) })
    }
    #expect(names.count > 10)
    for name in names.sorted() {
      #expect(metrics.contains("\n\(name)") || metrics.contains("# TYPE \(name) "), "\(name) is not there")
    }
    try await service.end()
  }
}
