import FoundationEssentials
import HealthPayload
import MetricDaemon
import MetricStore
import PayloadDecoder
import ProviderFormats

/// Brings in a table that never knew what it did not know.
enum ImportLegacyCommand: Command {
  static let page = CommandPage(
    name: "import-legacy",
    summary: "put an old table of daily numbers into the queue, and say what is doubted",
    text: """
      Reads a table of daily numbers that has no column for "unknown", as CSV, and
      puts it into the queue: one payload for each user and month. Such tables hold 0
      where nothing was known. A zero is therefore not believed: the day counts as
      read and empty, and is 0 again only if something else of that day, such as a
      heart rate, shows that somebody was there. NULL says nothing.

      Then it prints what was doubted, by metric and reason, and with --doubts writes
      each of these cells to a file. What becomes of them shows in daily_metric.

      The head line has user_id, local_date and either metric and value, or one column
      for each metric, in the metric's unit; source, if it is there, names the device.
      The rows of a user stand together: sort by user_id and local_date. The numbers
      are kept under a store of their own (--account, else legacy) as read two days
      after each month's last, so that what the platform says itself speaks louder.
      The same rows twice change nothing.

      Different numbers for one user, day and metric: none of them is taken, because
      the table does not say which was measured, and the day is unknown
      (invalid_reading). --duplicates first or last says which one counts. The same
      number several times counts once. Both are in the report.
      """,
    arguments: [.init("FILE", "CSV with a head line; - reads standard input")],
    settings: [.asOf, .importPlatform, .account, .duplicates, .doubts] + Setting.address,
    exitCodes: ExitCode.rows(
      .success, .usage, .data, .noInput, .unavailable, .internalError, .configuration,
      replacing: [.data: "a row cannot be read; what was before it is in the queue"]),
    examples: [
      .init(
        "straight from the old database; daily.sql selects the columns",
        "psql old --csv -f daily.sql |\n    dailymetricd import-legacy - --platform health_connect")
    ])

  private static let payloadsOfCommit = 200

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let now = try call.asOf() ?? WallClock.now()
    let catalogue = try EmbeddedCatalogue.load()
    let origin = try origin(call, catalogue)
    var table = try LegacyTable(call.arguments[0], catalogue)
    let (doubts, conflict) = try call.setting { (values) throws(SettingError) in
      (try values.text(.doubts), LegacyConflict(rawValue: try values.word(.duplicates)) ?? .refuse)
    }
    var report = DoubtReport(keepsCells: doubts != nil)
    let address = try call.setting { (values) throws(SettingError) in try Configuration.address(values) }
    let session = try await storing { () async throws(StoreError) in try await StoreSession.open(address) }
    var months = LegacyMonths(table: table.name, origin: origin, catalogue: catalogue, conflict: conflict, now: now)
    while true {
      let row = try table.next()
      try months.take(row, &report)
      if months.ready.count >= payloadsOfCommit || row == nil {
        let lines = months.handOver()
        try await storing { () async throws(StoreError) in try await session.enqueue(lines, receivedAt: now) }
      }
      if row == nil { break }
    }
    await session.close()
    Terminal.out(report.text(payloads: months.count))
    if let doubts { try PrivateFile.write(Data(report.lines.utf8), to: doubts) }
    return .success
  }

  private static func origin(_ call: Call, _ catalogue: Catalogue) throws(Failure) -> Origin {
    let (platform, store) = try call.setting { (values) throws(SettingError) in
      (try values.text(.importPlatform), try values.text(.account))
    }
    guard let platform, catalogue.platform(named: platform) != nil else {
      let names = catalogue.platforms.map(\.name).joined(separator: ", ")
      throw Failure(code: .usage, message: "--platform must say where the numbers came from: \(names)")
    }
    return Origin(platform: platform, store: store ?? "legacy")
  }
}

/// Gathers the rows of a person into months, and months into lines for the queue.
private struct LegacyMonths {
  let table: String
  let origin: Origin
  let catalogue: Catalogue
  let conflict: LegacyConflict
  let now: Instant
  private(set) var ready: [EnqueuedLine] = []
  private(set) var count = 0
  /// Whose rows are at hand.
  private var person: UUID?
  /// Whose rows were at hand before: two rows for one cell are found among the rows of a person only.
  private var finished: Set<UUID> = []
  private var months: [LegacyMonth] = []

  init(table: String, origin: Origin, catalogue: Catalogue, conflict: LegacyConflict, now: Instant) {
    self.table = table
    self.origin = origin
    self.catalogue = catalogue
    self.conflict = conflict
    self.now = now
  }

  /// Takes the cells of a row; nil is the end of the table.
  mutating func take(_ row: [LegacyCell]?, _ report: inout DoubtReport) throws(Failure) {
    for cell in row ?? [] {
      report.cells += 1
      if cell.userID != person { try begin(cell, &report) }
      // In a sorted table the month is the last one.
      let index =
        months.last?.holds(cell) == true ? months.endIndex - 1 : months.firstIndex { $0.holds(cell) } ?? months.endIndex
      if index == months.endIndex { months.append(LegacyMonth(of: cell, origin: origin, catalogue: catalogue)) }
      months[index].add(cell)
    }
    if row == nil { try close(&report) }
  }

  mutating func handOver() -> [EnqueuedLine] {
    defer { ready = [] }
    return ready
  }

  private mutating func begin(_ cell: LegacyCell, _ report: inout DoubtReport) throws(Failure) {
    try close(&report)
    if let person { finished.insert(person) }
    person = cell.userID
    guard !finished.contains(cell.userID) else {
      throw Failure(
        code: .data,
        message: "\(table) line \(cell.line) is of a user whose rows ended before; sort by user_id and local_date")
    }
  }

  private mutating func close(_ report: inout DoubtReport) throws(Failure) {
    for month in months {
      do throws(PayloadFault) {
        let (text, doubts) = try month.judged(by: conflict, now: now)
        report.add(doubts)
        guard let text else { continue }
        ready.append(EnqueuedLine(user: month.userID, text: String(decoding: text, as: UTF8.self)))
        count += 1
      } catch {
        throw Failure(code: .data, message: error.detail)
      }
    }
    months = []
  }
}

/// What is doubted of an old table: how often, and if somebody wants it, where.
private struct DoubtReport {
  var cells = 0
  let keepsCells: Bool
  private var counts: [String: [Doubt: Int]] = [:]
  /// The doubted cells as CSV. It names people and days, and no values.
  private(set) var lines = "user_id,local_date,metric,doubt,lines\n"

  init(keepsCells: Bool) { self.keepsCells = keepsCells }

  mutating func add(_ doubts: [DoubtedCell]) {
    for cell in doubts {
      counts[cell.metric, default: [:]][cell.doubt, default: 0] += 1
      if keepsCells {
        let place = cell.lines.map(String.init).joined(separator: " ")
        let metric = DoubtReport.quoted(cell.metric.onOneLine)
        lines += "\(cell.userID.uuidString.lowercased()),\(cell.localDate),\(metric),\(cell.doubt.rawValue),\(place)\n"
      }
    }
  }

  /// What a long table calls a metric may be anything.
  private static func quoted(_ text: String) -> String {
    text.contains { $0 == "," || $0 == "\"" } ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
  }

  func text(payloads: Int) -> String {
    let head = "\(Text.count(cells, "cell")) read, \(Text.count(payloads, "payload")) enqueued"
    let doubts = counts.sorted { $0.key < $1.key }.flatMap { metric, counts in
      counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { doubt, count in
        "  \(metric.onOneLine): \(doubt.words): \(Text.number(count))"
      }
    }
    return ([head, doubts.isEmpty ? "nothing doubted" : "doubted:"] + doubts).joined(separator: "\n")
  }
}
