import Foundation

/// How much a run of the chaos suite does, and the seed that everything random in it comes from.
///
/// The suite does a minute of it by default; `make chaos` sets the variables for the whole.
struct ChaosSize: Sendable {
  let seed: UInt64
  let people: Int
  let payloads: Int
  /// Payloads of one transaction: few, so that there are many moments at which something can go wrong.
  let batch: Int
  /// What is done to the services and to the server in the storm.
  let faults: [Fault: Int]
  /// The first day that the payloads tell of, in days since 1970. In the past by so much that all silent days have closed,
  /// and by so little that none is too old to be filled.
  let firstDay: Int32
  /// When payloads arrive that say when they were read.
  let arrival: String
  /// The instant taken for now when everything is derived for the last time, here and in the replay.
  let asOf: String

  static let processes = 4
  static let workers = 2

  init(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws {
    func number<Value: LosslessStringConvertible>(_ name: String, _ usual: Value) throws -> Value {
      guard let text = environment[name] else { return usual }
      guard let value = Value(text) else { throw ChaosFailure("\(name) cannot be \(text)") }
      return value
    }
    seed = try number("CHAOS_SEED", 20_261_128)
    people = try number("CHAOS_PEOPLE", 80)
    payloads = try number("CHAOS_PAYLOADS", 2000)
    batch = try number("CHAOS_BATCH", 8)
    faults = [
      .kill: try number("CHAOS_KILLS", 10), .terminate: try number("CHAOS_TERMINATIONS", 10),
      .restart: try number("CHAOS_RESTARTS", 2), .freeze: try number("CHAOS_FREEZES", 1),
    ]
    let today = Int32(Date().timeIntervalSince1970 / 86_400)
    firstDay = try number("CHAOS_FIRST_DAY", today - 100)
    arrival = Date(timeIntervalSince1970: Double(today) * 86_400).ISO8601Format()
    asOf = Date(timeIntervalSince1970: Double(today + 2) * 86_400).ISO8601Format()
  }

  /// What to say to have the same run again.
  var command: String {
    let counts = [
      ("CHAOS_SEED", "\(seed)"), ("CHAOS_FIRST_DAY", "\(firstDay)"), ("CHAOS_PEOPLE", "\(people)"),
      ("CHAOS_PAYLOADS", "\(payloads)"), ("CHAOS_BATCH", "\(batch)"),
    ]
    let done = faults.sorted { $0.key.variable < $1.key.variable }.map { ($0.key.variable, "\($0.value)") }
    return (counts + done).map { "\($0)=\($1)" }.joined(separator: " ") + " make chaos"
  }
}

/// A misfortune.
enum Fault: Sendable, Hashable, CaseIterable {
  /// kill -9 of a service; another one takes its place.
  case kill
  /// A connection's backend is ended by the server.
  case terminate
  /// The server stops without a checkpoint and comes back.
  case restart
  /// A service is stopped by SIGSTOP, with whatever it holds, while the others go on.
  case freeze

  var variable: String {
    switch self {
    case .kill: "CHAOS_KILLS"
    case .terminate: "CHAOS_TERMINATIONS"
    case .restart: "CHAOS_RESTARTS"
    case .freeze: "CHAOS_FREEZES"
    }
  }
}

/// Why a run went wrong.
struct ChaosFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Waits until `condition` holds.
///
/// - Parameter patience: how long it may stay false without `progress` having grown.
func until(
  _ what: String, patience: Duration = .seconds(120), progress: () async throws -> Int = { 0 },
  _ condition: () async throws -> Bool
) async throws {
  var last = try await progress()
  var deadline = ContinuousClock.now + patience
  while try await !condition() {
    let now = try await progress()
    if now != last { (last, deadline) = (now, ContinuousClock.now + patience) }
    guard ContinuousClock.now < deadline else { throw ChaosFailure("after \(patience): still not \(what)") }
    // A question now and then; asking all the time would take the processor from those who are to answer.
    try await Task.sleep(for: .milliseconds(10))
  }
}
