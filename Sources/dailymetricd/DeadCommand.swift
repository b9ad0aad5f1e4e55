import FoundationEssentials
import HealthPayload
import MetricDaemon
import MetricStore

/// The newest dead letters.
enum DeadListCommand: Command {
  static let page = CommandPage(
    name: "dead list",
    summary: "list payloads that could not be used",
    text: """
      Prints the newest dead letters, one on each line: its number, when it was
      parked, the code, the user, and the place of the fault in the payload.

      A dead letter is a whole payload of which nothing could be used. It stays until
      it is retried or dropped. docs/payload.md explains the codes.
      """,
    settings: Setting.refusals + [.limit, .json] + Setting.connection,
    exitCodes: ExitCode.rows(.success, .usage, .unavailable, .internalError, .configuration),
    examples: [
      .init("what came in since the release?", "dailymetricd dead list --limit 20"),
      .init("one kind of fault", "dailymetricd dead list --code unknown_platform --platform pebble"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let filter = try call.refusals()
    let limit = try call.setting { (values) throws(SettingError) in try values.number(.limit) }
    let (letters, count) = try await call.withSession { (session) async throws(StoreError) in
      try await session.deadLetters(filter, limit: limit)
    }
    if call.values.isOn(.json) {
      try Terminal.out(json: DeadList(deadLetters: letters.map { DeadLetterStory($0) }, count: count))
      return .success
    }
    for letter in letters { Terminal.out(DeadLetterStory(letter).line) }
    let shown = letters.count < count ? "; the newest \(Text.number(letters.count)) are shown" : ""
    Terminal.out("\(Text.count(count, "dead letter"))\(shown)")
    return .success
  }

  private struct DeadList: Encodable {
    let deadLetters: [DeadLetterStory]
    let count: Int
  }
}

/// One dead letter.
enum DeadShowCommand: Command {
  static let page = CommandPage(
    name: "dead show",
    summary: "say everything about one of them, or print it",
    text: """
      Says what is known of a dead letter: whose it is, when it came, and what is
      wrong with it. With --payload it prints the payload instead, byte for byte, so
      that it can be looked at with validate and other programs; on a terminal, what
      the terminal would take for a command is written out, such as \\u{1b}.
      """,
    arguments: [.init("ID", "its number, as in dead list")],
    settings: [.payloadText, .json] + Setting.connection,
    exitCodes: ExitCode.rows(
      .success, .negative, .usage, .unavailable, .internalError, .configuration,
      replacing: [.negative: "there is none with this number"]),
    examples: [
      .init("what is wrong with it?", "dailymetricd dead show 17"),
      .init("everything that is wrong with it", "dailymetricd dead show 17 --payload | dailymetricd validate -"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let id = try call.numbers()[0]
    let found = try await call.withSession { (session) async throws(StoreError) in
      try await session.deadLetter(id)
    }
    guard let found else { throw Failure(code: .negative, message: "there is no dead letter \(id)") }
    let story = DeadLetterStory(found.letter)
    if call.values.isOn(.payloadText) {
      Terminal.out(verbatim: found.text)
    } else if call.values.isOn(.json) {
      try Terminal.out(json: story)
    } else {
      Terminal.out(story.text)
    }
    return .success
  }
}

/// Dead letters back into the queue.
enum DeadRetryCommand: Command {
  static let page = CommandPage(
    name: "dead retry",
    summary: "put them back into the queue",
    text: """
      Puts dead letters back into the queue, by number, or all that have a code, a
      platform, a user or a time. Each keeps the time of its first arrival, and its
      receipt does not stand against it: it is merged as if it came for the first
      time. One that still cannot be used becomes a dead letter again, under a new
      number.

      A payload that is refused for what it says stays refused: retry pays once this
      program, its catalogue or the database has changed. load_abandoned wants the
      load to be sent again as a whole. mass_deletion is parked again unless --consent
      says that it may delete as much as it says: look at it first, with dead show.
      The pages of a load that was parked as a mass_deletion go together: with one of
      them all are retried.
      """,
    repeated: .init("ID", "their numbers, as in dead list"),
    settings: Setting.refusals + [.consent, .asOf] + Setting.connection,
    exitCodes: ExitCode.rows(
      .success, .negative, .usage, .unavailable, .internalError, .configuration,
      replacing: [.negative: "some of the numbers are not there; the others are queued"]),
    examples: [
      .init("two of them", "dailymetricd dead retry 17 18"),
      .init("all, now that the platform is in the catalogue", "dailymetricd dead retry --code unknown_platform"),
      .init("one that deletes much, and is meant to", "dailymetricd dead retry 19 --consent"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let (ids, filter) = try call.chosen("what is to be retried?")
    let asOf = try call.asOf() ?? WallClock.now()
    let retried = try await call.withSession { (session) async throws(StoreError) in
      let all = try await session.deadLetterNumbers(ids, or: filter)
      return try await session.retryDeadLetters(all, consent: call.values.isOn(.consent), asOf: asOf)
    }
    Terminal.out("\(Text.count(retried.count, "payload")) back in the queue\(call.company(retried, of: ids))")
    return call.answer(retried, of: ids)
  }
}

/// The end of dead letters.
enum DeadDropCommand: Command {
  static let page = CommandPage(
    name: "dead drop",
    summary: "delete them for good",
    text: """
      Deletes dead letters. The payloads are gone then: nothing of them was ever
      merged, and nothing ever will be. Without --yes nothing is deleted. The pages of
      a load that was parked as a mass_deletion go together, as in dead retry.
      """,
    repeated: .init("ID", "their numbers, as in dead list"),
    settings: Setting.refusals + [.yes] + Setting.connection,
    exitCodes: ExitCode.rows(
      .success, .negative, .usage, .unavailable, .internalError, .configuration,
      replacing: [.negative: "some of the numbers are not there; the others are deleted"]),
    examples: [
      .init("keep a copy and let go of it", "dailymetricd dead show 17 --payload > 17.json"),
      .init("really", "dailymetricd dead drop 17 --yes"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let (ids, filter) = try call.chosen("what is to be deleted?")
    let isMeant = call.values.isOn(.yes)
    var all = ids
    var dropped: [Int] = []
    if isMeant || ids.isEmpty {
      (all, dropped) = try await call.withSession { (session) async throws(StoreError) in
        let all = try await session.deadLetterNumbers(ids, or: filter)
        return (all, isMeant ? try await session.dropDeadLetters(all) : [])
      }
    }
    guard isMeant else {
      throw Failure(
        code: .usage, message: "this would delete \(Text.count(all.count, "payload")) for good; add --yes if it shall")
    }
    Terminal.out("\(Text.count(dropped.count, "payload")) deleted\(call.company(dropped, of: ids))")
    return call.answer(dropped, of: ids)
  }
}

/// Dead letters as lines for other programs.
enum DeadExportCommand: Command {
  static let page = CommandPage(
    name: "dead export",
    summary: "print them as JSON, one on each line",
    text: """
      Prints dead letters as NDJSON, the oldest first: what dead show --json says, and
      with --payload the payload too, as a text. All of them, or those by number, or
      those that have a code, a platform, a user or a time. One is read at a time.
      """,
    repeated: .init("ID", "their numbers, as in dead list"),
    settings: Setting.refusals + [.withTexts] + Setting.connection,
    exitCodes: ExitCode.rows(
      .success, .negative, .usage, .unavailable, .internalError, .configuration,
      replacing: [.negative: "some of the numbers are not there; the others are printed"]),
    examples: [
      .init("for a ticket", "dailymetricd dead export --code missing_field --since 2026-03-01T00:00:00Z"),
      .init("a copy that can be enqueued", "dailymetricd dead export 17 --payload | jq -r .payload > 17.ndjson"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let ids = try call.numbers()
    let filter = try call.refusals()
    let withTexts = call.values.isOn(.withTexts)
    guard ids.isEmpty || filter == RefusalFilter() else { throw Call.bothWays }
    let printed = try await call.withSession { (session) async throws(StoreError) in
      var printed: [Int] = []
      for id in try await session.deadLetterNumbers(ids, or: filter) {
        guard let found = try await session.deadLetter(id) else { continue }
        Terminal.out(line: DeadLetterStory(found.letter, text: withTexts ? found.text : nil))
        printed.append(id)
      }
      return printed
    }
    return call.answer(printed, of: ids)
  }
}

extension StoreSession {
  /// The numbers that were named, or those of all that pass.
  fileprivate func deadLetterNumbers(_ ids: [Int], or filter: RefusalFilter) async throws(StoreError) -> [Int] {
    ids.isEmpty ? try await deadLetterNumbers(filter) : ids
  }
}

extension Call {
  /// Which dead letters or quarantined entries are meant.
  func refusals() throws(Failure) -> RefusalFilter {
    try setting { (values) throws(SettingError) in
      RefusalFilter(
        code: try values.text(.code), user: try values.uuid(.owner), platform: try values.text(.platform),
        since: try values.instant(.since), until: try values.instant(.until))
    }
  }

  /// Nobody can tell which of the two was meant.
  static let bothWays = Failure(code: .usage, message: "either names or a filter such as --code CODE, not both")

  /// Numbers, or a filter that lets not all pass: what changes something wants to be told which.
  fileprivate func chosen(_ question: String) throws(Failure) -> (ids: [Int], filter: RefusalFilter) {
    let ids = try numbers()
    let filter = try refusals()
    guard ids.isEmpty || filter == RefusalFilter() else { throw Call.bothWays }
    guard !ids.isEmpty || filter != RefusalFilter() else {
      throw Failure(code: .usage, message: "either numbers or a filter such as --code CODE are needed: \(question)")
    }
    return (ids, filter)
  }

  /// All arguments as the numbers of dead letters.
  fileprivate func numbers() throws(Failure) -> [Int] {
    var numbers: [Int] = []
    for argument in arguments {
      guard let number = Int(argument), number > 0 else {
        throw Failure(code: .usage, message: "ID is \"\(argument)\": a number as in dead list is needed")
      }
      numbers.append(number)
    }
    return numbers
  }

  /// Says that more were found than asked for: the other pages of their loads.
  fileprivate func company(_ found: [Int], of wanted: [Int]) -> String {
    let others = Set(found).subtracting(wanted).count
    guard others > 0, !wanted.isEmpty else { return "" }
    return ", \(Text.number(others)) of them as other pages of the same load"
  }

  /// Says which of the numbers were not there.
  fileprivate func answer(_ found: [Int], of wanted: [Int]) -> ExitCode {
    let missing = Set(wanted).subtracting(found).sorted()
    guard !missing.isEmpty else { return .success }
    Terminal.complain("there is no dead letter \(missing.map(String.init).joined(separator: ", "))")
    return .negative
  }
}
