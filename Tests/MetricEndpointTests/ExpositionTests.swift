import MetricDaemon
import PayloadDecoder
import Testing

@testable import MetricEndpoint

@Suite struct ExpositionTests {
  private let families = [
    MetricFamily(name: "a_things", kind: .counter, help: "Things\nwith a \\.", samples: [.init(value: .whole(3))]),
    MetricFamily(
      name: "a_build", kind: .info, help: "Build.", samples: [.init(labels: [("v", "1\"\\\n2")], value: .whole(1))]),
    MetricFamily(name: "a_wait_seconds", kind: .gauge, help: "Not known.", unit: "seconds", samples: []),
    MetricFamily(
      name: "a_time_seconds", kind: .histogram, help: "Times.", unit: "seconds", samples: [],
      histogram: [.init(buckets: [("0.5", 1), ("+Inf", 3)], sum: 7.25)]),
  ]

  @Test func `the older format describes each metric under the name of its samples`() {
    let text = """
      # HELP a_things_total Things\\nwith a \\\\.
      # TYPE a_things_total counter
      a_things_total 3
      # HELP a_build_info Build.
      # TYPE a_build_info gauge
      a_build_info{v="1\\"\\\\\\n2"} 1
      # HELP a_wait_seconds Not known.
      # TYPE a_wait_seconds gauge
      # HELP a_time_seconds Times.
      # TYPE a_time_seconds histogram
      a_time_seconds_bucket{le="0.5"} 1
      a_time_seconds_bucket{le="+Inf"} 3
      a_time_seconds_sum 7.25
      a_time_seconds_count 3

      """
    #expect(Exposition.write(families, as: .text) == text)
  }

  @Test func `OpenMetrics describes families, says units and ends with a mark`() {
    let text = Exposition.write(families, as: .openMetrics)
    #expect(text.contains("# TYPE a_things counter\na_things_total 3\n"))
    #expect(text.contains("# TYPE a_build info\na_build_info{"))
    #expect(text.contains("# TYPE a_time_seconds histogram\n# UNIT a_time_seconds seconds\n"))
    #expect(text.hasSuffix("a_time_seconds_count 3\n# EOF\n"))
  }

  @Test func `who asks for OpenMetrics gets it, and nobody else`() {
    #expect(Exposition.Format(accept: "application/openmetrics-text;version=1.0.0,*/*;q=0.1") == .openMetrics)
    #expect(Exposition.Format(accept: "*/*") == .text)
    #expect(Exposition.Format(accept: nil) == .text)
  }

  @Test func `every code and every reason has a count from the start, and what nobody has looked at has none`() {
    let usage = ProcessUsage(processorSeconds: 0.5, startedAt: 1_796_000_000)
    let build = Build(version: "1.2.3", schema: "0042_x")
    let text = Exposition.write(ProcessFamilies.all(Instruments().report, build, usage), as: .text)
    for code in DeadLetterCode.allCases {
      #expect(text.contains("\ndailymetricd_dead_letters_total{code=\"\(code.rawValue)\"} 0\n"))
    }
    for reason in RetryReason.allCases {
      #expect(text.contains("\ndailymetricd_retries_total{reason=\"\(reason.rawValue)\"} 0\n"))
    }
    #expect(text.contains("\ndailymetricd_build_info{version=\"1.2.3\",schema=\"0042_x\"} 1\n"))
    #expect(text.contains("\ndailymetricd_ready 0\n"))
    for name in [
      "dailymetricd_intake_paused", "dailymetricd_last_batch_timestamp_seconds", "process_resident_memory_bytes",
    ] {
      #expect(text.contains("# TYPE \(name) gauge\n#"), "\(name) has a sample that nobody measured")
    }
  }
}
