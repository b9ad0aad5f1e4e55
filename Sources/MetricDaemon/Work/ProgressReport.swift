internal import MetricStore

/// Turns what a worker does into few log lines: one for each stretch of work and each change of trouble, not one for each batch.
struct ProgressReport: Sendable {
  private let worker: Int
  private let journal: Journal
  private let longestStretch: Duration
  private var stretch = Tally()
  private var stepBegan: ContinuousClock.Instant?
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

  /// A step begins: if something comes of it, it is a part of the stretch.
  mutating func begin(at now: ContinuousClock.Instant = .now) { stepBegan = now }

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
    let began = stretchBegan ?? stepBegan ?? now
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

  /// A payload took too long although it was alone; nil: none did. Each time is worth a line: it is one payload's matter, and
  /// few times end it.
  func tookTooLong(_ timeout: LoneTimeout?, isParked: Bool) {
    guard let timeout else { return }
    journal.log(
      .warning,
      isParked
        ? "a payload that took too long alone, again and again, went to the dead letters"
        : "a payload took too long although it was alone; it is tried again, apart from the others",
      [
        "worker": .count(worker), "user": .id(timeout.user), "number": .count(timeout.number),
        "attempts": .count(timeout.attempts), "of": .count(timeout.attemptsUntilParked),
        "counts": .text(timeout.isCounted ? "yes" : "no, nothing else was merged since"),
      ])
  }

  /// Says what the stretch of work that ends here did; louder if payloads went to the dead letters.
  mutating func flush(at now: ContinuousClock.Instant = .now) {
    guard let began = stretchBegan else { return }
    journal.log(
      stretch.deadLetters > 0 ? .warning : .info, "merged",
      [
        "worker": .count(worker), "payloads": .count(stretch.payloads), "cells": .count(stretch.cells),
        "dead_letters": .count(stretch.deadLetters), "quarantined": .count(stretch.quarantined),
        "repeated": .count(stretch.repeated), "forgotten": .count(stretch.forgotten),
        "derived_days": .count(stretch.derivedDays),
        "took": .duration(now - began),
      ])
    stretch = Tally()
    stretchBegan = nil
  }
}
