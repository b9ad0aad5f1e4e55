public import HealthPayload
internal import Postgres

/// Where the database is, for rooms that know no connections.
public struct StoreAddress: Sendable, Hashable {
  /// A libpq connection string or URI; nil for what libpq's own environment and service files say.
  public var dsn: String?
  /// The role's password where `dsn` has none; nil: libpq looks for one in its own places.
  public var password: String?
  /// The longest wait for one host to answer.
  public var connectTimeout: Duration
  /// The longest wait for the answer to one statement; nil waits for ever. A server that is frozen keeps no time-out
  /// itself; one that is not is told to give up after nine tenths of it (nil: a minute).
  public var deadline: Duration?

  /// An address.
  public init(
    dsn: String? = nil, password: String? = nil, connectTimeout: Duration = .seconds(5), deadline: Duration? = nil
  ) {
    self.dsn = dsn
    self.password = password
    self.connectTimeout = connectTimeout
    self.deadline = deadline
  }

  var options: ConnectionOptions {
    ConnectionOptions(dsn: dsn, password: password, connectTimeout: connectTimeout, deadline: deadline)
  }
}

extension StoreSession {
  /// Connects to an address and prepares the session. Nothing is written.
  ///
  /// - Throws: `unavailable` if no server answers.
  public static func open(_ address: StoreAddress) async throws(StoreError) -> StoreSession {
    try await open(address.options)
  }
}

extension Migrator {
  /// Brings the database at an address to the schema that this build works with; see `migrate(_:now:warn:)`.
  @discardableResult
  public static func migrate(
    _ address: StoreAddress, now: Instant, warn: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws(StoreError) -> [String] {
    try await migrate(address.options, now: now, warn: warn)
  }
}
