internal import HealthPayload
internal import MetricDaemon
internal import PayloadDecoder

/// What the process reports, by the names that Prometheus' conventions ask for. What is not known has no sample.
enum ProcessFamilies {
  static func all(_ report: ProcessReport, _ build: Build, _ usage: ProcessUsage) -> [MetricFamily] {
    work(report) + trouble(report) + times(report) + condition(report) + process(build, usage)
  }

  private static func work(_ report: ProcessReport) -> [MetricFamily] {
    [
      counter("dailymetricd_payloads_taken", "Payloads taken out of the queue.", report.tally.payloads),
      counter("dailymetricd_payloads_merged", "Payloads merged; a page of a load with its load.", report.merged),
      counter("dailymetricd_payloads_repeated", "Payloads that had been merged before.", report.tally.repeated),
      counter(
        "dailymetricd_entries_merged", "Day entries, records and days seen empty that were merged.", report.entries),
      counter("dailymetricd_cells_written", "Cells of daily_metric that were written.", report.tally.cells),
      counter("dailymetricd_rechecks", "Days of a person derived because they were due.", report.tally.derivedDays),
    ]
  }

  private static func trouble(_ report: ProcessReport) -> [MetricFamily] {
    [
      counter(
        "dailymetricd_dead_letters", "Payloads that went to the dead letters, by code.", by: "code",
        DeadLetterCode.allCases.map { ($0.rawValue, report.deadLetters[$0, default: 0]) }),
      counter("dailymetricd_entries_quarantined", "Entries set aside.", report.tally.quarantined),
      counter(
        "dailymetricd_retries", "Steps of workers that failed and were tried again, by reason.", by: "reason",
        RetryReason.allCases.map { ($0.rawValue, report.retries[$0, default: 0]) }),
      counter("dailymetricd_lone_timeouts", "Times that a payload alone took too long.", report.loneTimeouts),
      counter("dailymetricd_suspects", "Payloads in hand when a process or connection died.", report.suspects),
    ]
  }

  private static func times(_ report: ProcessReport) -> [MetricFamily] {
    [
      histogram(
        "dailymetricd_batch_duration_seconds", "Transactions that took payloads, claim to commit.",
        report.batchSeconds, unit: "seconds"),
      histogram("dailymetricd_claim_duration_seconds", "Claims of payloads.", report.claimSeconds, unit: "seconds"),
      histogram(
        "dailymetricd_recheck_duration_seconds", "Re-checks that derived something.", report.recheckSeconds,
        unit: "seconds"),
      histogram("dailymetricd_batch_payloads", "Payloads of a transaction.", report.batchPayloads, unit: "payloads"),
    ]
  }

  private static func condition(_ report: ProcessReport) -> [MetricFamily] {
    let paused = report.isIntakePaused.map { [sample($0 ? 1 : 0)] }
    let last = report.lastBatchAt.map { [decimal(Double($0.microseconds) / 1_000_000)] }
    return [
      gauge(
        "dailymetricd_ready", "1: connected and the schema fits, as /readyz says.", [sample(report.isReady ? 1 : 0)]),
      gauge(
        "dailymetricd_workers", "Workers by what they are about.",
        WorkerState.allCases.map { state in
          .init(labels: [("state", state.rawValue)], value: .whole(report.workers.values.count { $0 == state }))
        }),
      gauge(
        "dailymetricd_workers_connected", "Workers with a connection whose schema fits.",
        [sample(report.connected.count)]),
      gauge("dailymetricd_workers_hanging", "Workers over their step deadline.", [sample(report.hanging.count)]),
      gauge(
        "dailymetricd_batch_limit_payloads", "Most payloads of a worker's next batch; halved by timeouts.",
        report.batchLimits.sorted { $0.key < $1.key }.map { worker, limit in
          .init(labels: [("worker", String(worker))], value: .whole(limit))
        }, unit: "payloads"),
      gauge("dailymetricd_intake_paused", "1: the last claim found the intake paused.", paused ?? []),
      gauge(
        "dailymetricd_last_batch_timestamp_seconds", "When payloads were last committed, in Unix time.", last ?? [],
        unit: "seconds"),
    ]
  }

  private static func process(_ build: Build, _ usage: ProcessUsage) -> [MetricFamily] {
    let labels = [("version", build.version), ("schema", build.schema)]
    return [
      MetricFamily(
        name: "dailymetricd_build", kind: .info, help: "Always 1; the labels say which build it is.",
        samples: [.init(labels: labels, value: .whole(1))]),
      MetricFamily(
        name: "process_cpu_seconds", kind: .counter, help: "CPU time, user and system.", unit: "seconds",
        samples: [decimal(usage.processorSeconds)]),
      gauge(
        "process_start_time_seconds", "When the process began, in Unix time.", [decimal(usage.startedAt)],
        unit: "seconds"),
      gauge(
        "process_resident_memory_bytes", "Memory in use.", usage.residentBytes.map { [sample($0)] } ?? [],
        unit: "bytes"),
      gauge("process_open_fds", "Open file descriptors.", usage.openDescriptors.map { [sample($0)] } ?? []),
    ]
  }

  private static func counter(_ name: String, _ help: String, _ count: Int) -> MetricFamily {
    MetricFamily(name: name, kind: .counter, help: help, samples: [sample(count)])
  }

  /// Every value of the label has a sample from the start, so that the first increase is seen.
  private static func counter(
    _ name: String, _ help: String, by label: String, _ counts: [(String, Int)]
  ) -> MetricFamily {
    MetricFamily(
      name: name, kind: .counter, help: help,
      samples: counts.map { .init(labels: [(label, $0.0)], value: .whole($0.1)) })
  }

  private static func gauge(
    _ name: String, _ help: String, _ samples: [MetricFamily.Sample], unit: String? = nil
  ) -> MetricFamily {
    MetricFamily(name: name, kind: .gauge, help: help, unit: unit, samples: samples)
  }

  private static func histogram(
    _ name: String, _ help: String, _ histogram: Histogram, unit: String
  ) -> MetricFamily {
    var below = 0
    let bounds = histogram.bounds.map { String($0) } + ["+Inf"]
    let buckets = zip(bounds, histogram.counts).map { bound, count in
      below += count
      return (bound: bound, count: below)
    }
    return MetricFamily(
      name: name, kind: .histogram, help: help, unit: unit, samples: [],
      histogram: [.init(buckets: buckets, sum: histogram.sum)])
  }

  private static func sample(_ count: Int) -> MetricFamily.Sample { .init(value: .whole(count)) }
  private static func decimal(_ value: Double) -> MetricFamily.Sample { .init(value: .decimal(value)) }
}

extension ProcessReport {
  /// Whether payloads could be merged now, as far as the connection and the schema are concerned.
  var isReady: Bool { !connected.isEmpty && !isStopping }
}
