/// Turns drafts into the lines of `payloads.ndjson`.
enum PayloadWriter {
  /// The line of a payload's first delivery.
  static func line(of draft: Draft) -> String {
    let text = json(of: draft).text
    guard case .halfSent(let percent) = draft.flaw else { return text }
    // Without its last brace no prefix is JSON; the envelope at the front, user included, always got through.
    return String(text.prefix(text.count * percent / 100))
  }

  /// The line of a repeated delivery.
  static func line(of draft: Draft, echo: Draft.Echo) -> String {
    echo.isWrittenAnew ? json(of: draft).textWrittenAnew : line(of: draft)
  }

  private static func json(of draft: Draft) -> JSON {
    var schema = "dailymetricd.sync/1"
    if case .foreignSchema = draft.flaw { schema = "dailymetricd.sync/9" }
    var members: [(key: String, value: JSON)] = [
      ("schema", .string(schema)), ("payload_id", .string(draft.payloadID)), ("user_id", .string(draft.personID)),
      ("origin", origin(of: draft)),
    ]
    if case .oldBuild = draft.flaw {
      members.append(("days", days(of: draft)))
      return .object(members)
    }
    members.append(("read", read(of: draft)))
    members.append(("time_zones", zones(of: draft)))
    if !draft.windows.isEmpty { members.append(("windows", .array(draft.windows.map { window($0) }))) }
    if !draft.permissions.isEmpty { members.append(("permissions", .array(draft.permissions.map { permission($0) }))) }
    if !draft.presence.isEmpty { members.append(("presence", .array(draft.presence.map { presence($0) }))) }
    members.append(("days", days(of: draft)))
    if !draft.readable.isEmpty { members.append(("readable", .array(draft.readable.map { .string($0.rawValue) }))) }
    return .object(members)
  }

  private static func origin(of draft: Draft) -> JSON {
    var members: [(key: String, value: JSON)] = []
    if case .missingPlatform = draft.flaw {} else { members.append(("platform", .string(draft.origin.platform))) }
    if !draft.origin.store.isEmpty { members.append(("store", .string(draft.origin.store))) }
    members.append(("installation_id", .string(draft.origin.installation)))
    if let major = draft.origin.osMajor { members.append(("os_major", .number("\(major)"))) }
    members.append(("adapter", .string(draft.origin.isCloud ? "cloud 2.3" : "sdk 1.0")))
    return .object(members)
  }

  private static func read(of draft: Draft) -> JSON {
    var members: [(key: String, value: JSON)] = [
      ("read_at", .string("\(draft.readAt)")), ("mode", .string(draft.mode.rawValue)),
    ]
    switch draft.lastSuccess {
    case .at(let moment): members.append(("last_successful_read_at", .string("\(moment)")))
    case .never: members.append(("last_successful_read_at", .null))
    case .unsaid: break
    }
    return .object(members)
  }

  private static func zones(of draft: Draft) -> JSON {
    var zones = draft.zones.map { stay in
      JSON.object([("from", .string("\(stay.from)")), ("iana", .string(stay.zone.name))])
    }
    if let stray = draft.strayZone { zones.append(.object([("iana", .string(stray))])) }
    return .array(zones)
  }

  private static func window(_ window: Window) -> JSON {
    let metric: JSON = window.metric.map { .string($0.rawValue) } ?? .null
    func boundary(_ kind: String, _ moment: Moment) -> JSON {
      .object([("metric", metric), ("kind", .string(kind)), ("instant", .string("\(moment)"))])
    }
    switch window.kind {
    case .authorizedFrom(let moment): return boundary("authorized_from", moment)
    case .platformFloor(let moment): return boundary("platform_floor", moment)
    case .countingSince(let moment): return boundary("counting_since", moment)
    case .history(let firstGrant, let permission, let ownData):
      var members: [(key: String, value: JSON)] = [
        ("metric", metric), ("kind", .string("history_window")), ("first_grant_at", .string("\(firstGrant)")),
        ("history_permission", .bool(permission)),
      ]
      if ownData { members.append(("own_data", .bool(true))) }
      return .object(members)
    }
  }

  private static func permission(_ permission: Permission) -> JSON {
    let metric: JSON = permission.metric.map { .string($0.rawValue) } ?? .null
    return .object([("metric", metric), ("state", .string(permission.state.rawValue))])
  }

  private static func presence(_ presence: Presence) -> JSON {
    .object([
      ("local_date", .string("\(presence.day)")), ("source", .string(presence.source)),
      ("kind", .string(presence.kind.rawValue)), ("minutes", .number("\(presence.minutes)")),
    ])
  }

  private static func days(of draft: Draft) -> JSON {
    .array(draft.entries.map { EntryWriter.json(of: $0, platform: draft.origin.platform) })
  }
}
