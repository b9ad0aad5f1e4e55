import FoundationEssentials
import HealthPayload
import MetricDaemon
import PayloadDecoder
import ProviderFormats

/// What a document in another format says in ours.
enum ConvertCommand: Command {
  static let page = CommandPage(
    name: "convert",
    summary: "print our payloads of documents in another format, without a database",
    text: """
      Prints the payload that the service would make of each document, one on a line.
      What cannot be used of a document is said on standard error, with the JSON
      pointer to it. Nothing is stored.

      FILE holds one JSON document, or one on each line. With --format they are the
      provider's documents as they came; without it each is a delivery, which says
      itself what it is (see dailymetricd formats).
      """,
    arguments: [.init("FILE", "JSON or NDJSON; - reads standard input")],
    settings: [.asOf, .user, .config] + Setting.delivery + Setting.limits,
    exitCodes: ExitCode.rows(
      .success, .usage, .data, .noInput, replacing: [.data: "something cannot be used; the rest was printed"]),
    examples: [
      .init(
        "what an answer of Oura says",
        "dailymetricd convert day.json --format oura \\\n    --user 4f9d1c2e-0b7a-4c1d-9e55-6a0c8c2b1f10 --from 2026-03-01"
      )
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let receivedAt = try call.asOf() ?? WallClock.now()
    let envelope = try DeliveryEnvelope(call, receivedAt: receivedAt)
    let limits = try call.setting { (values) throws(SettingError) in try Configuration.limits(values) }
    let catalogue = try Formats.load()
    let name = call.arguments[0]
    var isWhole = true
    try Validation.each(of: name, format: envelope?.format) { document throws(Failure) in
      let complaints = convert(envelope?.wrap(document.bytes) ?? document.bytes, by: catalogue, receivedAt, limits)
      isWhole = isWhole && complaints.isEmpty
      for complaint in complaints { Terminal.complain("\(name.onOneLine):\(document.number): \(complaint)") }
    }
    return isWhole ? .success : .data
  }

  /// Prints the payload of a delivery; returns what cannot be used of it.
  private static func convert(
    _ text: [UInt8], by catalogue: FormatCatalogue, _ receivedAt: Instant, _ limits: DecoderLimits
  ) -> [String] {
    do throws(PayloadFault) {
      guard let payload = try catalogue.translate(text, queueUser: nil, arrivedAt: receivedAt, limits: limits) else {
        throw PayloadFault(code: .missingField, pointer: "/format", detail: "It names no format.")
      }
      Terminal.out(String(decoding: payload.text, as: UTF8.self))
      return payload.refused.map { "\($0.pointer.onOneLine): \($0.code.rawValue)" }
    } catch {
      return ["\(error.pointer.onOneLine): \(error.code.rawValue): \(error.detail)"]
    }
  }
}

/// The tables of the formats.
enum FormatsCommand: Command {
  static let page = CommandPage(
    name: "formats",
    summary: "print what each format means by zero, null and nothing",
    text: """
      Prints the tables by which documents in other formats are read, as Markdown: for
      each field its metric and unit, and what 0, null and a missing field mean; the
      day to which an element counts, what makes two elements the same, deletions,
      evidence of wear, errors, and where each of these is known from.

      These are the tables that the code reads by, and that its tests go through.
      """,
    settings: [],
    exitCodes: ExitCode.rows(.success, .usage),
    examples: [.init("what Oura's zeros mean", "dailymetricd formats | less")])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    Terminal.out(FormatPages.markdown(try Formats.load()))
    return .success
  }
}
