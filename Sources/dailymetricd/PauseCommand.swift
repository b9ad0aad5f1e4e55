import HealthPayload
import MetricDaemon
import MetricStore

/// Stops the intake of all services of a database.
enum PauseCommand: Command {
  static let page = CommandPage(
    name: "pause",
    summary: "stop taking payloads out of the queue",
    text: """
      Stops all services of the database from taking payloads out of the queue, until
      resume. Producers can go on, services keep running and say so in their log and
      status line, re-checks go on, and batches in hand are finished.

      The pause is kept in the database and outlives every restart. Services pause
      the intake by themselves when at least half of a batch, of at least 10 users,
      cannot be used: then something is broken, and the queue is not emptied into
      the dead letters. status tells since when, and why.
      """,
    settings: [.because] + Setting.connection,
    exitCodes: ExitCode.rows(
      .success, .usage, .unavailable, .internalError, .configuration,
      replacing: [.success: "intake is paused, by this call or before"]),
    examples: [
      .init("before an update of the app's backend", "dailymetricd pause --because \"release 412, ask Kim\""),
      .init("and after it", "dailymetricd resume"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let because = try call.setting { (values) throws(SettingError) in try values.text(.because) }
    let (pause, isNew) = try await call.withSession { (session) async throws(StoreError) in
      try await session.pause(because: because ?? "an operator asked for it", asOf: WallClock.now())
    }
    if isNew {
      Terminal.out("intake is paused; dailymetricd resume ends that")
    } else {
      let sentence = pause.map { "it was already: \($0.sentence.onOneLine)" }
      Terminal.out(sentence ?? "somebody has resumed the intake at this moment")
    }
    return .success
  }
}

/// Lets the services go on.
enum ResumeCommand: Command {
  static let page = CommandPage(
    name: "resume",
    summary: "take payloads out of the queue again",
    text: """
      Ends a pause. If the services paused the intake by themselves, mend the cause
      first, such as a release that writes what this build does not take.

      What is queued by now is accepted as it is: payloads of it that cannot be used
      go to the dead letters in any number, without another pause. What arrives later
      is watched again. dead retry brings dead letters back.
      """,
    settings: Setting.connection,
    exitCodes: ExitCode.rows(
      .success, .usage, .unavailable, .internalError, .configuration,
      replacing: [.success: "intake goes on, or was not paused"]),
    examples: [
      .init("go on", "dailymetricd resume"),
      .init("and see what becomes of it", "dailymetricd resume && dailymetricd status"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let wasPaused = try await call.withSession { (session) async throws(StoreError) in
      try await session.resume()
    }
    Terminal.out(wasPaused ? "intake goes on" : "intake was not paused")
    return .success
  }
}
