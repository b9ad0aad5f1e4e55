internal import MetricStore

/// What a worker, or all of them, did so far. Zero means that it did none of it.
public struct Tally: Sendable, Equatable {
  /// Payloads taken from the queue.
  public var payloads = 0
  /// Cells of daily_metric that were written.
  public var cells = 0
  /// Payloads that went to the dead letters.
  public var deadLetters = 0
  /// Entries that were set aside.
  public var quarantined = 0
  /// Payloads that had been merged before.
  public var repeated = 0
  /// Payloads about people who are forgotten, which were let go of.
  public var forgotten = 0
  /// User-days that were derived because they were due.
  public var derivedDays = 0

  /// Nothing done.
  public init() {}

  mutating func add(_ batch: BatchReport) {
    payloads += batch.payloads
    cells += batch.cells
    deadLetters += batch.deadLetters
    quarantined += batch.quarantined
    repeated += batch.repeated
    forgotten += batch.forgotten
  }

  mutating func add(_ other: Tally) {
    payloads += other.payloads
    cells += other.cells
    deadLetters += other.deadLetters
    quarantined += other.quarantined
    repeated += other.repeated
    forgotten += other.forgotten
    derivedDays += other.derivedDays
  }
}
