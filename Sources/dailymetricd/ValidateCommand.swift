import FoundationEssentials
import HealthPayload
import MetricDaemon
import PayloadDecoder

/// The boundary without a database.
enum ValidateCommand: Command {
  static let page = CommandPage(
    name: "validate",
    summary: "say what is wrong with payloads, without a database",
    text: """
      Decodes payloads as the service would, and prints everything that is wrong
      with them, all errors of a payload at once:

        FILE:LINE: byte 117: /days/3/value: not_a_number (quarantine)

      LINE counts the lines of the file, the byte counts from the begin of the
      payload, and the JSON pointer names the place. "dead_letter" means that
      nothing of the payload would be used, "quarantine" that this entry would be
      set aside.

      The file holds one JSON document (*.json), or one payload on each line
      (*.ndjson, *.jsonl); without such an ending the text decides. Empty lines are
      skipped. The metrics and units are those that this build was made with.

      With --format the documents are a provider's. The bytes count from the begin of
      the document; an error that only the payload shows that is made of it has the
      place there, and no byte (convert prints that payload).
      """,
    arguments: [.init("FILE", "JSON or NDJSON; - reads standard input")],
    settings: [.asOf, .user, .config] + Setting.delivery + Setting.limits,
    exitCodes: ExitCode.rows(
      .success, .usage, .data, .noInput, replacing: [.success: "every payload is fine, down to the last entry"]),
    examples: [
      .init("what a producer is about to send", "dailymetricd validate payloads.ndjson"),
      .init("as it would have been judged that morning", "dailymetricd validate day.json --as-of 2026-03-01T07:00:00Z"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let decoder = try decoder(call)
    let arrivedAt = try call.asOf() ?? WallClock.now()
    let envelope = try DeliveryEnvelope(call, receivedAt: arrivedAt)
    let name = call.arguments[0]
    var count = 0
    var errors = 0
    try Validation.each(of: name, format: envelope?.format) { payload throws(Failure) in
      count += 1
      let text = envelope?.wrap(payload.bytes) ?? payload.bytes
      for var finding in decoder.validate(text.span, arrivedAt: arrivedAt) {
        errors += 1
        if let envelope { finding.byteOffset = finding.byteOffset.map { max($0 - envelope.length, 0) } }
        Terminal.out("\(name.onOneLine):\(payload.number): \(Validation.describe(finding))")
      }
    }
    Terminal.out("\(Text.count(count, "payload")), \(Text.count(errors, "error"))")
    return errors == 0 ? .success : .data
  }

  private static func decoder(_ call: Call) throws(Failure) -> PayloadDecoder {
    let limits = try call.setting { (values) throws(SettingError) in try Configuration.limits(values) }
    return PayloadDecoder(catalogue: try EmbeddedCatalogue.load(), limits: limits, translator: try Formats.load())
  }
}

/// What `validate` takes for a payload, and how it prints what is wrong with one.
enum Validation {
  /// Hands over the payloads of a file one by one. Only an export, which may be larger than memory, is not read as a whole.
  static func each(
    of name: String, format: String?, _ body: (LineReader.Line) throws(Failure) -> Void
  ) throws(Failure) {
    guard format == ExportLines.format else {
      for payload in try payloads(of: name) { try body(payload) }
      return
    }
    var export = try ExportLines(name)
    while let document = try export.next() { try body(document) }
  }

  /// The payloads of a file, each with the line on which it begins.
  static func payloads(of name: String) throws(Failure) -> [LineReader.Line] {
    var reader = try LineReader(name)
    var lines: [LineReader.Line] = []
    while let line = try reader.next() { lines.append(line) }
    let filled = lines.filter { !$0.isEmpty }
    guard let first = filled.first, !isLines(filled, name) else { return filled }
    // The offsets count from the payload's begin, so that the lines before it are left out and all line feeds kept.
    let text = lines.drop { $0.isEmpty }.map(\.bytes).joined(separator: [0x0A])
    return [LineReader.Line(number: first.number, bytes: Array(text))]
  }

  /// The name says it, else the text: a document that is spread over lines has only one that begins with its brace.
  private static func isLines(_ filled: [LineReader.Line], _ name: String) -> Bool {
    if name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl") { return true }
    if name.hasSuffix(".json") { return false }
    return filled.count { $0.bytes.first == UInt8(ascii: "{") } != 1
  }

  static func describe(_ finding: Finding) -> String {
    let place = finding.byteOffset.map { "byte \($0): " } ?? ""
    let pointer = finding.pointer.isEmpty ? "the whole text" : finding.pointer.onOneLine
    return "\(place)\(pointer): \(finding.code) (\(finding.consequence.rawValue))"
  }
}
