public import FoundationEssentials
public import HealthPayload
public import MetricStore
public import PayloadDecoder

/// What a worker needs from the database; one value is one open connection.
///
/// MetricStore's session is the real one. Tests script their own, to see what a worker does about each kind of trouble.
public protocol Store: Sendable {
  /// Looks whether the schema is the one that this build works with, and throws an error of kind `schema` if it is not.
  func checkSchema() async throws(StoreError) -> SchemaCheck

  /// Reads the tables of metrics, units and platforms.
  func loadCatalogue() async throws(StoreError) -> Catalogue

  /// Makes the partitions of the months ahead, if they are missing. Returns how many.
  func ensurePartitions(asOf: Instant) async throws(StoreError) -> Int

  /// Looks for payloads that somebody had in hand who is gone: they are taken apart, or parked if they killed too often.
  func noteDeaths(asOf: Instant) async throws(StoreError) -> DeathReport

  /// Asks to be woken when a payload is enqueued.
  func listen() async throws(StoreError)

  /// Claims, decodes and merges payloads in one transaction, going on behind the user `cursor`.
  func ingestBatch(
    decoder: PayloadDecoder, limits: BatchLimits, cursor: inout UUID?, asOf: Instant
  ) async throws(StoreError) -> BatchReport

  /// Gives up history loads that have been incomplete for a week, or parks them if they delete too much. Returns how many.
  func giveUpExpiredLoads(
    decoder: PayloadDecoder, massDeletion: MassDeletionLimits, asOf: Instant
  ) async throws(StoreError) -> Int

  /// Derives up to `limit` user-days that are due; with `includeScheduled` also those that only the passing of time made due.
  /// Returns how many; 0 means that none is due.
  func deriveDue(limit: Int, asOf: Instant, includeScheduled: Bool) async throws(StoreError) -> Int

  /// Sums a day's coverage, or lets go of old changes of the feed. Returns 0 when there is nothing to do for now.
  func keepUp(asOf: Instant) async throws(StoreError) -> Int

  /// Returns true when something was enqueued, false when `timeout` is over.
  func waitForNotification(timeout: Duration) async throws(StoreError) -> Bool

  /// Ends the wait of another task, or the next one.
  func wake()

  /// Closes the connection; an open transaction is rolled back.
  func close() async
}

/// Opens connections to the database.
public protocol StoreOpener: Sendable {
  /// One new connection that takes writes.
  func open() async throws(StoreError) -> any Store
}

extension StoreSession: Store {}

/// Opens sessions of MetricStore.
public struct SessionOpener: StoreOpener {
  private let address: StoreAddress
  /// One for all sessions of this process.
  private let journal: BatchJournal

  /// Connects to this address.
  public init(_ address: StoreAddress) {
    self.address = address
    journal = BatchJournal(address)
  }

  /// One new session.
  public func open() async throws(StoreError) -> any Store { try await StoreSession.open(address, journal: journal) }
}
