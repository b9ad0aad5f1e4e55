import Testing

@testable import MetricDaemon

@Suite struct BackoffTests {
  @Test func `the waits double until the longest one`() {
    var backoff = Backoff(first: .milliseconds(100), longest: .seconds(30))
    let waits = (0..<11).map { _ in backoff.next(jitter: 1) }
    #expect(waits[0] == .milliseconds(100))
    #expect(waits[1] == .milliseconds(200))
    #expect(waits[8] == .milliseconds(25_600))
    #expect(waits[9] == .seconds(30))
    #expect(waits[10] == .seconds(30))
  }

  @Test func `jitter takes any share of the full wait and never more`() {
    for (jitter, wait) in [
      (0.0, Duration.zero), (0.5, .milliseconds(50)), (1.0, .milliseconds(100)), (7.0, .milliseconds(100)),
    ] {
      var backoff = Backoff(first: .milliseconds(100), longest: .seconds(30))
      #expect(backoff.next(jitter: jitter) == wait)
    }
  }

  @Test func `a success makes the next wait a short one again`() {
    var backoff = Backoff(first: .milliseconds(100), longest: .seconds(30))
    for _ in 0..<5 { _ = backoff.next(jitter: 1) }
    backoff.reset()
    #expect(backoff.attempts == 0)
    #expect(backoff.next(jitter: 1) == .milliseconds(100))
  }

  @Test func `a million failures overflow nothing`() {
    var backoff = Backoff(first: .seconds(1), longest: .seconds(60))
    var last = Duration.zero
    for _ in 0..<1_000_000 { last = backoff.next(jitter: 1) }
    #expect(last == .seconds(60))
    #expect(backoff.attempts == 1_000_000)
  }
}

@Suite struct BatchSizerTests {
  @Test func `a timeout halves the batch, down to one payload`() {
    var sizer = BatchSizer(limit: 250)
    var sizes = [sizer.size]
    while sizer.canShrink {
      sizer.shrink()
      sizes.append(sizer.size)
    }
    #expect(sizes == [250, 125, 62, 31, 15, 7, 3, 1])
    sizer.shrink()
    #expect(sizer.size == 1)
  }

  @Test func `it grows again only after several successes, and never over the limit`() {
    var sizer = BatchSizer(limit: 250, successesToGrow: 3)
    sizer.shrink()
    var sizes: [Int] = []
    for _ in 0..<7 {
      sizer.succeeded()
      sizes.append(sizer.size)
    }
    #expect(sizes == [125, 125, 250, 250, 250, 250, 250])
  }

  @Test func `a timeout on the way up starts the count again`() {
    var sizer = BatchSizer(limit: 100, successesToGrow: 2)
    sizer.shrink()
    sizer.succeeded()
    sizer.shrink()
    sizer.succeeded()
    #expect(sizer.size == 25)
    sizer.succeeded()
    #expect(sizer.size == 50)
  }
}
