import FoundationEssentials
import HealthPayload
import MetricDaemon
import MetricStore

/// All that is held of a person, for the person.
enum ExportCommand: Command {
  static let page = CommandPage(
    name: "export",
    summary: "print all that is held of a user as JSON",
    text: """
      Prints one JSON document (dailymetricd.export/1) with everything that is held of
      a user, for the user: cells and their history, the evidence behind them, queued
      payloads, receipts, dead letters and quarantine, whole. Each section is a table,
      each line of it a row, in the order of keys. What is NULL is left out; a cell
      without a value says why, in our words and as FHIR's dataAbsentReason.

      It is one state of all tables, read some rows at a time, beside running services.
      It holds health values: write it where nobody else reads, as with umask 077.
      docs/export.md says what is in it, schema/export.schema.json its form.
      """,
    arguments: [.init("USER", "the user's UUID")],
    settings: [.asOf] + Setting.connection,
    exitCodes: ExitCode.rows(
      .success, .negative, .usage, .unavailable, .internalError, .configuration,
      replacing: [.negative: "nothing is held of the user"]),
    examples: [
      .init(
        "for somebody who has asked for it",
        "(umask 077; dailymetricd export 7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa > ada.json)"),
      .init(
        "unknown days, and why", "dailymetricd export \"$user\" | jq '.daily_metric[] | select(.dataAbsentReason)'"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let user = try call.user(call.arguments[0])
    var document = ExportDocument(user: user, asOf: try call.asOf() ?? WallClock.now())
    let isHeld = try await call.withSession { (session) async throws(StoreError) in
      _ = try await session.checkSchema()
      return try await session.export(user, to: &document)
    }
    guard isHeld else {
      Terminal.complain("nothing is held of \(user.uuidString.lowercased())")
      return .negative
    }
    Terminal.out("]}")
    return .success
  }
}

/// The frame around the sections, printed as they come.
private struct ExportDocument: ExportReceiver {
  let user: UUID
  let asOf: Instant
  private var hasBegun = false
  private var items = 0

  init(user: UUID, asOf: Instant) {
    self.user = user
    self.asOf = asOf
  }

  mutating func begin(_ section: ExportSection) {
    let head = #"{"schema":"dailymetricd.export/1","user_id":"\#(user.uuidString.lowercased())","as_of":"\#(asOf)","#
    Terminal.out(hasBegun ? "]," : head)
    Terminal.out("\"\(section.name)\":[")
    hasBegun = true
    items = 0
  }

  mutating func add(_ item: String) {
    Terminal.out(part: (items > 0 ? "," : "") + item)
    items += 1
  }
}
