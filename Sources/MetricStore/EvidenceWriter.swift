internal import FoundationEssentials
internal import HealthPayload
internal import PayloadDecoder
internal import Postgres

/// Writes what decoded payloads say into the evidence, and derives the days that they touch.
///
/// One statement per kind of evidence, with one array per column. All judging is done in SQL.
struct EvidenceWriter {
  let session: StoreSession
  let catalogue: Catalogue
  let asOf: Instant
  private let platformIDs: [String: Int16]
  private let metricIDs: [String: Int16]

  init(session: StoreSession, catalogue: Catalogue, asOf: Instant) {
    self.session = session
    self.catalogue = catalogue
    self.asOf = asOf
    platformIDs = Dictionary(uniqueKeysWithValues: catalogue.platforms.map { ($0.name, $0.id) })
    metricIDs = Dictionary(uniqueKeysWithValues: catalogue.metrics.map { ($0.name, $0.id) })
  }

  /// Writes all of it. Returns the number of rows of daily_metric that were written.
  ///
  /// - Parameter abandoned: payloads of which only the deletions count.
  func write(
    _ payloads: [DecodedPayload], deletionsOf abandoned: [DecodedPayload] = []
  ) async throws(StoreError) -> Int {
    try await derive(try await merge(payloads, deletionsOf: abandoned))
  }

  /// Writes the evidence, of which the last statements may still wait. Returns what is to be derived for it, all together, so
  /// that no state in between is seen.
  func merge(
    _ payloads: [DecodedPayload], deletionsOf abandoned: [DecodedPayload] = []
  ) async throws(StoreError) -> Touched {
    let sources = try sources(of: payloads)
    if !sources.isEmpty {
      noteOrigins(sources)
      noteTimeZones(sources)
      try noteWindows(sources)
      try notePermissions(sources)
      notePresence(sources)
      try noteBackfills(sources)
    }
    var touched = Touched(days: mentionedDays(sources))
    mergeWorkouts(sources)
    touched.formUnion(try await mergeRecords(sources))
    let deleting = sources + (try self.sources(of: abandoned))
    touched.formUnion(try await mergeDeletions(deleting))
    deriveWorkouts(sources, deleting: deleting)
    touched.hours.formUnion(try await hoursTouched(byDeletionsOf: deleting))
    touched.hours.formUnion(mergeHours(sources))
    mergeReadings(sources)
    return touched
  }

  /// A payload with its origin as the database names it.
  struct Source {
    let decoded: DecodedPayload
    let platform: Int16

    var user: UUID { decoded.payload.userID }
    var store: String { decoded.payload.origin.store }
    var read: Int64 { decoded.readAt.microseconds }
    var id: UUID { decoded.payload.payloadID }
  }

  /// One statement of a payload, with its position among its kind.
  private struct Stated<Value> {
    let source: Source
    let position: Int32
    let value: Value
  }

  private func sources(of payloads: [DecodedPayload]) throws(StoreError) -> [Source] {
    var sources: [Source] = []
    for payload in payloads {
      guard let platform = platformIDs[payload.payload.origin.platform] else {
        throw StoreError(.systemic, "The decoder let a platform pass that its catalogue does not have.")
      }
      sources.append(Source(decoded: payload, platform: platform))
    }
    return sources
  }

  /// The metric's number; 0 stands for all metrics of an origin.
  func metricID(_ name: String?) throws(StoreError) -> Int16 {
    guard let name else { return 0 }
    guard let id = metricIDs[name] else {
      throw StoreError(.systemic, "The decoder let a metric pass that its catalogue does not have.")
    }
    return id
  }

  private func stated<Value>(_ sources: [Source], _ block: (SyncPayload) -> [Value]) -> [Stated<Value>] {
    sources.flatMap { source in
      block(source.decoded.payload).enumerated().map { Stated(source: source, position: Int32($0), value: $1) }
    }
  }

  /// The columns that say who stated it, when and where: read times, payloads, positions.
  private func order<Value>(_ all: [Stated<Value>]) -> [Parameter] {
    [
      .timestampArray(all.map(\.source.read)), .uuidArray(all.map(\.source.id)), .int4Array(all.map(\.position)),
    ]
  }

  private func origin<Value>(_ all: [Stated<Value>]) -> [Parameter] {
    [
      .uuidArray(all.map(\.source.user)), .int2Array(all.map(\.source.platform)), .textArray(all.map(\.source.store)),
    ]
  }

  private func metricColumn<Value>(_ all: [Stated<Value>], _ name: (Value) -> String?) throws(StoreError) -> Parameter {
    var ids: [Int16?] = []
    for stated in all { ids.append(try metricID(name(stated.value))) }
    return .int2Array(ids)
  }

  var now: Parameter { .timestamp(asOf.microseconds) }

  private func noteOrigins(_ sources: [Source]) {
    session.runLater(
      Statements.noteOrigins,
      [
        .uuidArray(sources.map(\.user)), .int2Array(sources.map(\.platform)), .textArray(sources.map(\.store)),
        .timestampArray(sources.map(\.read)),
        .boolArray(sources.map(\.decoded.hasLooked)),
        .int4Array(sources.map { $0.decoded.payload.origin.osMajor.flatMap { Int32(exactly: $0) } }), now,
      ], "registering origins")
  }

  private func noteTimeZones(_ sources: [Source]) {
    let all = stated(sources, \.timeZones)
    guard !all.isEmpty else { return }
    session.runLater(
      Statements.noteTimeZones,
      [
        .uuidArray(all.map(\.source.user)), .timestampArray(all.map(\.value.from?.microseconds)),
      ] + order(all) + [.textArray(all.map(\.value.iana)), now], "keeping time zones")
  }

  private func noteWindows(_ sources: [Source]) throws(StoreError) {
    let all = stated(sources, \.windows)
    guard !all.isEmpty else { return }
    session.runLater(
      Statements.noteWindows,
      origin(all) + [
        try metricColumn(all, \.metric), .textArray(all.map(\.value.boundary.kind)),
      ] + order(all) + [
        .timestampArray(
          all.map { $0.value.boundary.instant(osMajor: $0.source.decoded.payload.origin.osMajor)?.microseconds }), now,
      ], "keeping windows")
  }

  private func notePermissions(_ sources: [Source]) throws(StoreError) {
    let all = stated(sources, \.permissions)
    guard !all.isEmpty else { return }
    session.runLater(
      Statements.notePermissions,
      origin(all) + [try metricColumn(all, \.metric)] + order(all) + [
        .textArray(all.map(\.value.state.rawValue)), .timestampArray(all.map(\.value.since?.microseconds)), now,
      ], "keeping permissions")
  }

  private func notePresence(_ sources: [Source]) {
    let all = stated(sources, \.presence)
    guard !all.isEmpty else { return }
    session.runLater(
      Statements.notePresence,
      [
        .uuidArray(all.map(\.source.user)), .dateArray(all.map(\.value.localDate.daysSince1970)),
        .int2Array(all.map(\.source.platform)), .textArray(all.map(\.source.store)),
        .textArray(all.map(\.value.source)),
        .textArray(all.map(\.value.kind.rawValue)), .int4Array(all.map { $0.value.minutes.map(Int32.init) }),
      ], "keeping presence")
  }

  private func noteBackfills(_ sources: [Source]) throws(StoreError) {
    let all = stated(sources, \.backfill)
    guard !all.isEmpty else { return }
    session.runLater(
      Statements.noteBackfills,
      origin(all) + [try metricColumn(all, \.metric)] + order(all) + [
        .boolArray(all.map { $0.value.state == .running }), .dateArray(all.map(\.value.reached?.daysSince1970)),
      ], "keeping backfills")
  }

  private func mergeReadings(_ sources: [Source]) {
    let entries = NumberedEntries(sources.map(\.decoded.days))
    guard !entries.isEmpty else { return }
    var lists = ArrayLiterals()
    session.runLater(
      Statements.mergeReadings,
      [
        .uuidArray(sources.map(\.user)), .int2Array(sources.map(\.platform)), .textArray(sources.map(\.store)),
        .uuidArray(sources.map(\.id)), .timestampArray(sources.map(\.read)),
        .int4Array(entries.numbers), .int2Array(entries.column { $0.metric }),
        .dateArray(entries.column { $0.localDate.daysSince1970 }), .int4Array(entries.column { $0.position }),
        .textArray(entries.column { $0.kind.rawValue }), .textArray(entries.column { $0.value?.text }),
        .textArray(entries.column { lists.literal($0.sources) }), .textArray(entries.column { $0.code }),
        .boolArray(entries.column { $0.complete }), .boolArray(entries.column { $0.proven }), now,
      ], "merging readings")
  }

  private func mentionedDays(_ sources: [Source]) -> Set<UserDay> {
    var days: Set<UserDay> = []
    for source in sources {
      for day in source.decoded.days { days.insert(UserDay(user: source.user, date: day.localDate)) }
      for presence in source.decoded.payload.presence {
        days.insert(UserDay(user: source.user, date: presence.localDate))
      }
    }
    return days
  }

  /// Derives these days, and forgets what was deleted. Returns the number of rows that were written.
  func derive(_ touched: Touched) async throws(StoreError) -> Int {
    deriveHours(touched.hours)
    guard !touched.days.isEmpty else { return 0 }
    let days = touched.days.sorted()
    let rows = try await session.run(
      Statements.derive,
      [.uuidArray(days.map(\.user)), .dateArray(days.map(\.date.daysSince1970)), now, .bool(false)], "deriving days")
    forget(touched.deleted)
    return try await storing("deriving days") { () throws(PostgresError) in try rows.one().int(0) }
  }
}

/// All cells of one person's local day: what is derived together.
struct UserDay: Hashable, Comparable {
  let user: UUID
  let date: LocalDate

  static func < (left: UserDay, right: UserDay) -> Bool {
    (left.user, left.date) < (right.user, right.date)
  }
}

extension DecodedPayload {
  /// Whether its read saw the store.
  fileprivate var hasLooked: Bool {
    !records.isEmpty || !hours.isEmpty || days.contains { $0.kind == .value || $0.kind == .empty || $0.kind == .looked }
  }
}

extension ReadWindow.Boundary {
  /// The kind as evidence.window_kind has it.
  fileprivate var kind: String {
    switch self {
    case .authorizedFrom: "authorized_from"
    case .platformFloor: "platform_floor"
    case .countingSince: "counting_since"
    case .history: "history_window"
    }
  }

  /// Before which instant nothing can be read; nil lifts the boundary.
  ///
  /// Health Connect shows the 30 days before the first grant, unless the person allows more or, from Android 14 on,
  /// the app asks for what it has written itself.
  fileprivate func instant(osMajor: Int?) -> Instant? {
    switch self {
    case .authorizedFrom(let instant), .platformFloor(let instant), .countingSince(let instant): return instant
    case .history(let firstGrantAt, let permission, let ownData):
      if permission { return nil }
      if ownData, let osMajor, osMajor >= 14 { return nil }
      return firstGrantAt.map { Instant(microseconds: $0.microseconds - 30 * 86_400_000_000) }
    }
  }
}
