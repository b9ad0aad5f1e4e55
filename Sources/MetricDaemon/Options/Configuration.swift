public import MetricStore
public import PayloadDecoder

/// Everything that a service, or a command that works like one, can be told.
public struct Configuration: Sendable {
  /// Where the database is.
  public let address: StoreAddress
  /// Workers of this process; at least 1.
  public let workers: Int
  /// Most payloads of one transaction; at least 1.
  public private(set) var batchPayloads: Int
  /// Longest sleep without a look at the queue.
  public private(set) var pollInterval: Duration
  /// Longest step of a worker that counts as alive.
  public private(set) var stepDeadline: Duration
  /// Least important line that is written.
  public private(set) var logLevel: LogLevel
  /// What a payload may be at most.
  public private(set) var decoderLimits: DecoderLimits
  /// From where on a payload deletes too much to be believed.
  public private(set) var massDeletion: MassDeletionLimits

  /// Where monitors are answered; nil: nowhere.
  public let metricsListen: ListenAddress?

  /// User-days of one re-check transaction. No setting: it only has to be small enough not to hold locks for long.
  static let derivationLimit = 500

  /// Reads every setting; the first one that cannot be used is the error. `logLevel` is the one of the command.
  public init(_ values: SettingValues, logLevel level: Setting = .logLevel) throws(SettingError) {
    address = try Configuration.watchedAddress(values)
    workers = try values.number(.workers)
    batchPayloads = try values.number(.batchPayloads)
    pollInterval = try values.duration(.pollInterval)
    stepDeadline = try values.duration(.stepDeadline)
    logLevel = LogLevel(name: try values.word(level)) ?? .info
    metricsListen = try values.address(.metricsListen, scope: .metricsFrom)
    decoderLimits = try Configuration.limits(values)
    massDeletion = MassDeletionLimits(
      share: try values.number(.massDeletionShare), records: try values.number(.massDeletionRecords),
      cells: try values.number(.massDeletionCells))
  }

  /// The address alone, for a command whose statements may take as long as they take.
  public static func address(_ values: SettingValues) throws(SettingError) -> StoreAddress {
    StoreAddress(
      dsn: try values.connectionString(), password: values.credentials.password,
      connectTimeout: .seconds(try values.number(.connectTimeout)))
  }

  /// The address with the longest wait for one statement.
  public static func watchedAddress(_ values: SettingValues) throws(SettingError) -> StoreAddress {
    var address = try address(values)
    address.deadline = try values.duration(.statementDeadline)
    return address
  }

  /// The limits of the decoder alone, for a command that needs no database.
  public static func limits(_ values: SettingValues) throws(SettingError) -> DecoderLimits {
    DecoderLimits(
      maximumBytes: try values.number(.maximumBytes), depth: try values.number(.maximumDepth),
      entries: try values.number(.maximumEntries), digits: try values.number(.maximumDigits))
  }

  /// Takes over what a running process can, `Setting.reloaded`.
  mutating func takeOver(_ other: Configuration) {
    batchPayloads = other.batchPayloads
    pollInterval = other.pollInterval
    stepDeadline = other.stepDeadline
    logLevel = other.logLevel
    decoderLimits = other.decoderLimits
    massDeletion = other.massDeletion
  }

  func workerSettings(_ purpose: Purpose) -> WorkerSettings {
    WorkerSettings(
      purpose: purpose, batchPayloads: batchPayloads, pollInterval: pollInterval,
      derivationLimit: Configuration.derivationLimit, stepDeadline: stepDeadline, decoderLimits: decoderLimits,
      massDeletion: massDeletion)
  }
}
