import HealthPayload
import MetricStore
import PayloadDecoder
import Testing

@testable import MetricDaemon

@Suite struct InstrumentTests {
  private let noon = Instant(microseconds: 1_796_000_000_000_000)

  @Test func `nobody has looked at the intake before the first claim, and a claim of nothing is no batch`() {
    let instruments = Instruments()
    #expect(instruments.report.isIntakePaused == nil)
    instruments.ingested(BatchReport(queueIsEmpty: true), took: .seconds(3), at: noon)
    #expect(instruments.report.isIntakePaused == false)
    #expect(instruments.report.lastBatchAt == nil)
    #expect(instruments.report.batchSeconds.count == 0)
    instruments.ingested(BatchReport(payloads: 3, deadLetters: 1), took: .milliseconds(20), at: noon)
    let report = instruments.report
    #expect(report.lastBatchAt == noon)
    #expect(report.tally.payloads == 3 && report.tally.deadLetters == 1)
    #expect(report.batchSeconds.count == 1 && report.batchSeconds.counts[2] == 1)
    #expect(report.claimSeconds.count == 0, "nobody has measured it")
  }

  @Test(arguments: [
    (StoreError.lost, RetryReason.connection), (.server("40P01"), .contention), (.server("57014"), .timeout),
    (.server("53100"), .lasting), (.otherSchema, .schema),
  ])
  func `an error is counted by what is done about it`(_ error: StoreError, _ reason: RetryReason) {
    let instruments = Instruments()
    instruments.failed(error)
    #expect(instruments.report.retries == [reason: 1])
  }

  @Test func `a value on a bound belongs below it, and above the last one there is a bucket too`() {
    var histogram = Histogram(bounds: [1, 2])
    for value in [0, 1, 1.5, 2, 99] { histogram.observe(value) }
    #expect(histogram.counts == [2, 2, 1])
    #expect(histogram.sum == 103.5 && histogram.count == 5)
  }

  @Test func `a worker's life shows: connection, batches, trouble, end`() async {
    let instruments = Instruments()
    let store = ScriptedStore([
      .open(.lost), .batch(.success(BatchReport(payloads: 100, cells: 2_000))), .batch(.failure(.server("57014"))),
      .stop,
    ])
    var surroundings = Surroundings(
      opener: store, stop: store.stop, reload: store.reload, pulse: instruments.pulse,
      board: StatusBoard(instruments) { _ in }, journal: .silent, now: { Instant(microseconds: 42) }, rest: { _ in })
    surroundings.instruments = instruments
    let settings = WorkerSettings(
      purpose: .serve, batchPayloads: 100, pollInterval: .seconds(1), derivationLimit: 500, stepDeadline: .seconds(60),
      decoderLimits: .init(), massDeletion: .init())
    var worker = Worker(number: 7, settings: settings, surroundings: surroundings, jitter: { 1 })
    _ = await worker.run()
    let report = instruments.report
    #expect(report.tally.payloads == 100 && report.tally.cells == 2_000)
    #expect(report.retries == [.connection: 1, .timeout: 1])
    #expect(report.batchLimits == [7: 50])
    #expect(report.workers == [7: .ended])
    #expect(report.connected == [])
  }
}

@Suite struct ListenAddressTests {
  @Test(arguments: ["127.0.0.1:14711", "[::1]:14711", "10.1.2.3:1", "[2001:db8::7]:65535", "0.0.0.0:0"])
  func `an address is read and written`(_ text: String) {
    #expect(ListenAddress(text)?.description == text)
  }

  @Test(arguments: ["127.0.0.1", ":14711", "localhost:14711", "::1:14711", "127.0.0.1:65536", "127.1:1", "[::1]", ""])
  func `what is no numeric address with a port is none`(_ text: String) {
    #expect(ListenAddress(text) == nil)
  }

  @Test(arguments: [
    ("127.0.0.1:1", true), ("127.8.8.8:1", true), ("[::1]:1", true), ("0.0.0.0:1", false), ("[::]:1", false),
    ("10.0.0.1:1", false), ("[::ffff:127.0.0.1]:1", false),
  ])
  func `only this machine reaches loopback`(_ text: String, _ isLoopback: Bool) throws {
    #expect(try #require(ListenAddress(text)).isLoopback == isLoopback)
    let flags = [Setting.metricsListen.flag: text]
    let values = SettingValues(flags: flags, environment: [:])
    if isLoopback {
      #expect(try values.address(.metricsListen, scope: .metricsFrom)?.description == text)
    } else {
      #expect(throws: SettingError.self) { try values.address(.metricsListen, scope: .metricsFrom) }
      let open = SettingValues(flags: flags, environment: ["DAILYMETRICD_METRICS_FROM": "anywhere"])
      #expect(try open.address(.metricsListen, scope: .metricsFrom) != nil)
    }
  }

  @Test func `nobody asked for it: nothing listens`() throws {
    let values = SettingValues(flags: [:], environment: [:])
    #expect(try values.address(.metricsListen, scope: .metricsFrom) == nil)
  }
}
