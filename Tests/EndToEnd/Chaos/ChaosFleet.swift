import Foundation
import Glibc
import TestSupport

/// How the services of a run are started, and what their producers bear.
struct ChaosLaunch: Sendable {
  var processes = ChaosSize.processes
  /// A program that starts the service, with its arguments; empty: none.
  var through: [String] = []
  var arguments: [String] = []
  var environment: [String: String] = [:]
  /// Instead of the built one, for the services with an odd number.
  var otherProgram: String?
  /// Producers try again after any error of the server, not only after the end of a connection.
  var producersBearErrors = false
  /// Deliveries that producers may be ahead of what happens to the run; nil: they send as fast as the services take.
  var pace: ChaosPace?
}

/// The services of a run. One that is killed is replaced at once.
actor ChaosFleet {
  private let database: ChaosDatabase
  private let batch: Int
  private let launch: ChaosLaunch
  private var services: [ChildProcess] = []
  private var complaints: [String] = []
  private var ended = ""

  init(_ database: ChaosDatabase, batch: Int, _ launch: ChaosLaunch) {
    self.database = database
    self.batch = batch
    self.launch = launch
  }

  /// What each service's connections are called.
  static func name(_ number: Int) -> String { "chaos service \(number)" }

  func start() throws {
    for number in 0..<launch.processes { services.append(try service(number)) }
  }

  private func service(_ number: Int) throws -> ChildProcess {
    let built = try BuiltProducts.path("dailymetricd")
    var words = launch.through
    words.append(number % 2 == 1 ? launch.otherProgram ?? built : built)
    words += ["run", "--workers", String(ChaosSize.workers), "--batch", String(batch)] + launch.arguments
    return try ChildProcess(
      words[0], Array(words.dropFirst()),
      environment: database.environment.merging(["PGAPPNAME": Self.name(number)]) { $1 }
        .merging(launch.environment) { $1 })
  }

  /// What all services have said so far, those that are gone too.
  func log() throws -> String {
    try services.reduce(ended) { $0 + (try $1.output().stderr) }
  }

  /// In how many lines services have said something.
  func count(of text: String) throws -> Int { try log().split(separator: "\n").count { $0.contains(text) } }

  /// Waits until services have said something, in so many lines.
  func says(_ text: String, times: Int = 1) async throws {
    try await until("said by services \(times) times: \(text)") { try count(of: text) >= times }
  }

  /// Starts those anew that have ended, as systemd does. Returns how many there were.
  func replaceTheDead() async throws -> Int {
    var count = 0
    for number in services.indices where !services[number].isRunning {
      collect(try await services[number].wait().stderr)
      services[number] = try service(number)
      count += 1
    }
    return count
  }

  /// Throws if a service has ended by itself.
  func expectAlive() throws {
    for service in services where !service.isRunning {
      throw ChaosFailure("a service has ended by itself: \(try service.output().stderr.suffix(2000))")
    }
  }

  func kill(_ number: Int) async throws {
    services[number].send(SIGKILL)
    collect(try await services[number].wait().stderr)
    services[number] = try service(number)
  }

  func send(_ signal: Int32, to number: Int) { services[number].send(signal) }

  /// Asks all to end and waits for it.
  func stop() async throws {
    for service in services { service.send(SIGTERM) }
    try await until("ended after SIGTERM") { services.allSatisfy { !$0.isRunning } }
    for service in services {
      let result = try await service.wait()
      collect(result.stderr)
      if result.status != 0 { complaints.append("a service ended with \(result.status) after SIGTERM") }
    }
  }

  private func collect(_ log: String) {
    ended += log
    complaints += log.split(separator: "\n").filter { $0.contains("level=error") }.map(String.init)
  }

  /// Errors that no misfortune from outside explains.
  func serious() -> [String] { Array(Set(complaints)).sorted() }
}
