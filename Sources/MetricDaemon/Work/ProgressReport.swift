internal import MetricStore

/// Turns what a worker does into few log lines: one for each stretch of work and each change of trouble, not one for each batch.
struct ProgressReport: Sendable {
  private let worker: Int
  private let journal: Journal
  private let longestStretch: Duration
  private var stretch = Tally()
  private var stretchBegan: ContinuousClock.Instant?
  private var trouble: StoreError?
  private var failures = 0

  init(worker: Int, journal: Journal, longestStretch: Duration = .seconds(60)) {
    self.worker = worker
    self.journal = journal
    self.longestStretch = longestStretch
  }

  /// Whether the last step failed.
  var isInTrouble: Bool { trouble != nil }

  /// `endsTrouble`: whether what went wrong before is over; merging goes on beside a re-check that fails.
  mutating func succeeded(_ tally: Tally, endsTrouble: Bool = true, at now: ContinuousClock.Instant = .now) {
    if trouble != nil, endsTrouble {
      journal.log(.notice, "working again", ["worker": .count(worker), "failures": .count(failures)])
      trouble = nil
      failures = 0
    }
    guard tally != Tally() else { return }
    journal.log(
      .debug, "finished a batch",
      ["worker": .count(worker), "payloads": .count(tally.payloads), "cells": .count(tally.cells)])
    if tally.deadLetters > 0 {
      journal.log(
        .warning, "payloads went to intake.dead_letter", ["worker": .count(worker), "count": .count(tally.deadLetters)])
    }
    let began = stretchBegan ?? now
    stretchBegan = began
    stretch.add(tally)
    if now - began >= longestStretch { flush(at: now) }
  }

  /// The same trouble again is only worth a line to whoever debugs.
  mutating func failed(_ failure: StoreError, _ pause: WorkerMachine.Pause) {
    let isNew = failure != trouble
    trouble = failure
    failures += 1
    let level: LogLevel =
      switch pause.reaction {
      case .retry, .shrink: .debug
      case .reconnect: isNew ? .warning : .debug
      case .pause, .refuse: isNew ? .error : .debug
      }
    journal.log(
      level, failure.message,
      [
        "worker": .count(worker), "sqlstate": .text(failure.sqlState ?? "none"), "attempt": .count(pause.attempt),
        "again_in": .duration(pause.duration),
      ])
  }

  /// Says what the stretch of work that ends here did.
  mutating func flush(at now: ContinuousClock.Instant = .now) {
    guard let began = stretchBegan else { return }
    journal.log(
      .info, "merged",
      [
        "worker": .count(worker), "payloads": .count(stretch.payloads), "cells": .count(stretch.cells),
        "dead_letters": .count(stretch.deadLetters), "quarantined": .count(stretch.quarantined),
        "repeated": .count(stretch.repeated), "derived_days": .count(stretch.derivedDays),
        "took": .duration(now - began),
      ])
    stretch = Tally()
    stretchBegan = nil
  }
}
