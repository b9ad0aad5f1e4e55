import MetricStore
import Postgres
import Testing

@testable import MetricDaemon

@Suite struct ErrorPolicyTests {
  @Test(arguments: [
    ("40001", Reaction.retry), ("40P01", .retry), ("55P03", .retry),
    ("57014", .shrink),
    ("57P01", .reconnect), ("57P02", .reconnect), ("57P03", .reconnect), ("57P05", .reconnect),
    ("08006", .reconnect), ("08P01", .reconnect), ("25006", .reconnect),
    ("42501", .pause), ("42601", .pause), ("53100", .pause), ("53300", .pause), ("0A000", .pause), ("XX000", .pause),
    ("54001", .pause), ("58030", .pause), ("25P02", .pause),
    ("42P01", .refuse), ("42883", .refuse), ("42703", .refuse), ("3F000", .refuse),
  ])
  func `each SQLSTATE has its reaction`(_ state: String, _ reaction: Reaction) {
    #expect(ErrorPolicy.reaction(to: .server(state)) == reaction)
  }

  @Test(arguments: ["22P02", "22008", "23514", "23502", "54000"])
  func `a payload's fault that reaches a worker stops it and touches no payload`(_ state: String) {
    #expect(ErrorPolicy.reaction(to: .server(state)) == .pause)
  }

  @Test func `a server that is gone, or that does not answer in time, is looked for again`() {
    for kind in [PostgresError.Kind.connectionLost, .deadlineExceeded] {
      #expect(ErrorPolicy.reaction(to: StoreError(PostgresError(kind, "gone"), while: "merging")) == .reconnect)
    }
  }

  @Test func `another schema is refused, a fault of ours is no reason to go on`() {
    #expect(ErrorPolicy.reaction(to: .otherSchema) == .refuse)
    #expect(ErrorPolicy.reaction(to: StoreError(.usage, "no connection string")) == .refuse)
    #expect(ErrorPolicy.reaction(to: StoreError(PostgresError(.decoding, "NULL"), while: "merging")) == .pause)
    #expect(ErrorPolicy.reaction(to: StoreError(.systemic, "too many payloads are refused")) == .pause)
  }
}

extension StoreError {
  /// An error as it comes from the server.
  static func server(_ state: String) -> StoreError {
    StoreError(PostgresError(.serverError, sqlState: state, "the database answered with \(state)"), while: "merging")
  }
  static let lost = StoreError(.unavailable, "the connection is gone")
  static let otherSchema = StoreError(.schema, "the schema is older than this build; run dailymetricd migrate")
}

extension BatchReport {
  /// A batch in which nothing happened, save what is named.
  init(
    payloads: Int = 0, cells: Int = 0, deadLetters: Int = 0, quarantined: Int = 0, repeated: Int = 0,
    queueIsEmpty: Bool = false, pause: IntakePause? = nil
  ) {
    self.init()
    self.payloads = payloads
    self.cells = cells
    self.deadLetters = deadLetters
    self.quarantined = quarantined
    self.repeated = repeated
    self.queueIsEmpty = queueIsEmpty
    self.pause = pause
  }
}
