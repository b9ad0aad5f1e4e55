import FoundationEssentials
import HealthPayload
import MetricDaemon
import MetricStore

/// What became of a payload.
enum PayloadCommand: Command {
  static let page = CommandPage(
    name: "payload",
    summary: "say what became of a payload",
    text: """
      Says what is known of one payload: whether it still waits, when it was merged
      and how often it was repeated, which of its entries were set aside and why, or
      why it became a dead letter. Places in it are JSON pointers.
      """,
    arguments: [.init("USER", "the user_id of its queue row"), .init("PAYLOAD_ID", "its payload_id")],
    settings: [.json] + Setting.connection,
    exitCodes: ExitCode.rows(
      .success, .negative, .usage, .unavailable, .internalError, .configuration,
      replacing: [.success: "something is known of it", .negative: "nothing is known of it"]),
    examples: [
      .init(
        "what happened to it?",
        "dailymetricd payload 7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa \\\n    00000000-0000-4000-8000-000000000001"),
      .init("for scripts", "dailymetricd payload \"$user\" \"$payload\" --json"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let user = try id(call.arguments[0], "USER")
    let payload = try id(call.arguments[1], "PAYLOAD_ID")
    let (found, proof) = try await call.withSession { (session) async throws(StoreError) in
      (try await session.payloadReport(user: user, payloadID: payload), try await session.proof(of: user))
    }
    let story = PayloadStory(found, proof)
    if call.values.isOn(.json) { try Terminal.out(json: story) } else { Terminal.out(story.text) }
    return found == nil ? .negative : .success
  }

  private static func id(_ text: String, _ name: String) throws(Failure) -> UUID {
    guard let id = UUID(uuidString: text) else {
      throw Failure(code: .usage, message: "\(name) is \"\(text)\": a UUID is needed")
    }
    return id
  }
}

/// What `payload` prints. Its properties are the keys of --json; what there is none of is left out there.
struct PayloadStory: Encodable {
  struct Merge: Encodable {
    let outcome: String
    let firstSeen: String
    let readAt: String
    let processedAt: String
    let days: Int
    let quarantined: Int
    let repetitions: Int
  }
  struct Refusal: Encodable {
    let pointer: String
    let code: String
  }
  struct Death: Encodable {
    let id: Int
    let code: String
    let pointer: String
    let byteOffset: Int?
    let detail: String?
    let diedAt: String
  }

  let known: Bool
  let queuedAt: [String]
  let receipt: Merge?
  let quarantine: [Refusal]
  let deadLetters: [Death]
  /// Since when payloads about the user are refused.
  let userForgottenAt: String?

  init(_ report: PayloadReport?, _ proof: ForgettingProof?) {
    known = report != nil
    userForgottenAt = proof.flatMap { $0.allowedAgainAt == nil ? $0.forgottenAt.description : nil }
    queuedAt = report?.queuedAt.map(\.description) ?? []
    receipt = report?.receipt.map {
      Merge(
        outcome: $0.outcome, firstSeen: $0.firstSeen.description, readAt: $0.readAt.description,
        processedAt: $0.processedAt.description, days: $0.cells, quarantined: $0.quarantined,
        repetitions: $0.repetitions)
    }
    quarantine = report?.refusals.map { Refusal(pointer: $0.pointer, code: $0.code) } ?? []
    deadLetters =
      report?.deaths.map {
        Death(
          id: $0.id, code: $0.code, pointer: $0.pointer, byteOffset: $0.byteOffset, detail: $0.detail,
          diedAt: $0.diedAt.description)
      } ?? []
  }

  private static func sentence(of outcome: String) -> String {
    switch outcome {
    case "merged": "merged"
    case "held": "held for the other pages of its load"
    case "mass_deletion": "parked (mass_deletion)"
    case "dropped": "dropped for good; it was parked (mass_deletion)"
    default: "abandoned as a whole (\(outcome))"
    }
  }

  var text: String {
    let forgotten = userForgottenAt.map { "; the user was forgotten at \($0), and nothing about them is kept" }
    guard known else { return "nothing is known of it: neither queued nor merged nor a dead letter\(forgotten ?? "")" }
    var lines = queuedAt.map { "waits in the queue since \($0)" }
    if let receipt {
      let entries = Text.count(receipt.days, "entry", "entries")
      lines.append("\(PayloadStory.sentence(of: receipt.outcome)) at \(receipt.processedAt): \(entries)")
      lines.append("  read at \(receipt.readAt), first seen at \(receipt.firstSeen)")
      if receipt.repetitions > 0 {
        lines.append("  repeated \(Text.count(receipt.repetitions, "time")), which changed nothing")
      }
    }
    if !quarantine.isEmpty {
      lines.append("set aside: \(Text.count(quarantine.count, "entry", "entries"))")
      lines += quarantine.map { "  \($0.pointer.onOneLine): \($0.code)" }
    }
    for death in deadLetters {
      let pointer = death.pointer.isEmpty ? "the whole text" : death.pointer.onOneLine
      let place = [pointer, death.byteOffset.map { "byte \($0)" }]
      lines.append("dead letter \(death.id) at \(death.diedAt): \(death.code)")
      lines.append(
        "  \(place.compactMap { $0 }.joined(separator: ", "))" + (death.detail.map { ": \($0.onOneLine)" } ?? ""))
    }
    return lines.joined(separator: "\n")
  }
}
