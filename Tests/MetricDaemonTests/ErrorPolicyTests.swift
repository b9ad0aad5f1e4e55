import Testing

@testable import MetricDaemon

@Suite struct ErrorPolicyTests {
  @Test(arguments: [
    ("40001", Reaction.retry), ("40P01", .retry), ("55P03", .retry),
    ("57014", .shrink),
    ("57P01", .reconnect), ("57P02", .reconnect), ("57P03", .reconnect), ("57P05", .reconnect), ("25P03", .reconnect),
    ("08006", .reconnect), ("08P01", .reconnect), ("25006", .reconnect),
    ("42P01", .pause), ("42501", .pause), ("42883", .pause), ("53100", .pause), ("53300", .pause), ("0A000", .pause),
    ("XX000", .pause), ("54001", .pause), ("58030", .pause), ("25P02", .pause),
  ])
  func `each SQLSTATE has its reaction`(_ state: String, _ reaction: Reaction) {
    #expect(ErrorPolicy.reaction(to: .server(state)) == reaction)
  }

  @Test(arguments: ["22P02", "22008", "23514", "23502"])
  func `a payload's fault that reaches a worker stops it and touches no payload`(_ state: String) {
    #expect(ErrorPolicy.reaction(to: .server(state)) == .pause)
  }

  @Test func `a lost connection counts as lost whatever the server said last`() {
    #expect(ErrorPolicy.reaction(to: .lost) == .reconnect)
    #expect(ErrorPolicy.reaction(to: StoreFailure(.connectionLost, sqlState: "42P01", message: "")) == .reconnect)
  }

  @Test func `another schema is refused, an error without a code is no reason to go on`() {
    #expect(ErrorPolicy.reaction(to: .otherSchema) == .refuse)
    #expect(ErrorPolicy.reaction(to: StoreFailure(.server, message: "the circuit breaker")) == .pause)
  }
}

extension StoreFailure {
  static func server(_ state: String) -> StoreFailure {
    StoreFailure(.server, sqlState: state, message: "the database answered with \(state)")
  }
  static let lost = StoreFailure(.connectionLost, message: "the connection is gone")
  static let otherSchema = StoreFailure(
    .schema, message: "the schema is older than this build; run dailymetricd migrate")
}
