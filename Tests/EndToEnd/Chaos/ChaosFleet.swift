import Foundation
import Glibc
import TestSupport

/// The services of a run. One that is killed is replaced at once.
actor ChaosFleet {
  private let database: ChaosDatabase
  private let batch: Int
  private var services: [ChildProcess] = []
  private var complaints: [String] = []

  init(_ database: ChaosDatabase, batch: Int) {
    self.database = database
    self.batch = batch
  }

  /// What each service's connections are called.
  static func name(_ number: Int) -> String { "chaos service \(number)" }

  func start() throws {
    for number in 0..<ChaosSize.processes { services.append(try service(number)) }
  }

  private func service(_ number: Int) throws -> ChildProcess {
    try ChildProcess(
      BuiltProducts.path("dailymetricd"),
      ["run", "--workers", String(ChaosSize.workers), "--batch", String(batch)],
      environment: database.environment.merging(["PGAPPNAME": Self.name(number)]) { $1 })
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
    complaints += log.split(separator: "\n").filter { $0.contains("level=error") }.map(String.init)
  }

  /// Errors that no misfortune from outside explains.
  func serious() -> [String] { Array(Set(complaints)).sorted() }
}
