import FoundationEssentials
import HealthPayload
import MetricDaemon
import MetricStore

/// The newest quarantined entries.
enum QuarantineListCommand: Command {
  static let page = CommandPage(
    name: "quarantine list",
    summary: "list entries that were refused",
    text: """
      Prints the newest quarantined entries, one on each line: when it was refused,
      the code, the platform, the user, the payload, and the place of the fault in it.

      A quarantined entry is a part of a payload of which the rest was merged. It
      stays until it is retried or dropped. docs/payload.md explains the codes.
      """,
    settings: Setting.refusals + [.limit, .json] + Setting.connection,
    exitCodes: ExitCode.rows(.success, .usage, .unavailable, .internalError, .configuration),
    examples: [
      .init("what a platform sends wrong", "dailymetricd quarantine list --platform garmin --limit 20"),
      .init("one kind of fault", "dailymetricd quarantine list --code unknown_metric"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let filter = try call.refusals()
    let limit = try call.setting { (values) throws(SettingError) in try values.number(.limit) }
    let (entries, count) = try await call.withSession { (session) async throws(StoreError) in
      try await session.quarantinedEntries(filter, limit: limit)
    }
    if call.values.isOn(.json) {
      try Terminal.out(json: QuarantineList(entries: entries.map { QuarantineStory($0) }, count: count))
      return .success
    }
    for entry in entries { Terminal.out(QuarantineStory(entry).line) }
    let shown = entries.count < count ? "; the newest \(Text.number(entries.count)) are shown" : ""
    Terminal.out("\(Text.count(count, "quarantined entry", "quarantined entries"))\(shown)")
    return .success
  }

  private struct QuarantineList: Encodable {
    let entries: [QuarantineStory]
    let count: Int
  }
}

/// The quarantined entries of a payload.
enum QuarantineShowCommand: Command {
  static let page = CommandPage(
    name: "quarantine show",
    summary: "say what was refused of a payload",
    text: """
      Prints the quarantined entries of a payload, one on each line, with what is
      known of them; with --payload also the text of each, as it was sent.
      """,
    arguments: [.init("PAYLOAD_ID", "the payload, as in quarantine list")],
    settings: [.owner, .withTexts, .json] + Setting.connection,
    exitCodes: ExitCode.rows(
      .success, .negative, .usage, .unavailable, .internalError, .configuration,
      replacing: [.negative: "nothing of this payload is in quarantine"]),
    examples: [
      .init("what is wrong with it?", "dailymetricd quarantine show 5f0c7f0e-3f0a-4d55-9c43-0e6a1f6f9b01")
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let ids = try call.payloadIDs()
    let filter = try call.refusals()
    let withTexts = call.values.isOn(.withTexts)
    let isJSON = call.values.isOn(.json)
    let count = try await call.withEntries(ids, filter) { entry, text in
      let story = QuarantineStory(entry, text: withTexts ? text : nil)
      if isJSON { Terminal.out(line: story) } else { Terminal.out(story.text) }
    }
    return count == 0 ? call.missing(ids) : .success
  }
}

/// Quarantined entries as lines for other programs.
enum QuarantineExportCommand: Command {
  static let page = CommandPage(
    name: "quarantine export",
    summary: "print them as JSON, one on each line",
    text: """
      Prints quarantined entries as NDJSON, payload by payload, and with --payload the
      text of each as it was sent. All of them, or those of payloads that are named, or
      of payloads of which an entry has a code, a platform, a user or a time.
      """,
    repeated: .init("PAYLOAD_ID", "their payloads, as in quarantine list"),
    settings: Setting.refusals + [.withTexts] + Setting.connection,
    exitCodes: ExitCode.rows(
      .success, .negative, .usage, .unavailable, .internalError, .configuration,
      replacing: [.negative: "nothing of the payloads is in quarantine"]),
    examples: [.init("for a ticket", "dailymetricd quarantine export --code out_of_range --platform fitbit")])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let ids = try call.payloadIDs()
    let filter = try call.refusals()
    let withTexts = call.values.isOn(.withTexts)
    let count = try await call.withEntries(ids, filter) { entry, text in
      Terminal.out(line: QuarantineStory(entry, text: withTexts ? text : nil))
    }
    return count == 0 && !ids.isEmpty ? call.missing(ids) : .success
  }
}

/// Quarantined entries back into the queue.
enum QuarantineRetryCommand: Command {
  static let page = CommandPage(
    name: "quarantine retry",
    summary: "put them back into the queue",
    text: """
      Makes a payload of the quarantined entries of each payload and puts it into the
      queue, as read when the first one was read. What passes now is merged, as often
      as it is tried: it changes what it would have changed then. What is refused
      again is quarantined under the new payload's id.

      It pays once the catalogue or this program has changed: a metric, a unit or a
      range. The entries of a payload go together, because one may be refused for
      another beside it. Ranges that were looked at stay: send the days again. So do
      entries of payloads that are held, parked or abandoned as a whole.
      """,
    repeated: .init("PAYLOAD_ID", "their payloads, as in quarantine list"),
    settings: Setting.refusals + [.asOf] + Setting.connection,
    exitCodes: ExitCode.rows(
      .success, .negative, .usage, .unavailable, .internalError, .configuration,
      replacing: [.negative: "of some payloads nothing was put back; of the others it was"]),
    examples: [
      .init("now that the metric is in the catalogue", "dailymetricd quarantine retry --code unknown_metric"),
      .init("of one payload", "dailymetricd quarantine retry 5f0c7f0e-3f0a-4d55-9c43-0e6a1f6f9b01"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let asOf = try call.asOf() ?? WallClock.now()
    let (wanted, retried) = try await call.change("what is to be retried?") {
      (session, found) async throws(StoreError) in
      try await session.retryEntries(of: found, asOf: asOf)
    }
    let entries = retried.compactMap(\.entries).reduce(0, +)
    Terminal.out(
      "\(Text.count(entries, "entry", "entries")) of \(Text.count(retried.count, "payload")) back in the queue")
    return call.answer(retried, of: wanted, "nothing was put back of")
  }
}

/// The end of quarantined entries.
enum QuarantineDropCommand: Command {
  static let page = CommandPage(
    name: "quarantine drop",
    summary: "delete them for good",
    text: """
      Deletes the quarantined entries of payloads that are named, or of payloads of
      which an entry has a code, a platform, a user or a time: all entries of each.
      Without --yes nothing is deleted.
      """,
    repeated: .init("PAYLOAD_ID", "their payloads, as in quarantine list"),
    settings: Setting.refusals + [.yes] + Setting.connection,
    exitCodes: ExitCode.rows(
      .success, .negative, .usage, .unavailable, .internalError, .configuration,
      replacing: [.negative: "of some payloads nothing was there; of the others it is deleted"]),
    examples: [
      .init("what nobody will mend", "dailymetricd quarantine drop --code never_read --platform garmin --yes")
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let isMeant = call.values.isOn(.yes)
    let (wanted, dropped) = try await call.change("what is to be deleted?") {
      (session, found) async throws(StoreError) in
      isMeant ? try await session.dropEntries(of: found) : found
    }
    guard isMeant else {
      let payloads = Text.count(dropped.count, "payload")
      throw Failure(
        code: .usage, message: "this would delete the entries of \(payloads) for good; add --yes if it shall")
    }
    let entries = dropped.compactMap(\.entries).reduce(0, +)
    Terminal.out("\(Text.count(entries, "entry", "entries")) of \(Text.count(dropped.count, "payload")) deleted")
    return call.answer(dropped, of: wanted, "nothing is in quarantine of")
  }
}
