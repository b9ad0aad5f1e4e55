// The wire form of schema/payload.schema.json. What is nil is left out; zero is written. Only the three places where null
// has a meaning of its own write it: a process without a successful read, a lifted boundary, and "all metrics".

/// Keys of the wire form.
private enum Key: String, CodingKey {
  case schema, origin, read, windows, permissions, presence
  case days, hours, records, workouts, deletions, backfill, readable, looked
  case payloadID = "payload_id"
  case userID = "user_id"
  case timeZones = "time_zones"
  case platform, store, mode, page
  case installationID = "installation_id"
  case osMajor = "os_major"
  case appBuild = "app_build"
  case readAt = "read_at"
  case allOrNothing = "all_or_nothing"
  case lastSuccessfulReadAt = "last_successful_read_at"
  case loadID = "load_id"
  case finalPage = "final_page"
  case metric, outcome, value, unit, sources, complete, code, source, start, end, entry, kind, minutes
  case localDate = "local_date"
  case localHour = "local_hour"
  case coveredMinutes = "covered_minutes"
  case recordID = "record_id"
  case iana, from, to, instant, state, since, reached
  case firstGrantAt = "first_grant_at"
  case historyPermission = "history_permission"
  case ownData = "own_data"
}

extension KeyedEncodingContainer<Key> {
  /// Leaves a list out that has nothing to say.
  fileprivate mutating func encodeUnlessEmpty(_ list: [some Encodable], forKey key: Key) throws {
    if !list.isEmpty { try encode(list, forKey: key) }
  }
}

extension SyncPayload: Encodable {
  /// Writes the wire form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(SyncPayload.schema, forKey: .schema)
    try container.encode(payloadID, forKey: .payloadID)
    try container.encode(userID, forKey: .userID)
    try container.encode(origin, forKey: .origin)
    try container.encode(read, forKey: .read)
    try container.encodeUnlessEmpty(timeZones, forKey: .timeZones)
    try container.encodeUnlessEmpty(windows, forKey: .windows)
    try container.encodeUnlessEmpty(permissions, forKey: .permissions)
    try container.encodeUnlessEmpty(presence, forKey: .presence)
    try container.encodeUnlessEmpty(days, forKey: .days)
    try container.encodeUnlessEmpty(hours, forKey: .hours)
    try container.encodeUnlessEmpty(records, forKey: .records)
    try container.encodeUnlessEmpty(workouts, forKey: .workouts)
    try container.encodeUnlessEmpty(deletions, forKey: .deletions)
    try container.encodeUnlessEmpty(backfill, forKey: .backfill)
    try container.encodeUnlessEmpty(readable, forKey: .readable)
    try container.encodeUnlessEmpty(looked, forKey: .looked)
  }
}

extension Origin: Encodable {
  /// Writes the wire form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(platform, forKey: .platform)
    if !store.isEmpty { try container.encode(store, forKey: .store) }
    try container.encodeIfPresent(installationID, forKey: .installationID)
    try container.encodeIfPresent(osMajor, forKey: .osMajor)
    try container.encodeIfPresent(appBuild, forKey: .appBuild)
  }
}

extension ReadContext: Encodable {
  /// Writes the wire form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(readAt, forKey: .readAt)
    try container.encode(mode, forKey: .mode)
    try container.encodeIfPresent(allOrNothing, forKey: .allOrNothing)
    switch lastSuccess {
    case .unstated: break
    case .never: try container.encodeNil(forKey: .lastSuccessfulReadAt)
    case .at(let instant): try container.encode(instant, forKey: .lastSuccessfulReadAt)
    }
    try container.encodeIfPresent(loadID, forKey: .loadID)
    try container.encodeIfPresent(page, forKey: .page)
    try container.encodeIfPresent(finalPage, forKey: .finalPage)
  }
}

extension DayEntry: Encodable {
  /// Writes the wire form: the outcome in words, and a value only beside the outcome `value`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(metric, forKey: .metric)
    try container.encode(localDate, forKey: .localDate)
    switch outcome {
    case .value(let number, let unit):
      try container.encode("value", forKey: .outcome)
      try container.encode(number, forKey: .value)
      try container.encodeIfPresent(unit, forKey: .unit)
    case .empty:
      try container.encode("empty", forKey: .outcome)
    case .failed(let code):
      try container.encode("failed", forKey: .outcome)
      try container.encodeIfPresent(code, forKey: .code)
    case .denied(let code):
      try container.encode("denied", forKey: .outcome)
      try container.encodeIfPresent(code, forKey: .code)
    case .unavailable(let code):
      try container.encode("unavailable", forKey: .outcome)
      try container.encodeIfPresent(code, forKey: .code)
    }
    try container.encodeUnlessEmpty(sources, forKey: .sources)
    try container.encodeIfPresent(complete, forKey: .complete)
    try container.encodeIfPresent(coveredMinutes, forKey: .coveredMinutes)
  }
}

extension HourEntry: Encodable {
  /// Writes the wire form: a value only beside minutes that it covers.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(metric, forKey: .metric)
    try container.encode(localDate, forKey: .localDate)
    try container.encode(localHour, forKey: .localHour)
    switch seen {
    case .nothing:
      try container.encode(0, forKey: .coveredMinutes)
    case .value(let number, let unit, let coveredMinutes):
      try container.encode(number, forKey: .value)
      try container.encodeIfPresent(unit, forKey: .unit)
      try container.encode(coveredMinutes, forKey: .coveredMinutes)
    }
    if minutes != HourEntry.usualMinutes { try container.encode(minutes, forKey: .minutes) }
  }
}

extension RecordEntry: Encodable {
  /// Writes the wire form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(recordID, forKey: .recordID)
    try container.encode(metric, forKey: .metric)
    try container.encode(localDate, forKey: .localDate)
    try container.encodeIfPresent(source, forKey: .source)
    try container.encodeIfPresent(start, forKey: .start)
    try container.encodeIfPresent(end, forKey: .end)
    try container.encodeIfPresent(value, forKey: .value)
    try container.encodeIfPresent(unit, forKey: .unit)
    if entry != .sensor { try container.encode(entry, forKey: .entry) }
  }
}

extension Deletion: Encodable {
  /// Writes the wire form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch target {
    case .record(let id):
      try container.encode(id, forKey: .recordID)
    case .interval(let metric, let start, let end):
      try container.encode(metric, forKey: .metric)
      try container.encode(start, forKey: .start)
      try container.encode(end, forKey: .end)
    }
    try container.encodeIfPresent(kind, forKey: .kind)
  }
}

extension Presence: Encodable {
  /// Writes the wire form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(localDate, forKey: .localDate)
    try container.encode(source, forKey: .source)
    try container.encode(kind, forKey: .kind)
    try container.encodeIfPresent(minutes, forKey: .minutes)
  }
}

extension TimeZoneStatement: Encodable {
  /// Writes the wire form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(iana, forKey: .iana)
    try container.encodeIfPresent(from, forKey: .from)
  }
}

extension ReadWindow: Encodable {
  /// Writes the wire form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(metric, forKey: .metric)
    switch boundary {
    case .authorizedFrom(let instant):
      try container.encode("authorized_from", forKey: .kind)
      try container.encode(instant, forKey: .instant)
    case .platformFloor(let instant):
      try container.encode("platform_floor", forKey: .kind)
      try container.encode(instant, forKey: .instant)
    case .countingSince(let instant):
      try container.encode("counting_since", forKey: .kind)
      try container.encode(instant, forKey: .instant)
    case .history(let firstGrantAt, let permission, let ownData):
      try container.encode("history_window", forKey: .kind)
      try container.encodeIfPresent(firstGrantAt, forKey: .firstGrantAt)
      try container.encode(permission, forKey: .historyPermission)
      try container.encode(ownData, forKey: .ownData)
    }
  }
}

extension Permission: Encodable {
  /// Writes the wire form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(metric, forKey: .metric)
    try container.encode(state, forKey: .state)
    try container.encodeIfPresent(since, forKey: .since)
  }
}

extension BackfillState: Encodable {
  /// Writes the wire form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(metric, forKey: .metric)
    try container.encode(state, forKey: .state)
    try container.encodeIfPresent(reached, forKey: .reached)
  }
}

extension LookedRange: Encodable {
  /// Writes the wire form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(metric, forKey: .metric)
    try container.encode(from, forKey: .from)
    try container.encode(to, forKey: .to)
  }
}
