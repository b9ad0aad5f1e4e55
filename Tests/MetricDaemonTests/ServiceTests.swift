import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing

@testable import MetricDaemon

/// A real datagram socket as systemd has one.
final class NotifySocket: Sendable {
  let name: String
  private let descriptor: Int32
  private let folder: String?

  /// With `isAbstract` in the abstract name space, where NOTIFY_SOCKET begins with an @.
  init(isAbstract: Bool = false) throws {
    let unique = UUID().uuidString.lowercased()
    if isAbstract {
      folder = nil
      name = "@dailymetricd-test-\(unique)"
    } else {
      let folder = "/tmp/dmd-\(unique)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      self.folder = folder
      name = folder + "/notify"
    }
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let start = MemoryLayout<sa_family_t>.size
    let bytes = isAbstract ? [0] + name.utf8.dropFirst() : Array(name.utf8)
    withUnsafeMutableBytes(of: &address) { $0[start..<start + bytes.count].copyBytes(from: bytes) }
    let length = socklen_t(start + bytes.count + (isAbstract ? 0 : 1))
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    try #require(bound == 0)
  }

  deinit {
    close(descriptor)
    if let folder { do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) } }
  }

  var environment: [String: String] { ["NOTIFY_SOCKET": name] }

  /// The next datagram, or nil if none comes in time. The wait is on a thread of its own: there are few in the pool.
  func receive(within timeout: Duration = .seconds(5)) async -> String? {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: self.poll(timeout)) }
    }
  }

  private func poll(_ timeout: Duration) -> String? {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard Glibc.poll(&waiting, 1, Int32(timeout / .milliseconds(1))) == 1 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}

@Suite struct ServiceManagerTests {
  @Test(arguments: [false, true])
  func `messages arrive as one datagram, at a path and at an abstract name`(_ isAbstract: Bool) async throws {
    let socket = try NotifySocket(isAbstract: isAbstract)
    let manager = ServiceManager(environment: socket.environment)
    #expect(manager.notify(.ready, .status("waiting\nfor the \u{1b}database")) == .sent)
    #expect(await socket.receive() == "READY=1\nSTATUS=waiting for the \\u{1b}database")
    #expect(manager.notify(.watchdog) == .sent)
    #expect(await socket.receive() == "WATCHDOG=1")
    #expect(manager.notify(.stopping) == .sent)
    #expect(await socket.receive() == "STOPPING=1")
  }

  @Test func `nobody to tell is not the same as somebody who cannot be told`() {
    #expect(ServiceManager(environment: [:]).notify(.ready) == .disabled)
    #expect(ServiceManager(environment: ["NOTIFY_SOCKET": ""]).notify(.ready) == .disabled)
    #expect(ServiceManager(environment: ["NOTIFY_SOCKET": "/nowhere/notify"]).notify(.ready) == .failed(ENOENT))
    let long = "/" + String(repeating: "x", count: 200)
    #expect(ServiceManager(environment: ["NOTIFY_SOCKET": long]).notify(.ready) == .failed(ENAMETOOLONG))
  }

  @Test func `a full socket is a failure and no wait`() throws {
    let socket = try NotifySocket()
    let manager = ServiceManager(environment: socket.environment)
    var delivery = ServiceManager.Delivery.sent
    for _ in 0..<10_000 where delivery == .sent { delivery = manager.notify(.watchdog) }
    #expect(delivery == .failed(EAGAIN))
  }

  @Test func `the watchdog is for the process that it names`() {
    let base = ["NOTIFY_SOCKET": "/run/x", "WATCHDOG_USEC": "3000000"]
    func period(_ more: [String: String]) -> Duration? {
      ServiceManager(environment: base.merging(more) { $1 }, processID: 42).watchdogPeriod
    }
    #expect(period([:]) == .seconds(3))
    #expect(period(["WATCHDOG_PID": "42"]) == .seconds(3))
    #expect(period(["WATCHDOG_PID": "43"]) == nil)
    #expect(period(["WATCHDOG_USEC": "0"]) == nil)
    #expect(period(["WATCHDOG_USEC": "soon"]) == nil)
    #expect(period(["NOTIFY_SOCKET": ""]) == nil)
  }
}

/// Keeps log lines for a look.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  func append(_ line: String) { lines.withLock { $0.append(line) } }
  func journal(_ level: LogLevel = .debug) -> Journal {
    Journal(level: level, hasPriorityPrefix: true, sink: { self.append($0) })
  }
}

@Suite struct JournalTests {
  @Test func `a line for journald has its priority in front and one word for each key`() {
    let lines = Lines()
    let id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1))
    lines.journal().log(
      .warning, "gone",
      ["worker": .count(2), "payload": .id(id), "after": .duration(.milliseconds(1_050)), "why": .text("a b")])
    #expect(
      lines.all == ["<4>event=gone worker=2 payload=00000000-0000-4000-8000-000000000001 after=1.050 why=\"a b\"\n"])
  }

  @Test func `without journald the line says time and level itself`() {
    let lines = Lines()
    let journal = Journal(
      level: .info, hasPriorityPrefix: false, sink: { lines.append($0) }, now: { Date(timeIntervalSince1970: 0) })
    journal.log(.info, "ready")
    #expect(lines.all == ["time=1970-01-01T00:00:00Z level=info event=ready\n"])
  }

  @Test func `a message of several lines stays one line`() {
    let lines = Lines()
    lines.journal().log(.error, "connection failed:\n\tIs the server \"running\"?\u{1b}[0m\u{9b}2J\u{202e}")
    #expect(
      lines.all == ["<3>event=\"connection failed:  Is the server \\\"running\\\"?\\u{1b}[0m\\u{9b}2J\\u{202e}\"\n"])
  }

  @Test func `what is less important than the level is not written`() {
    let lines = Lines()
    for level in LogLevel.allCases { lines.journal(.notice).log(level, "x") }
    #expect(lines.all == ["<3>event=x\n", "<4>event=x\n", "<5>event=x\n"])
    #expect(LogLevel(name: "notice") == .notice)
    #expect(LogLevel(name: "loud") == nil)
  }
}

@Suite struct StopRequestTests {
  @Test func `everyone who waits is told, and who comes later does not wait`() async {
    let stop = StopRequest()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { await stop.wait() } }
      stop.request()
    }
    await stop.wait()
    stop.request()
    #expect(stop.isRequested)
  }

  @Test func `a sleep ends early when the end is asked for`() async {
    let stop = StopRequest()
    let began = ContinuousClock.now
    async let sleeping: Void = stop.sleep(for: .seconds(600))
    stop.request()
    await sleeping
    #expect(ContinuousClock.now - began < .seconds(60))
  }

  @Test func `a cancelled waiter stops waiting, and asks nobody else to stop`() async {
    let stop = StopRequest()
    let task = Task { await stop.wait() }
    task.cancel()
    await task.value
    #expect(!stop.isRequested)
    #expect(await stop.interrupt { 7 } == 7)
  }

  @Test func `an operation that is interrupted has no value`() async {
    let stop = StopRequest()
    let other = StopRequest()
    async let value = stop.interrupt { () -> Int in
      await other.wait()
      return 7
    }
    stop.request()
    #expect(await value == nil)
  }
}

@Suite struct PulseTests {
  @Test func `a step over its time is overdue, waiting for the database never is`() {
    let pulse = Pulse()
    let now = ContinuousClock.now
    pulse.expect(1, within: .seconds(60), from: now)
    pulse.expect(2, within: nil, from: now)
    pulse.expect(3, within: .seconds(5), from: now)
    #expect(pulse.overdue(at: now + .seconds(4)) == [])
    #expect(pulse.overdue(at: now + .seconds(6)) == [3])
    #expect(pulse.overdue(at: now + .seconds(3_600)) == [1, 3])
    pulse.expect(3, within: nil, from: now)
    #expect(pulse.overdue(at: now + .seconds(6)) == [])
  }
}

@Suite struct StatusBoardTests {
  private func line(_ conditions: StatusBoard.Condition...) -> String { StatusBoard.line(conditions, Tally()) }

  @Test func `the worst trouble is what an operator reads`() {
    #expect(line(.idle, .working, .paused("no space")) == "paused: no space")
    #expect(
      line(.unreachable(attempt: 2, "refused"), .unreachable(attempt: 7, "refused"), .connecting)
        == "waiting for the database, attempt 7: refused")
    #expect(line(.working, .halted("release 7")) == "intake is paused: release 7")
    #expect(line(.working, .idle) == "merging with 1 of 2 workers")
    #expect(line(.idle, .idle) == "waiting for payloads; 0 done since the start")
    #expect(line(.connecting) == "waiting for the database")
  }

  @Test func `a line is published when it changes and not with every batch`() {
    let lines = Lines()
    let board = StatusBoard { lines.append($0) }
    board.set(1, .working)
    board.set(1, .working)
    board.add(Tally())
    board.set(1, .idle)
    #expect(lines.all == ["merging with 1 of 1 workers", "waiting for payloads; 0 done since the start"])
  }
}

@Suite struct QueueHealthTests {
  private let limits = QueueHealth.Limits(oldestAge: .seconds(900), deadLetterShare: 5)

  @Test func `an empty queue and a quiet day are healthy`() {
    #expect(QueueHealth(depth: 0, oldestAge: nil, mergedLastDay: 0, deadLettersLastDay: 0).complaints(limits) == [])
    #expect(
      QueueHealth(depth: 9_000, oldestAge: 900, mergedLastDay: 95, deadLettersLastDay: 5).complaints(limits) == [])
  }

  @Test func `a payload that waits too long is named with both numbers`() throws {
    let complaints = QueueHealth(depth: 1, oldestAge: 901.5, mergedLastDay: 0, deadLettersLastDay: 0).complaints(limits)
    #expect(complaints.count == 1)
    #expect(try #require(complaints.first).hasPrefix("the oldest payload waits for 901 s, more than 900 s"))
  }

  @Test func `a share of dead letters over the limit is named, but not that of a handful of payloads`() {
    #expect(
      QueueHealth(depth: 0, oldestAge: nil, mergedLastDay: 94, deadLettersLastDay: 6).complaints(limits).count == 1)
    #expect(
      QueueHealth(depth: 0, oldestAge: nil, mergedLastDay: 0, deadLettersLastDay: 19).complaints(limits) == [])
    #expect(
      QueueHealth(depth: 0, oldestAge: nil, mergedLastDay: 0, deadLettersLastDay: 20).complaints(limits).count == 1)
    let tolerant = QueueHealth.Limits(oldestAge: .seconds(1), deadLetterShare: 100)
    #expect(
      QueueHealth(depth: 0, oldestAge: 2, mergedLastDay: 0, deadLettersLastDay: 9).complaints(tolerant).count == 1)
  }
}
