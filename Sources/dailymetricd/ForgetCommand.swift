import FoundationEssentials
import HealthPayload
import MetricDaemon
import MetricStore

/// The end of everything that is held of a person.
enum ForgetCommand: Command {
  static let page = CommandPage(
    name: "forget",
    summary: "erase a user, and refuse what still arrives about them",
    text: """
      Erases everything that is held of a user: cells and their history, evidence,
      queued payloads, receipts, dead letters, quarantine, held pages of loads. What
      remains is one row of intake.forgotten_person, that says when and how much, and
      for a while one of the feed, which tells followers to do the same.

      From the first moment on payloads about the user are refused: they leave the
      queue unread, are counted, and nothing of them is kept. --allow-again ends that,
      for somebody who comes back; what was erased stays erased.

      It works beside running services, in transactions of bounded size. It can be
      ended at any time: call it again, or leave the rest to a service. Backups, logs
      and followers of the feed are not in its reach: docs/operations.md.
      """,
    arguments: [.init("USER", "the user's UUID")],
    settings: [.allowAgain, .rowsAtOnce, .asOf] + Setting.connection,
    exitCodes: ExitCode.rows(
      .success, .negative, .usage, .unavailable, .internalError, .configuration,
      replacing: [
        .success: "nothing is left of the user; --allow-again: payloads are taken again",
        .negative: "--allow-again: the user is not forgotten, or not erased yet",
      ]),
    examples: [
      .init("forget somebody", "dailymetricd forget 7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa"),
      .init("who has come back", "dailymetricd forget --allow-again 7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let user = try call.user(call.arguments[0])
    let rows = try call.setting { (values) throws(SettingError) in try values.number(.rowsAtOnce) }
    let asOf = try call.asOf()
    if call.values.isOn(.allowAgain) { return try await allowAgain(user, call, asOf) }
    var erased = 0
    var steps = 0
    try await call.withSession { (session) async throws(StoreError) in
      _ = try await session.checkSchema()
      try await again { () async throws(StoreError) in
        try await session.beginToForget(user, asOf: asOf ?? WallClock.now())
      }
      while true {
        let step = try await again { () async throws(StoreError) in
          try await session.forget(user, rows: rows, asOf: asOf ?? WallClock.now())
        }
        erased += step.erased
        steps += 1
        if step.isOver { return }
      }
    }
    let name = user.uuidString.lowercased()
    Terminal.out(
      "\(name) is forgotten: \(Text.count(erased, "row")) erased in \(Text.count(steps, "transaction")); "
        + "what still arrives about them is refused")
    return .success
  }

  private static func allowAgain(_ user: UUID, _ call: Call, _ asOf: Instant?) async throws(Failure) -> ExitCode {
    let answer = try await call.withSession { (session) async throws(StoreError) in
      _ = try await session.checkSchema()
      return try await session.allowAgain(user, asOf: asOf ?? WallClock.now())
    }
    let name = user.uuidString.lowercased()
    switch answer {
    case .allowed: Terminal.out("payloads about \(name) are taken again; what was erased stays erased")
    case .allowedBefore: Terminal.out("payloads about \(name) were allowed again before")
    case .notForgotten: Terminal.complain("\(name) is not forgotten: payloads about them are taken")
    case .beingErased:
      Terminal.complain("\(name) is not erased yet: dailymetricd forget \(name) goes on with it, then ask again")
    }
    return [.allowed, .allowedBefore].contains(answer) ? .success : .negative
  }

  /// Services that hold the user, and deadlocks with them, pass.
  private static func again<Value: Sendable>(
    _ body: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    var attempts = 0
    while true {
      do throws(StoreError) { return try await body() } catch {
        attempts += 1
        guard error.isRetryable, attempts < 10 else { throw error }
      }
    }
  }
}

extension Call {
  /// An argument that names a user. The nil UUID names nobody.
  func user(_ text: String) throws(Failure) -> UUID {
    guard let user = UUID(uuidString: text), text.count == 36 else {
      throw Failure(code: .usage, message: "USER is \"\(text)\": a UUID is needed")
    }
    guard user != UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) else {
      throw Failure(code: .usage, message: "USER is the nil UUID, which stands for payloads that name nobody")
    }
    return user
  }
}
