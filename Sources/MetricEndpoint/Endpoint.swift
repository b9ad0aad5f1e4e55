internal import HealthPayload
public import MetricDaemon

/// Which build answers.
public struct Build: Sendable, Equatable {
  let version: String
  let schema: String

  /// A version of the product, and the newest migration that it was made with.
  public init(version: String, schema: String) {
    self.version = version
    self.schema = schema
  }
}

/// What monitors ask a service over HTTP: `/metrics`, `/healthz` and `/readyz`.
///
/// It reads what the workers wrote down and never asks the database, so that it answers while the database does not, and
/// no monitor can slow the work. No answer holds a person, a payload, a health value or the text of an error.
public final class Endpoint: Sendable {
  /// Where it answers; the port is the real one, also if the system chose it.
  public let address: ListenAddress
  private let server: HTTPServer

  /// Answers until it is let go of.
  ///
  /// - Throws: if the address cannot be had.
  public convenience init(
    at address: ListenAddress, build: Build, instruments: Instruments
  ) throws(EndpointError) {
    try self.init(at: address, limits: ServerLimits(), build: build, instruments: instruments)
  }

  init(
    at wanted: ListenAddress, limits: ServerLimits, build: Build, instruments: Instruments
  ) throws(EndpointError) {
    let socket = try ListenSocket(wanted)
    let startedAt = Double(WallClock.now().microseconds) / 1_000_000
    address = socket.address
    server = try HTTPServer(socket, limits: limits) { request in
      Endpoint.answer(request) { format in
        let usage = ProcessUsage.now(startedAt: startedAt)
        return Exposition.write(ProcessFamilies.all(instruments.report, build, usage), as: format)
      } report: {
        instruments.report
      }
    }
  }

  static func answer(
    _ request: Request, metrics: (Exposition.Format) -> String, report: () -> ProcessReport
  ) -> Answer {
    guard ["GET", "HEAD"].contains(request.method) else {
      return Answer(status: 405, text: "only GET and HEAD\n", headers: ["Allow": "GET, HEAD"])
    }
    guard !request.hasBody else { return Answer(status: 413, text: "no body is taken\n") }
    switch request.path {
    case "/metrics":
      let format = Exposition.Format(accept: request.accept)
      return Answer(status: 200, type: format.type, text: metrics(format), headers: ["Vary": "Accept"])
    case "/healthz": return health(report())
    case "/readyz": return readiness(report())
    default: return Answer(status: 404, text: "there are /metrics, /healthz and /readyz\n")
    }
  }

  /// The same question as the watchdog's: a database that is away is no reason for a restart.
  private static func health(_ report: ProcessReport) -> Answer {
    guard report.hanging.isEmpty else {
      let workers = report.hanging.map(String.init).joined(separator: ", ")
      return Answer(status: 503, text: "workers hang in a step: \(workers)\n")
    }
    return Answer(status: 200, text: "alive\n")
  }

  private static func readiness(_ report: ProcessReport) -> Answer {
    if report.isStopping { return Answer(status: 503, text: "stopping\n") }
    guard report.isReady else {
      let isPaused = report.workers.values.contains(.paused)
      return Answer(
        status: 503,
        text: isPaused ? "something lasting is wrong; the log says what\n" : "waiting for the database\n")
    }
    return Answer(
      status: 200, text: report.isIntakePaused == true ? "ready; intake is paused\n" : "ready\n")
  }
}
