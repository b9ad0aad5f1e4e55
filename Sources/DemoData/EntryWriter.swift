/// Writes one day entry, sound or garbled.
enum EntryWriter {
  static func json(of entry: Entry, platform: String) -> JSON {
    var members: [(key: String, value: JSON)] = [
      ("metric", .string(entry.metric.rawValue)), ("local_date", .string("\(entry.day)")),
    ]
    switch entry.outcome {
    case .value(let amount):
      let unit = Unit.used(by: platform, for: entry.metric)
      members += [("outcome", .string("value")), ("value", .number("\(unit?.number(for: amount) ?? amount)"))]
      if let unit { members.append(("unit", .string(unit.symbol))) }
    case .empty: members.append(("outcome", .string("empty")))
    case .failed(let code): members += [("outcome", .string("failed")), ("code", .string(code))]
    case .denied(let code): members += [("outcome", .string("denied")), ("code", .string(code))]
    case .unavailable(let code): members += [("outcome", .string("unavailable")), ("code", .string(code))]
    case .garbled(let garble, let amount): return json(of: entry, garble: garble, amount: amount)
    }
    if !entry.sources.isEmpty { members.append(("sources", .array(entry.sources.map { .string($0) }))) }
    if let isComplete = entry.isComplete { members.append(("complete", .bool(isComplete))) }
    return .object(members)
  }

  private static func json(of entry: Entry, garble: Garble, amount: Amount) -> JSON {
    let metric = (key: "metric", value: JSON.string(entry.metric.rawValue))
    let date = (key: "local_date", value: JSON.string("\(entry.day)"))
    let isValue = (key: "outcome", value: JSON.string("value"))
    let value = (key: "value", value: JSON.number("\(amount)"))
    let sources = (key: "sources", value: JSON.array(entry.sources.map { .string($0) }))
    let members: [(key: String, value: JSON)] =
      switch garble {
      case .valueAsText: [metric, date, isValue, ("value", .string("\(amount)")), sources]
      case .unknownUnit: [metric, date, isValue, value, ("unit", .string("[fur_us]")), sources]
      case .nullValue: [metric, date, isValue, ("value", .null), sources]
      case .noOutcome: [metric, date, value, sources]
      case .unknownOutcome: [metric, date, ("outcome", .string("estimated")), value, sources]
      case .valueBesideEmpty: [metric, date, ("outcome", .string("empty")), ("value", .number("0")), sources]
      case .repeatedKey: [metric, date, isValue, ("value", .number("0")), value, sources]
      case .unknownMetric: [("metric", .string("\(entry.metric.rawValue)_v2")), date, isValue, value, sources]
      case .impossibleDate: [metric, ("local_date", .string("2026-11-31")), isValue, value, sources]
      case .farFuture: [metric, ("local_date", .string("2036-01-01")), isValue, value, sources]
      }
    return .object(members)
  }
}
