import Foundation
import HealthPayload
import MetricStore
import PayloadDecoder
import Synchronization
import Testing

@testable import MetricDaemon

/// Runs one worker against a script and keeps what it did.
struct WorkerRun {
  let calls: [String]
  let rests: [Duration]
  let lines: [String]
  let statuses: [String]
  let end: Worker.End
  let store: ScriptedStore

  static func run(
    _ purpose: Purpose = .serve, _ answers: ScriptedStore.Answer..., lines: Lines = Lines()
  ) async -> WorkerRun {
    await run(purpose, answers, lines: lines)
  }

  static func run(_ purpose: Purpose, _ answers: [ScriptedStore.Answer], lines: Lines = Lines()) async -> WorkerRun {
    let store = ScriptedStore(answers)
    let rests = Lines()
    let durations = RestList()
    let surroundings = Surroundings(
      opener: store, stop: store.stop, reload: store.reload, pulse: Pulse(),
      board: StatusBoard { rests.append($0) }, journal: lines.journal(), now: { Instant(microseconds: 42) },
      rest: { durations.append($0) })
    let settings = WorkerSettings(
      purpose: purpose, batchPayloads: 100, pollInterval: .seconds(1), derivationLimit: 500, stepDeadline: .seconds(60),
      decoderLimits: .init(), massDeletion: .init())
    var worker = Worker(number: 1, settings: settings, surroundings: surroundings, jitter: { 1 })
    let end = await worker.run()
    return WorkerRun(
      calls: store.calls, rests: durations.all, lines: lines.all, statuses: rests.all, end: end, store: store)
  }
}

private final class RestList: Sendable {
  private let durations = Mutex<[Duration]>([])
  var all: [Duration] { durations.withLock { $0 } }
  func append(_ duration: Duration) { durations.withLock { $0.append(duration) } }
}

@Suite struct WorkerTests {
  private let start = ["open", "check", "catalogue", "listen"]
  private let full = BatchReport(payloads: 100, cells: 2_000)
  private let empty = BatchReport(queueIsEmpty: true)

  @Test func `it opens, checks, listens, merges, re-checks and sleeps`() async {
    let run = await WorkerRun.run(
      .serve, .batch(.success(full)), .batch(.success(empty)), .due(.success(2)), .batch(.success(empty)),
      .due(.success(0)),
      .wait(.success(true)), .batch(.success(full)), .stop)
    #expect(
      run.calls == start + [
        "ingest 100", "ingest 100", "derive scheduled", "ingest 100", "derive scheduled", "wait", "ingest 100",
        "ingest 100", "close",
      ])
    #expect(run.end == .stopped)
    #expect(run.rests == [])
    #expect(run.store.isUsedUp)
  }

  @Test func `a worker that nobody can wake polls, and says so; a connection that is lost is made again`() async {
    let deaf = await WorkerRun.run(.serve, .listen(.server("42501")), .batch(.success(full)), .stop)
    #expect(Array(deaf.calls.prefix(5)) == start + ["ingest 100"])
    #expect(deaf.lines.contains { $0.contains("cannot wake this worker") })
    let lost = await WorkerRun.run(.serve, .listen(.lost), .batch(.success(full)), .stop)
    #expect(Array(lost.calls.prefix(10)) == start + ["close"] + start + ["ingest 100"])
  }

  @Test func `people whom others hold for long are worth a line and a status, once`() async {
    let held = BatchReport(payloads: 0, queueIsEmpty: false)
    let looks = (0..<50).flatMap { _ -> [ScriptedStore.Answer] in [.batch(.success(held)), .due(.success(0))] }
    let run = await WorkerRun.run(.serve, looks + [.batch(.success(full)), .batch(.success(full)), .stop])
    #expect(run.lines.count { $0.contains("classid 4711") } == 1)
    #expect(run.statuses.count { $0 == "waiting for people whom other sessions hold" } == 1)
  }

  @Test func `the next claim goes on behind the last user`() async {
    let run = await WorkerRun.run(
      .drain, .batch(.success(full)), .batch(.success(full)), .batch(.success(empty)), .due(.success(0)))
    let cursors = run.store.cursors
    #expect(cursors.count == 3)
    #expect(cursors.map(\.before) == [nil] + cursors.map(\.after).dropLast())
    #expect(run.store.instants.allSatisfy { $0.microseconds == 42 })
    #expect(run.end == .finished(.done))
  }

  @Test func `a drain derives what payloads made due and not what time made due; it does not listen`() async {
    let run = await WorkerRun.run(
      .drain, .batch(.success(full)), .batch(.success(empty)), .due(.success(7)), .batch(.success(empty)),
      .due(.success(0)))
    #expect(
      run.calls == ["open", "check", "catalogue"] + [
        "ingest 100", "ingest 100", "derive", "ingest 100", "derive", "close",
      ])
  }

  @Test(arguments: ["40001", "40P01", "55P03"])
  func `somebody in the way: the same again on the same connection`(_ state: String) async {
    let run = await WorkerRun.run(.serve, .batch(.failure(.server(state))), .batch(.success(full)), .stop)
    #expect(run.calls == start + ["ingest 100", "ingest 100", "ingest 100", "close"])
    #expect(run.rests == [.milliseconds(10)])
  }

  @Test func `too slow: half the batch, without a pause`() async {
    let run = await WorkerRun.run(.serve, .batch(.failure(.server("57014"))), .batch(.success(full)), .stop)
    #expect(run.calls == start + ["ingest 100", "ingest 50", "ingest 50", "close"])
    #expect(run.rests == [])
  }

  @Test(arguments: [
    StoreError.lost, .server("57P01"), .server("57P03"), .server("08006"), .server("25006"),
  ])
  func `no connection, or one that takes no writes: closed and made anew`(_ failure: StoreError) async {
    let run = await WorkerRun.run(
      .serve, .batch(.failure(failure)), .open(.lost), .open(.lost), .batch(.success(full)), .stop)
    #expect(
      run.calls == start + ["ingest 100", "close", "open", "open", "open"] + start.dropFirst() + [
        "ingest 100", "ingest 100", "close",
      ])
    #expect(run.rests == [.milliseconds(100), .milliseconds(200), .milliseconds(400)])
  }

  @Test(arguments: ["42P01", "42501", "53100", "0A000", "XX000", "23514", "22P02"])
  func `ours or the machine's fault: a pause, and everything looked at afresh; no payload is touched`(_ state: String)
    async
  {
    let run = await WorkerRun.run(
      .serve, .batch(.failure(.server(state))), .batch(.failure(.server(state))), .batch(.success(full)), .stop)
    let again = start + ["ingest 100"]
    #expect(run.calls == again + ["close"] + again + ["close"] + again + ["ingest 100", "close"])
    #expect(run.rests == [.seconds(1), .seconds(2)])
    #expect(run.statuses.contains { $0.hasPrefix("paused: merging: the database answered with \(state)") })
  }

  @Test func `a lost connection while sleeping or deriving is made anew, too`() async {
    let run = await WorkerRun.run(
      .serve, .batch(.success(empty)), .due(.failure(.lost)), .batch(.success(empty)), .due(.success(0)),
      .wait(.failure(.lost)), .batch(.success(full)), .stop)
    #expect(run.calls.filter { $0 == "open" }.count == 3)
    #expect(run.calls.suffix(3) == ["ingest 100", "ingest 100", "close"])
  }

  @Test func `a schema that does not fit ends the worker at the start`() async {
    let run = await WorkerRun.run(.serve, .schema(.failure(.otherSchema)))
    #expect(run.end == .finished(.refused(.otherSchema)))
    #expect(run.calls == ["open", "check", "close"])
  }

  @Test func `a newer schema that says it is compatible is a warning`() async {
    let run = await WorkerRun.run(
      .serve, .schema(.success(.newerCompatible("The database has newer migrations: 0009_later."))),
      .batch(.success(full)), .stop)
    #expect(run.lines.contains { $0.hasPrefix("<4>") && $0.contains("0009_later") })
    #expect(run.end == .stopped)
  }

  @Test func `trouble is said once, and its end too`() async {
    let run = await WorkerRun.run(
      .serve, .open(.lost), .open(.lost), .open(.lost), .batch(.success(full)), .stop)
    #expect(run.lines.filter { $0.hasPrefix("<4>") && $0.contains("the connection is gone") }.count == 1)
    #expect(run.lines.contains { $0.hasPrefix("<5>") && $0.contains("working again") && $0.contains("failures=3") })
    #expect(run.statuses.contains("waiting for the database, attempt 3: the connection is gone"))
  }

  @Test func `a re-check goes on until the upkeep has nothing to do either`() async {
    let run = await WorkerRun.run(
      .recheck, .due(.success(0)), .upkeep(.success(1)), .due(.success(0)), .upkeep(.success(0)))
    #expect(run.calls.filter { $0 == "derive scheduled" }.count == 2)
    #expect(run.end == .finished(.done))
  }

  @Test func `an upkeep that fails is one line and no trouble, and is not tried again at once`() async {
    let run = await WorkerRun.run(
      .recheck, .due(.success(1)), .upkeep(.failure(.server("57014"))), .due(.success(0)), .upkeep(.success(1)))
    #expect(run.lines.filter { $0.hasPrefix("<4>") && $0.contains("coverage is not summed") }.count == 1)
    #expect(run.end == .finished(.done))
    #expect(!run.store.isUsedUp)
    let drain = await WorkerRun.run(.drain, .batch(.success(empty)), .due(.success(0)), .upkeep(.success(1)))
    #expect(!drain.store.isUsedUp, "a drain has no time for it")
  }

  @Test func `a reload reads the catalogue before the next batch, once`() async {
    let run = await WorkerRun.run(
      .serve, .batch(.success(full)), .reload, .batch(.success(full)), .batch(.success(full)), .stop)
    #expect(run.calls.filter { $0 == "catalogue" }.count == 2)
  }

  @Test func `a stop lets the batch in hand end, closes the connection and is no failure`() async {
    let run = await WorkerRun.run(.serve, .batch(.success(full)), .stop, .batch(.success(full)), .batch(.success(full)))
    #expect(run.calls == start + ["ingest 100", "ingest 100", "close"])
    #expect(run.end == .stopped)
    #expect(!run.store.isUsedUp)
  }

  @Test func `a command that ends by itself says why it could not`() async {
    let lost = await WorkerRun.run(.drain, .open(.lost))
    #expect(lost.end == .finished(.failed(.lost)))
    #expect(lost.rests == [])
    let locked = await WorkerRun.run(
      .drain, .batch(.failure(.server("40P01"))), .batch(.success(empty)), .due(.success(0)))
    #expect(locked.end == .finished(.done))
  }

  @Test func `many batches with dead letters make one line`() async {
    let batch = BatchReport(payloads: 3, deadLetters: 1)
    let run = await WorkerRun.run(
      .drain, .batch(.success(batch)), .batch(.success(batch)), .batch(.success(batch)), .batch(.success(empty)),
      .due(.success(0)))
    let loud = run.lines.filter { $0.hasPrefix("<4>") }
    #expect(loud.count == 1)
    #expect(loud.first?.contains("payloads=9") == true && loud.first?.contains("dead_letters=3") == true)
  }

  @Test func `a stretch begins with its first batch, not after it`() {
    let lines = Lines()
    var report = ProgressReport(worker: 1, journal: lines.journal())
    let start = ContinuousClock.now
    var tally = Tally()
    tally.payloads = 1
    report.begin(at: start)
    report.succeeded(Tally(), at: start + .seconds(50))
    report.begin(at: start + .seconds(60))
    report.succeeded(tally, at: start + .seconds(62))
    report.begin(at: start + .seconds(62))
    report.succeeded(tally, at: start + .seconds(65))
    report.flush(at: start + .seconds(65))
    #expect(lines.all.contains { $0.contains("event=merged") && $0.contains("took=5.000") })
  }

  @Test func `a pause of the intake is said once, in the log and in the status line, and so is its end`() async {
    let pause = IntakePause(since: Instant(microseconds: 0), because: "release 7")
    let paused = BatchReport(queueIsEmpty: false, pause: pause)
    let run = await WorkerRun.run(
      .serve, .batch(.success(paused)), .due(.success(3)), .batch(.success(paused)), .due(.success(0)),
      .wait(.success(true)), .batch(.success(paused)), .due(.success(0)), .wait(.success(true)),
      .batch(.success(full)), .stop)
    let said = run.lines.filter { $0.contains("intake") }
    #expect(said.count == 2)
    #expect(said.first?.hasPrefix("<4>event=\"intake is paused; re-checks go on\" since=") == true)
    #expect(said.first?.contains("because=\"release 7\"") == true)
    #expect(said.last == "<5>event=\"intake goes on\"\n")
    #expect(run.statuses.filter { $0 == "intake is paused: release 7" }.count == 1)
    #expect(run.statuses.contains("merging with 1 of 1 workers"))
  }

  @Test func `payloads that died with another process are spoken of before the first batch, and later too`() async {
    var first = DeathReport()
    first.suspects = 200
    var last = DeathReport()
    last.suspects = 1
    last.crashed = 1
    let run = await WorkerRun.run(
      .serve, .deaths(first), .batch(.success(empty)), .deaths(last), .due(.success(0)), .stop)
    let said = run.lines.filter { $0.contains("died with payloads") || $0.contains("killed their process") }
    #expect(said.count == 3)
    #expect(said.first?.hasPrefix("<4>") == true && said.first?.contains("payloads=200") == true)
    #expect(said.last?.hasPrefix("<3>") == true && said.last?.contains("count=1") == true)
    let recheck = await WorkerRun.run(.recheck, .deaths(first))
    #expect(!recheck.lines.contains { $0.contains("died with payloads") }, "a re-check has no payload in hand")
  }

  @Test func `log lines count what was done and hold nothing else of it`() async {
    let batch = BatchReport(payloads: 3, cells: 40, deadLetters: 1, quarantined: 2, repeated: 1)
    let run = await WorkerRun.run(.drain, .batch(.success(batch)), .batch(.success(empty)), .due(.success(0)))
    // Louder than usual because of the dead letter; without one it is information.
    let summary = "<4>event=merged worker=1 payloads=3 cells=40 dead_letters=1 quarantined=2 repeated=1 forgotten=0"
    #expect(run.lines.contains { $0.hasPrefix(summary) })
  }
}
