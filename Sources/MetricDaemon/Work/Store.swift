public import Foundation
public import HealthPayload
public import PayloadDecoder

/// What a worker needs from the database; one value is one open connection.
///
/// MetricStore's session is the real one. Tests script their own, to see what a worker does about each kind of trouble.
public protocol Store: Sendable {
  /// Looks whether the schema is the one that this build works with, and throws a failure of kind `schema` if it is not.
  func checkSchema() async throws(StoreFailure) -> SchemaVerdict

  /// Reads the tables of metrics, units and platforms.
  func loadCatalogue() async throws(StoreFailure) -> Catalogue

  /// Asks to be woken when a payload is enqueued.
  func listen() async throws(StoreFailure)

  /// Claims, decodes and merges up to `payloads` payloads in one transaction, going on behind the user `cursor`.
  func ingestBatch(
    decoder: PayloadDecoder, payloads: Int, cursor: UUID?, asOf: Instant
  ) async throws(StoreFailure) -> IngestedBatch

  /// Derives up to `limit` user-days that are due; with `includeScheduled` also those that only the passing of time made due.
  /// Returns how many; 0 means that none is due.
  func deriveDue(limit: Int, asOf: Instant, includeScheduled: Bool) async throws(StoreFailure) -> Int

  /// Returns true when there is work, false when `timeout` is over. Returns early when the task is cancelled.
  func waitForWork(timeout: Duration) async throws(StoreFailure) -> Bool

  /// Closes the connection; an open transaction is rolled back.
  func close() async
}

/// Opens connections to the database.
public protocol StoreOpener: Sendable {
  /// One new connection that takes writes.
  func open() async throws(StoreFailure) -> any Store
}

/// What the schema check found when it did not refuse.
public enum SchemaVerdict: Sendable, Equatable {
  /// The schema that this build was made with.
  case current
  /// A newer one that says that this build can work with it; the text names it.
  case newerCompatible(String)
}

/// What one transaction of a worker did. All numbers are counts of this batch; zero means none.
public struct IngestedBatch: Sendable, Equatable {
  /// Payloads taken from the queue, whatever became of them.
  public var payloads: Int
  /// Cells of daily_metric that were written.
  public var cells: Int
  /// Payloads that went to the dead letters.
  public var deadLetters: Int
  /// Entries that were set aside from payloads that were otherwise merged.
  public var quarantined: Int
  /// Payloads that had been merged before.
  public var repeated: Int
  /// Whether the queue held nothing at all, not even payloads of users that other workers have in hand.
  public var queueWasEmpty: Bool
  /// The last user handled, where the next claim goes on; nil starts from the first user again.
  public var cursor: UUID?

  /// A batch in which nothing happened, save what is named.
  public init(
    payloads: Int = 0, cells: Int = 0, deadLetters: Int = 0, quarantined: Int = 0, repeated: Int = 0,
    queueWasEmpty: Bool = false, cursor: UUID? = nil
  ) {
    self.payloads = payloads
    self.cells = cells
    self.deadLetters = deadLetters
    self.quarantined = quarantined
    self.repeated = repeated
    self.queueWasEmpty = queueWasEmpty
    self.cursor = cursor
  }
}

/// An error of the database as a worker sees it: enough to decide what to do, and a sentence for people.
public struct StoreFailure: Error, Sendable, Equatable {
  /// Where the trouble lies.
  public enum Kind: Sendable, Equatable {
    /// There is no connection, or it is of no use any more.
    case connectionLost
    /// The server answered with an error; see `sqlState`.
    case server
    /// The schema is missing, older, altered, or newer and breaking.
    case schema
  }

  /// Where the trouble lies.
  public let kind: Kind
  /// The server's five letters, or nil where the server did not get to say any.
  public let sqlState: String?
  /// What happened, where, and what to do about it. Holds no health value.
  public let message: String

  /// A failure with its sentence.
  public init(_ kind: Kind, sqlState: String? = nil, message: String) {
    self.kind = kind
    self.sqlState = sqlState
    self.message = message
  }
}
