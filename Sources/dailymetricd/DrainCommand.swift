import FoundationEssentials
import HealthPayload
import MetricDaemon
import MetricStore

/// The work of the service, once.
enum DrainCommand: Command {
  static let takesSignals = true

  static let page = CommandPage(
    name: "drain",
    summary: "merge what is queued now, then end",
    text: """
      Merges queued payloads until the queue is empty, derives every cell that they
      made due, prints one line about it and ends. Payloads that another service has
      in hand are waited for.

      What only the passing of time makes due is left to recheck and to the service.
      While intake is paused (see pause) it leaves the queue alone and ends with 1.
      SIGTERM and SIGINT finish or roll back the batches in hand first.
      """,
    settings: [.asOf] + Setting.connection + [.workers, .batchPayloads, .quietLogLevel] + Setting.intakeLimits,
    exitCodes: ExitCode.rows(
      .success, .negative, .usage, .unavailable, .internalError, .configuration,
      replacing: [.negative: "intake is paused; what was not merged is still queued"]),
    examples: [
      .init("merge everything and go on", "dailymetricd drain --workers 4"),
      .init("as if it were that morning", "dailymetricd drain --as-of 2026-03-01T07:00:00Z"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let setup = try ServiceSetup(call, logLevel: .quietLogLevel)
    let asOf = try call.asOf()
    let began = ContinuousClock.now
    let end = try await setup.make().drain(asOf: asOf)
    let tally = try end.orFailure()
    let seconds = Text.seconds(ContinuousClock.now - began)
    Terminal.out(
      "\(Text.count(tally.payloads, "payload")) (\(Text.number(tally.repeated)) repeated, \(Text.number(tally.deadLetters)) "
        + "to dead letters), \(Text.count(tally.cells, "cell")) written, \(Text.count(tally.quarantined, "entry", "entries")) "
        + "quarantined, \(Text.count(tally.derivedDays, "due day")) derived; \(seconds)")
    if tally.forgotten > 0 {
      Terminal.out("\(Text.count(tally.forgotten, "payload")) about people who are forgotten let go of, unread")
    }
    if call.stop.isRequested { Terminal.complain("stopped before the end; the rest is still queued") }
    guard case .paused(let pause, _) = end else { return .success }
    Terminal.complain(pause.sentence.onOneLine)
    return .negative
  }
}

/// The re-checks of the service, once.
enum RecheckCommand: Command {
  static let takesSignals = true

  static let page = CommandPage(
    name: "recheck",
    summary: "derive again what is due by now, then end",
    text: """
      Derives every user-day again whose re-check is due, prints how many and ends.
      The service does the same all the time; this is for tests, for backfills, and
      for looking at another instant.

      A re-check reads no phone and no provider. It looks again at the evidence that
      is there: days have ended since, windows and witnesses may have become known.
      Reading again is the clients' business.
      """,
    settings: [.asOf] + Setting.connection + [.workers, .quietLogLevel],
    exitCodes: ExitCode.rows(.success, .usage, .unavailable, .internalError, .configuration),
    examples: [
      .init("everything that is due now", "dailymetricd recheck"),
      .init("as if the month were over", "dailymetricd recheck --as-of 2026-04-01T12:00:00Z"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let setup = try ServiceSetup(call, logLevel: .quietLogLevel)
    let tally = try await setup.make().recheck(asOf: try call.asOf()).orFailure()
    Terminal.out("\(Text.count(tally.derivedDays, "due day")) derived")
    if call.stop.isRequested { Terminal.complain("stopped before the end; the rest is still due") }
    return .success
  }
}

extension IntakePause {
  /// For people.
  var sentence: String { "intake is paused since \(since): \(because)" }
}

extension Daemon.End {
  /// What was done, or the failure of a command that ends by itself.
  func orFailure() throws(Failure) -> Tally {
    switch self {
    case .done(let tally), .paused(_, let tally): return tally
    case .refused(let reason): throw Failure(code: .configuration, message: reason)
    case .failed(let error, _): throw Failure(error)
    }
  }
}
