import Foundation
import HealthPayload
import MetricStore
import PayloadDecoder
import Synchronization
import Testing

@testable import MetricDaemon

@Suite struct DaemonTests {
  private func daemon(
    _ store: ScriptedStore, _ socket: NotifySocket, flags: [String: String] = [:], watchdog: Int? = nil,
    journal: Journal = .silent
  ) throws -> Daemon {
    let settings = try SettingsInForce(
      SettingValues(flags: ["--workers": "1"].merging(flags) { $1 }, environment: [:]))
    var environment = socket.environment
    if let watchdog { environment["WATCHDOG_USEC"] = String(watchdog) }
    return Daemon(
      settings: settings, opener: store, journal: journal,
      serviceManager: ServiceManager(environment: environment), stop: store.stop, reload: store.reload)
  }

  @Test func `it is ready before the database is, says what it waits for, and says that it stops`() async throws {
    let socket = try NotifySocket()
    let store = ScriptedStore([.open(.lost), .batch(.success(BatchReport(payloads: 2, cells: 9))), .stop])
    let end = await (try daemon(store, socket)).serve()
    var tally = Tally()
    tally.payloads = 2
    tally.cells = 9
    #expect(end == .done(tally))
    #expect(await socket.receive() == "READY=1\nSTATUS=waiting for the database")
    #expect(await socket.receive() == "STATUS=waiting for the database")
    #expect(await socket.receive() == "STATUS=waiting for the database, attempt 1: the connection is gone")
    #expect(await socket.receive() == "STATUS=merging with 1 of 1 workers")
    var last = try #require(await socket.receive())
    while !last.hasPrefix("STOPPING=1") { last = try #require(await socket.receive()) }
  }

  @Test func `a schema that one worker refuses ends all of them, with the sentence`() async throws {
    let store = ScriptedStore([.schema(.failure(.otherSchema))])
    let end = await (try daemon(store, NotifySocket(), flags: ["--workers": "4"])).serve()
    #expect(end == .refused(StoreError.otherSchema.message))
  }

  @Test func `several workers drain one queue, and their numbers are added up`() async throws {
    let batch = BatchReport(payloads: 10, cells: 100, deadLetters: 1)
    let store = ScriptedStore(Array(repeating: .batch(.success(batch)), count: 12))
    let end = await (try daemon(store, NotifySocket(), flags: ["--workers": "3"])).drain(asOf: nil)
    guard case .done(let tally) = end else {
      Issue.record("it ended with \(end)")
      return
    }
    #expect(tally.payloads == 120)
    #expect(tally.cells == 1_200)
    #expect(tally.deadLetters == 12)
  }

  @Test func `as-of is the now of every step`() async throws {
    let store = ScriptedStore([.batch(.success(BatchReport(payloads: 1)))])
    _ = await (try daemon(store, NotifySocket())).drain(asOf: Instant(microseconds: 7))
    #expect(Set(store.instants) == [Instant(microseconds: 7)])
  }

  @Test func `the watchdog hears from workers that advance, and no more from one that hangs`() async throws {
    let socket = try NotifySocket()
    let lines = Lines()
    let store = HangingStore()
    let daemon = try Daemon(
      settings: SettingsInForce(
        SettingValues(flags: ["--workers": "1", "--step-deadline": "3"], environment: [:])),
      opener: store, journal: lines.journal(),
      serviceManager: ServiceManager(environment: socket.environment.merging(["WATCHDOG_USEC": "300000"]) { $1 }),
      stop: store.stop, reload: ReloadRequest())
    async let end = daemon.serve()
    await store.hangs.wait()
    // Messages while the step still has its time, then a line in the log, then silence although the process still runs.
    var alive = 0
    while alive < 2, let message = await socket.receive(within: .seconds(30)) {
      alive += message == "WATCHDOG=1" ? 1 : 0
    }
    #expect(alive == 2)
    var isNoticed = false
    for _ in 0..<600 where !isNoticed {
      _ = await socket.receive(within: .milliseconds(50))
      isNoticed = lines.all.contains { $0.hasPrefix("<3>event=\"workers hang in a step") && $0.contains("workers=1") }
    }
    #expect(isNoticed)
    // What was sent before is taken first.
    while await socket.receive(within: .milliseconds(1)) != nil {}
    #expect(await socket.receive(within: .milliseconds(900)) == nil)
    store.stop.request()
    store.release.request()
    _ = await end
  }
}

/// A database whose first batch never ends by itself.
private final class HangingStore: Store, StoreOpener {
  let stop = StopRequest()
  let hangs = StopRequest()
  let release = StopRequest()
  private let inner = ScriptedStore([.batch(.success(BatchReport(payloads: 1)))])

  func open() async throws(StoreError) -> any Store { self }
  func checkSchema() async throws(StoreError) -> SchemaCheck { .current }
  func loadCatalogue() async throws(StoreError) -> Catalogue { try await inner.loadCatalogue() }
  func listen() async throws(StoreError) {}
  func noteDeaths(asOf: Instant) async throws(StoreError) -> DeathReport { DeathReport() }
  func ingestBatch(
    decoder: PayloadDecoder, limits: BatchLimits, cursor: inout UUID?, asOf: Instant
  ) async throws(StoreError) -> BatchReport {
    hangs.request()
    await release.wait()
    return BatchReport(queueIsEmpty: true)
  }
  func giveUpExpiredLoads(
    decoder: PayloadDecoder, massDeletion: MassDeletionLimits, asOf: Instant
  ) async throws(StoreError) -> Int { 0 }
  func deriveDue(limit: Int, asOf: Instant, includeScheduled: Bool) async throws(StoreError) -> Int { 0 }
  func keepUp(asOf: Instant) async throws(StoreError) -> Int { 0 }
  func ensurePartitions(asOf: Instant) async throws(StoreError) -> Int { 0 }
  func wake() {}
  func waitForNotification(timeout: Duration) async throws(StoreError) -> Bool { false }
  func close() async {}
}
