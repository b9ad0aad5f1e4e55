/// Where to connect to, and how long to wait for it.
///
/// Whatever is not said here is taken from libpq's own sources: the environment (`PGHOST`, `PGUSER`, ...),
/// service files and password files. What the user says there or in `dsn` wins over the defaults of this type.
public struct ConnectionOptions: Sendable, Hashable {
  /// A `postgresql://` URI, `keyword=value` pairs, or the name of a database; nil for libpq's environment alone.
  public var dsn: String?
  /// The password, unless `dsn` has one; it wins over PGPASSWORD and password files.
  public var password: String?
  /// The name shown in `pg_stat_activity`, unless the user chose another one.
  public var applicationName: String
  /// The longest wait for one host to answer, in whole seconds rounded up, unless the user chose another one.
  public var connectTimeout: Duration
  /// The longest wait for the answer to one statement that brings no deadline of its own; nil waits for ever.
  public var deadline: Duration?

  /// Describes a connection without making it.
  public init(
    dsn: String? = nil, password: String? = nil, applicationName: String = "dailymetricd",
    connectTimeout: Duration = .seconds(5), deadline: Duration? = nil
  ) {
    self.dsn = dsn
    self.password = password
    self.applicationName = applicationName
    self.connectTimeout = connectTimeout
    self.deadline = deadline
  }
}
