import Foundation
import MetricStore
import Testing

@testable import MetricDaemon

@Suite struct ReloadTests {
  /// A file of settings that a test may write anew.
  private final class File: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    init(_ text: String) throws { try write(text) }
    deinit { do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error) } }
    func write(_ text: String) throws { try text.write(toFile: path, atomically: true, encoding: .utf8) }
    func settings(_ flags: [String: String] = [:]) throws -> SettingsInForce {
      try SettingsInForce(.read(flags: ["--config": path].merging(flags) { $1 }, environment: [:]))
    }
  }

  @Test func `what a running process can take over holds at once, and the rest from the next start on`() throws {
    let file = try File("batch = 5\nworkers = 3")
    let settings = try file.settings()
    try file.write("batch = 6\nworkers = 4\npoll-interval = 2\nmass-deletion-share = 30")
    let change = try settings.reload()
    #expect(change.applied == ["batch", "mass-deletion-share", "poll-interval"])
    #expect(change.waiting == ["workers"])
    #expect(settings.current.batchPayloads == 6)
    #expect(settings.current.pollInterval == .seconds(2))
    #expect(settings.current.massDeletion.share == 30)
    #expect(settings.current.workers == 3)
  }

  @Test func `a change that waits for a start is named until it is one no more`() throws {
    let file = try File("workers = 3")
    let settings = try file.settings()
    try file.write("workers = 4")
    #expect(try settings.reload().waiting == ["workers"])
    #expect(try settings.reload().waiting == ["workers"])
    try file.write("workers = 3\ndsn = host=a")
    #expect(try settings.reload().waiting == ["dsn"])
  }

  @Test func `the command line still wins`() throws {
    let file = try File("batch = 5")
    let settings = try file.settings(["--batch": "7"])
    try file.write("batch = 6")
    #expect(try settings.reload() == .init(applied: [], waiting: []))
    #expect(settings.current.batchPayloads == 7)
  }

  @Test func `a mistake leaves the old settings in force`() throws {
    let file = try File("batch = 5")
    let settings = try file.settings()
    try file.write("batch = 6\nworkers = many")
    #expect(throws: SettingError.self) { try settings.reload() }
    #expect(settings.current.batchPayloads == 5)
  }

  @Test func `every setting is taken over by a reload exactly if it says so`() throws {
    for setting in Setting.inFile {
      let file = try File("")
      let settings = try file.settings()
      let value: String =
        switch setting.kind {
        case .word(let words): words.first { $0 != setting.fallback } ?? ""
        case .number(let range): String(range.contains(7) ? 7 : range.upperBound)
        default: setting.fallback == nil ? setting.specimen : "7"
        }
      try file.write("\(setting.name) = \(value)")
      let isTaken = Setting.reloaded.contains(setting)
      #expect(
        try settings.reload()
          == .init(applied: isTaken ? [setting.name] : [], waiting: isTaken ? [] : [setting.name]))
    }
  }

  @Test func `a service tells its manager, logs what changed, and its batches have the new size`() async throws {
    let file = try File("batch = 5\nworkers = 1\nlog-level = debug")
    let (socket, lines) = (try NotifySocket(), Lines())
    let full = BatchReport(payloads: 5, cells: 9)
    let batch = ScriptedStore.Answer.batch(.success(full))
    let store = ScriptedStore([batch, .reload, batch, batch, batch, .stop])
    let daemon = Daemon(
      settings: try file.settings(), opener: store, journal: lines.journal(),
      serviceManager: ServiceManager(environment: socket.environment), stop: store.stop, reload: store.reload)
    try file.write("batch = 6\nworkers = 2\nlog-level = debug")
    _ = await daemon.serve()
    // The second batch sees the request, the size of the third is decided by then.
    let sizes = store.calls.filter { $0.hasPrefix("ingest") }
    #expect(sizes.prefix(4) == ["ingest 5", "ingest 5", "ingest 5", "ingest 6"])
    #expect(lines.all.contains("<5>event=\"read the settings again\" changed=batch\n"))
    #expect(
      lines.all.contains("<4>event=\"some settings were changed that hold from the next start on\" settings=workers\n"))
    var messages: [String] = []
    while messages.last?.hasPrefix("STOPPING=1") != true { messages.append(try #require(await socket.receive())) }
    let reloading = try #require(messages.firstIndex { $0.hasPrefix("RELOADING=1\nMONOTONIC_USEC=") })
    #expect(messages[reloading + 1] == "READY=1")
  }

  @Test func `a service with a mistake in its file says so and works on`() async throws {
    let file = try File("batch = 5\nworkers = 1")
    let (socket, lines) = (try NotifySocket(), Lines())
    let full = BatchReport(payloads: 5, cells: 9)
    let store = ScriptedStore([.batch(.success(full)), .reload, .batch(.success(full)), .batch(.success(full)), .stop])
    let daemon = Daemon(
      settings: try file.settings(), opener: store, journal: lines.journal(),
      serviceManager: ServiceManager(environment: socket.environment), stop: store.stop, reload: store.reload)
    try file.write("batch = 0")
    #expect(await daemon.serve() != .refused(""))
    #expect(store.calls.filter { $0 == "ingest 5" }.count >= 3)
    let complaint = try #require(lines.all.first { $0.contains("the old ones stay in force") })
    #expect(complaint.hasPrefix("<3>"))
    #expect(complaint.contains("\(file.path):1: batch is"))
  }
}
