import MetricDaemon
import MetricEndpoint
import MetricStore

/// The service.
enum RunCommand: Command {
  static let takesSignals = true

  static let page = CommandPage(
    name: "run",
    summary: "merge payloads as they arrive, until told to stop",
    text: """
      Merges queued payloads into daily_metric as they arrive, and looks again at
      cells whose re-check is due. Runs in the foreground and logs to standard
      error.

      Each worker takes a batch in one transaction, so that a crash, kill -9 or
      power cut loses nothing and does nothing twice. Any number of services may
      work on one database. A database that is down is waited for; the service ends
      by itself only when it finds a schema at the start that it does not work with.

      SIGTERM and SIGINT finish or roll back the batches in hand and end with code
      0; a second one ends at once. SIGHUP reads the settings and the catalogue tables
      again; what of the settings cannot change in a running process holds from the
      next start on. Under systemd (Type=notify) it reports readiness, reloads, its
      status line and the watchdog, and takes credentials: dailymetricd.dsn and
      dailymetricd.password.

      With --metrics-listen it answers /metrics (Prometheus), /healthz (the process
      is alive and no worker hangs) and /readyz (connected, and the schema fits).
      """,
    settings: Setting.connection + [
      .workers, .batchPayloads, .pollInterval, .stepDeadline, .logLevel, .metricsListen, .metricsFrom,
    ]
      + Setting.intakeLimits,
    exitCodes: ExitCode.rows(
      .success, .usage, .configuration, replacing: [.success: "stopped by SIGTERM or SIGINT, nothing lost"]),
    examples: [
      .init("the service on a database of this machine", "PGHOST=/run/postgresql PGDATABASE=health dailymetricd run"),
      .init(
        "four workers, and the log of every batch",
        "dailymetricd run --dsn service=health --workers 4 --log-level debug"),
      .init("answer Prometheus on this machine", "dailymetricd run --metrics-listen 127.0.0.1:14711"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let daemon = try ServiceSetup(call)
    let instruments = Instruments()
    let endpoint = try daemon.endpoint(instruments)
    daemon.journal.log(
      .info, "started",
      ["version": .text(ProductVersion.text), "workers": .count(daemon.settings.current.workers)])
    let end = try await daemon.make(instruments).serve()
    // Monitors are answered until the last batch is done.
    withExtendedLifetime(endpoint) {}
    switch end {
    case .done(let tally):
      daemon.journal.log(.info, "stopped", ["payloads": .count(tally.payloads), "cells": .count(tally.cells)])
      return .success
    case .refused(let reason):
      daemon.journal.log(.error, reason)
      return .configuration
    case .paused(let pause, _):
      daemon.journal.log(.error, pause.sentence)
      return .negative
    case .failed(let failure, _):
      daemon.journal.log(.error, failure.message)
      return .internalError
    }
  }
}
