import HealthPayload

extension PayloadReader {
  /// The metric that the entry in hand is about. Missing or null means all metrics, which is nil.
  private mutating func metricOrAll() -> String? {
    metric(fields.optional(.metric), tables).map { tables.rules[$0.index].name }
  }

  /// Reads the window in hand.
  mutating func readWindow() {
    let metric = metricOrAll()
    let boundary: ReadWindow.Boundary? =
      switch word(.kind, tables.words.windowKinds) {
      case .authorizedFrom: .authorizedFrom(boundaryInstant())
      case .platformFloor: .platformFloor(boundaryInstant())
      case .countingSince: .countingSince(boundaryInstant())
      case .historyWindow: historyBoundary()
      case nil: nil
      }
    guard problems.isEmpty, let boundary else { return _ = refuse(fields.range) }
    accepted.windows.append(ReadWindow(metric: metric, boundary: boundary))
  }

  /// Where the boundary lies; null lifts it, so that the key must be there.
  private mutating func boundaryInstant() -> Instant? {
    if fields[.instant] == nil { problem(.missingField, .instant) }
    return instant(.instant, fields.optional(.instant))
  }

  private mutating func historyBoundary() -> ReadWindow.Boundary {
    let permission = flag(.historyPermission) == true
    let ownData = flag(.ownData) == true
    // An app may always read its own data from that version on.
    let isOpen = permission || ownData && (envelope.origin.osMajor.map { $0 >= 14 } == true)
    let grant = instant(.firstGrantAt, isOpen ? fields.optional(.firstGrantAt) : required(.firstGrantAt))
    return .history(firstGrantAt: grant, permission: permission, ownData: ownData)
  }

  /// Reads the permission in hand.
  mutating func readPermission() {
    let metric = metricOrAll()
    let state = word(.state, tables.words.permissionStates)
    let since = instant(.since, fields.optional(.since))
    guard problems.isEmpty, let state else { return _ = refuse(fields.range) }
    accepted.permissions.append(Permission(metric: metric, state: state, since: since))
  }

  /// Reads the time zone in hand.
  mutating func readTimeZone() {
    // No name in the database is longer.
    let iana = text(.iana, required(.iana), characters: 0...256)
    let from = instant(.from, fields.optional(.from))
    if let iana, !TimeZoneNames.system.contains(iana) { problem(.unknownTimeZone, .iana) }
    guard problems.isEmpty, let iana else { return _ = refuse(fields.range) }
    accepted.timeZones.append(TimeZoneStatement(iana: iana, from: from))
  }

  /// Reads the state of a backfill in hand.
  mutating func readBackfill() {
    let metric = metricOrAll()
    let state = word(.state, tables.words.backfillStates)
    let reached = date(.reached, fields.optional(.reached))
    guard problems.isEmpty, let state else { return _ = refuse(fields.range) }
    accepted.backfill.append(BackfillState(metric: metric, state: state, reached: reached))
  }

  /// Reads the range in hand.
  mutating func readLooked() {
    let metric = metric(fields.optional(.metric), tables)?.index
    let from = date(.from, required(.from))
    let to = cutDate(.to, required(.to))
    if let from, let to {
      let days = to.written.daysSince1970 - from.daysSince1970 + 1
      if !(1...LookedRange.maximumDays).contains(days) { problem(.invalidField, .to) }
    }
    guard problems.isEmpty, let from, let to else { return _ = refuse(fields.range) }
    accepted.ranges.append((metric, from.daysSince1970...to.cut.daysSince1970))
    accepted.looked.append(LookedRange(metric: metric.map { tables.rules[$0].name }, from: from, to: to.cut))
  }

  /// Reads one name in the list of readable metrics.
  mutating func readReadable(_ token: Token) {
    if let metric = tables.metricNames.index(of: token, in: scanner.bytes) {
      accepted.proof[metric] = true
      accepted.readable.append(tables.rules[metric].name)
      accepted.readableMetrics.insert(metric)
    } else {
      problem(token.isString ? .unknownMetric : .invalidField, at: place.pointer, token.offset)
      refuse(token.range)
    }
  }
}
