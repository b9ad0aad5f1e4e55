import Foundation
import HealthPayload
import MetricStore
import Testing

@testable import MetricDaemon

@Suite struct WorkerMachineTests {
  typealias Machine = WorkerMachine

  private func machine(_ purpose: Purpose, batch: Int = 100) -> Machine {
    Machine(
      purpose: purpose, batchPayloads: batch, derivationDays: 500, pollInterval: .seconds(1), jitter: { 1 })
  }

  private func pause(_ action: Machine.Action) throws -> Machine.Pause {
    guard case .pause(let pause) = action else {
      Issue.record("a pause is wanted, got \(action)")
      throw WantedPause()
    }
    return pause
  }
  private struct WantedPause: Error {}

  private let empty = BatchReport(queueIsEmpty: true)
  private let full = BatchReport(payloads: 100, cells: 2_000)
  private let held = BatchReport(payloads: 0, queueIsEmpty: false)

  @Test func `it merges while there is work, then re-checks, then sleeps, then looks again`() {
    var machine = machine(.serve)
    #expect(machine.start == .connect)
    #expect(machine.next(after: .connected) == .ingest(payloads: 100))
    #expect(machine.next(after: .ingested(full)) == .ingest(payloads: 100))
    #expect(machine.next(after: .ingested(empty)) == .derive(days: 500))
    #expect(machine.next(after: .derived(3)) == .ingest(payloads: 100))
    #expect(machine.next(after: .ingested(empty)) == .derive(days: 500))
    #expect(machine.next(after: .derived(0)) == .wait)
    #expect(machine.next(after: .rested) == .ingest(payloads: 100))
  }

  @Test func `a queue that never empties does not starve the re-checks`() {
    var machine = machine(.serve)
    _ = machine.next(after: .connected)
    let actions = (0..<2 * Machine.batchesPerRecheck).map { _ -> Machine.Action in
      let action = machine.next(after: .ingested(full))
      if action == .derive(days: 500) { _ = machine.next(after: .derived(1)) }
      return action
    }
    #expect(actions.filter { $0 == .derive(days: 500) }.count == 2)
  }

  @Test(arguments: [Purpose.serve, .drain])
  func `a look at what is due between two batches ends neither a drain nor the work on the queue`(
    _ purpose: Purpose
  ) {
    var machine = machine(purpose)
    _ = machine.next(after: .connected)
    for _ in 1..<Machine.batchesPerRecheck { #expect(machine.next(after: .ingested(full)) == .ingest(payloads: 100)) }
    #expect(machine.next(after: .ingested(full)) == .derive(days: 500))
    #expect(machine.next(after: .derived(0)) == .ingest(payloads: 100))
  }

  @Test func `users that others have in hand are looked for again soon, at distances that stay short`() throws {
    var machine = machine(.serve)
    _ = machine.next(after: .connected)
    var waits: [Duration] = []
    for _ in 0..<9 {
      #expect(machine.next(after: .ingested(held)) == .derive(days: 500))
      let pause = try pause(machine.next(after: .derived(0)))
      #expect(pause.failure == nil)
      #expect(!pause.closesConnection)
      waits.append(pause.duration)
      #expect(machine.next(after: .rested) == .ingest(payloads: 100))
    }
    #expect(waits.first == .milliseconds(10))
    #expect(waits.last == .milliseconds(100))
  }

  @Test func `a drain ends when queue and due list are empty, and not while others hold a part of the queue`() throws {
    var machine = machine(.drain)
    #expect(machine.next(after: .connected) == .ingest(payloads: 100))
    #expect(machine.next(after: .ingested(held)) == .derive(days: 500))
    #expect(try pause(machine.next(after: .derived(0))).duration == .milliseconds(10))
    #expect(machine.next(after: .rested) == .ingest(payloads: 100))
    #expect(machine.next(after: .ingested(empty)) == .derive(days: 500))
    #expect(machine.next(after: .derived(0)) == .finish(.done))
  }

  @Test func `a re-check that goes on failing is tried at growing distances, however well merging goes beside it`()
    throws
  {
    var machine = machine(.serve)
    _ = machine.next(after: .connected)
    var waits: [Duration] = []
    for _ in 0..<4 {
      #expect(machine.next(after: .ingested(empty)) == .derive(days: 500))
      waits.append(try pause(machine.next(after: .failed(.server("42501")))).duration)
      #expect(machine.next(after: .rested) == .connect)
      #expect(machine.next(after: .connected) == .ingest(payloads: 100))
      #expect(!machine.endsTrouble)
    }
    #expect(waits == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
    #expect(machine.next(after: .ingested(empty)) == .derive(days: 500))
    #expect(machine.endsTrouble)
    #expect(machine.next(after: .derived(0)) == .wait)
    _ = machine.next(after: .rested)
    #expect(try pause(machine.next(after: .failed(.server("42501")))).duration == .seconds(1))
  }

  @Test func `while intake is paused a service re-checks and sleeps, a drain re-checks and ends`() {
    let pause = IntakePause(since: Instant(microseconds: 0), because: "release 7")
    let paused = BatchReport(queueIsEmpty: false, pause: pause)
    var serving = machine(.serve)
    _ = serving.next(after: .connected)
    #expect(serving.next(after: .ingested(paused)) == .derive(days: 500))
    #expect(serving.next(after: .derived(2)) == .ingest(payloads: 100))
    #expect(serving.next(after: .ingested(paused)) == .derive(days: 500))
    #expect(serving.next(after: .derived(0)) == .wait)
    #expect(serving.next(after: .rested) == .ingest(payloads: 100))
    var draining = machine(.drain)
    _ = draining.next(after: .connected)
    #expect(draining.next(after: .ingested(paused)) == .derive(days: 500))
    #expect(draining.next(after: .derived(0)) == .finish(.paused(pause)))
  }

  @Test func `a recheck never touches the queue`() {
    var machine = machine(.recheck)
    #expect(machine.next(after: .connected) == .derive(days: 500))
    #expect(machine.next(after: .derived(500)) == .derive(days: 500))
    #expect(machine.next(after: .derived(0)) == .finish(.done))
  }

  @Test func `a deadlock repeats the same step after a short pause on the same connection`() throws {
    var machine = machine(.serve)
    _ = machine.next(after: .connected)
    let first = try pause(machine.next(after: .failed(.server("40P01"))))
    #expect(first.duration == .milliseconds(10))
    #expect(!first.closesConnection)
    #expect(machine.next(after: .rested) == .ingest(payloads: 100))
    #expect(machine.next(after: .ingested(empty)) == .derive(days: 500))
    _ = try pause(machine.next(after: .failed(.server("40001"))))
    #expect(machine.next(after: .rested) == .derive(days: 500))
  }

  @Test func `a lock that is never given up becomes a pause with a smaller batch behind it`() throws {
    var machine = machine(.serve)
    _ = machine.next(after: .connected)
    for _ in 0..<Machine.retriesBeforePause {
      #expect(try pause(machine.next(after: .failed(.server("55P03")))).reaction == .retry)
      _ = machine.next(after: .rested)
    }
    let last = try pause(machine.next(after: .failed(.server("55P03"))))
    #expect(last.reaction == .pause)
    #expect(machine.next(after: .rested) == .connect)
    #expect(machine.next(after: .connected) == .ingest(payloads: 50))
  }

  @Test func `a statement timeout halves the batch at once, and a single payload that is too slow pauses`() throws {
    var machine = machine(.serve, batch: 4)
    _ = machine.next(after: .connected)
    #expect(machine.next(after: .failed(.server("57014"))) == .ingest(payloads: 2))
    #expect(machine.next(after: .failed(.server("57014"))) == .ingest(payloads: 1))
    #expect(try pause(machine.next(after: .failed(.server("57014")))).reaction == .pause)
  }

  @Test func `a re-check that takes too long has half as many days, and as many as before once that works out`() throws
  {
    var machine = machine(.recheck)
    _ = machine.next(after: .connected)
    #expect(machine.next(after: .failed(.server("57014"))) == .derive(days: 250))
    for _ in 1...7 { #expect(machine.next(after: .derived(250)) == .derive(days: 250)) }
    #expect(machine.next(after: .derived(250)) == .derive(days: 500))
  }

  @Test func `a single day that takes too long pauses, and batches stay as large as they were`() throws {
    var machine = machine(.serve)
    _ = machine.next(after: .connected)
    var action = machine.next(after: .ingested(empty))
    while case .derive(let days) = action, days > 1 { action = machine.next(after: .failed(.server("57014"))) }
    #expect(action == .derive(days: 1))
    #expect(try pause(machine.next(after: .failed(.server("57014")))).reaction == .pause)
    _ = machine.next(after: .rested)
    #expect(machine.next(after: .connected) == .ingest(payloads: 100))
  }

  @Test func `where the server is silent past the deadline the next connection asks for less`() throws {
    let silence = StoreError(.unavailable, "no answer in time", isTimeout: true)
    var machine = machine(.serve)
    _ = machine.next(after: .connected)
    #expect(try pause(machine.next(after: .failed(silence))).reaction == .reconnect)
    _ = machine.next(after: .rested)
    #expect(machine.next(after: .connected) == .ingest(payloads: 50))
    #expect(machine.next(after: .ingested(empty)) == .derive(days: 500))
    _ = machine.next(after: .failed(silence))
    _ = machine.next(after: .rested)
    _ = machine.next(after: .connected)
    #expect(machine.next(after: .ingested(empty)) == .derive(days: 250))
  }

  private let person = UUID()

  private func lone(counted: Bool) -> StoreError {
    let timeout = LoneTimeout(user: person, number: 7, attempts: 1, attemptsUntilParked: 5, isCounted: counted)
    return StoreError(.server("57014"), of: timeout)
  }

  @Test(arguments: [Purpose.serve, .drain])
  func `a payload that was too slow alone lets the others go on at once, in batches as large as before`(
    _ purpose: Purpose
  ) {
    var machine = machine(purpose, batch: 4)
    _ = machine.next(after: .connected)
    #expect(machine.next(after: .failed(lone(counted: true))) == .ingest(payloads: 4))
  }

  @Test func `where no others went on it is tried after each poll interval and re-check, over the same connection`()
    throws
  {
    var machine = machine(.serve, batch: 4)
    _ = machine.next(after: .connected)
    for _ in 1...50 {
      let pause = try pause(machine.next(after: .failed(lone(counted: false))))
      #expect(pause.duration == .seconds(1) && !pause.closesConnection)
      #expect(machine.next(after: .rested) == .derive(days: 500))
      #expect(machine.next(after: .derived(0)) == .ingest(payloads: 4))
    }
    var drain = self.machine(.drain)
    _ = drain.next(after: .connected)
    #expect(drain.next(after: .failed(lone(counted: false))) == .finish(.failed(lone(counted: false))))
  }

  @Test func `a lost connection is made again for ever, from 0.1 to 30 seconds`() throws {
    var machine = machine(.serve)
    var waits: [Duration] = []
    for attempt in 1...40 {
      let pause = try pause(machine.next(after: .failed(.lost)))
      #expect(pause.closesConnection)
      #expect(pause.attempt == attempt)
      waits.append(pause.duration)
      #expect(machine.next(after: .rested) == .connect)
    }
    #expect(waits.first == .milliseconds(100))
    #expect(waits.last == .seconds(30))
  }

  @Test func `connecting alone is no recovery: a standby takes connections all day`() throws {
    var machine = machine(.serve)
    var waits: [Duration] = []
    for _ in 0..<4 {
      _ = machine.next(after: .connected)
      waits.append(try pause(machine.next(after: .failed(.server("25006")))).duration)
      #expect(machine.next(after: .rested) == .connect)
    }
    #expect(waits == [.milliseconds(100), .milliseconds(200), .milliseconds(400), .milliseconds(800)])
    _ = machine.next(after: .connected)
    _ = machine.next(after: .ingested(full))
    #expect(try pause(machine.next(after: .failed(.lost))).duration == .milliseconds(100))
  }

  @Test(arguments: ["42P01", "53100", "XX000", "0A000", "42501", "23514"])
  func `a lasting error pauses at growing distances and looks at everything afresh`(_ state: String) throws {
    var machine = machine(.serve)
    _ = machine.next(after: .connected)
    var waits: [Duration] = []
    for _ in 0..<8 {
      let pause = try pause(machine.next(after: .failed(.server(state))))
      #expect(pause.reaction == .pause)
      #expect(pause.closesConnection)
      waits.append(pause.duration)
      #expect(machine.next(after: .rested) == .connect)
      _ = machine.next(after: .connected)
    }
    #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    _ = machine.next(after: .ingested(full))
    #expect(try pause(machine.next(after: .failed(.server(state)))).duration == .seconds(1))
  }

  @Test func `another schema ends the service at the start, and only pauses it later`() throws {
    var fresh = machine(.serve)
    #expect(fresh.next(after: .failed(.otherSchema)) == .finish(.refused(.otherSchema)))
    var serving = machine(.serve)
    _ = serving.next(after: .connected)
    _ = serving.next(after: .failed(.lost))
    #expect(serving.next(after: .rested) == .connect)
    #expect(try pause(serving.next(after: .failed(.otherSchema))).reaction == .pause)
  }

  @Test(arguments: [StoreError.lost, .server("42501"), .server("53100")])
  func `a command that ends by itself does not wait for the database`(_ failure: StoreError) {
    var machine = machine(.drain)
    _ = machine.next(after: .connected)
    #expect(machine.next(after: .failed(failure)) == .finish(.failed(failure)))
  }
}
