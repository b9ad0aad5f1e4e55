import FoundationEssentials
import HealthPayload
import MetricDaemon
import MetricStore
import PayloadDecoder

/// Puts payloads into the queue from a file.
enum EnqueueCommand: Command {
  static let page = CommandPage(
    name: "enqueue",
    summary: "put payloads into the queue",
    text: """
      Puts each line of FILE into the queue as one payload and prints how many there
      were. Empty lines are skipped. Nothing is judged here: what cannot be used
      becomes a dead letter when the service takes it, and validate says so
      beforehand.

      A file that is one JSON object as a whole, however many lines it has, is one
      payload.

      With --format the documents are a provider's, and each goes into the queue with
      what only the caller knows around it: whose it is, when it was read, and for
      which days was asked. The service makes our payload of it.

      The user of a payload is its field user_id. A line in which none can be found
      goes under the nil UUID with a warning, so that it is not lost. A line that the
      queue cannot keep as it is ends the command. Lines are committed 500 at a time;
      after an error it says how many are in the queue.

      Programs need not call this: the SQL function enqueue_sync_payload(user,
      payload), a plain INSERT and COPY into intake.sync_payload do the same.
      """,
    arguments: [.init("FILE", "NDJSON, one payload on each line; - reads standard input")],
    settings: [.asOf, .user] + Setting.delivery + Setting.address,
    exitCodes: ExitCode.rows(
      .success, .usage, .data, .noInput, .unavailable, .internalError, .configuration,
      replacing: [.data: "the queue cannot keep a line: it is too long, is not UTF-8 or holds a NUL"]),
    examples: [
      .init("a file", "dailymetricd enqueue payloads.ndjson"),
      .init(
        "one document",
        "jq -c . day.json | dailymetricd enqueue -"),
    ])

  private static let linesOfCommit = 500
  private static let bytesOfCommit = 8 << 20

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let receivedAt = try call.asOf() ?? WallClock.now()
    let user = try call.setting { (values) throws(SettingError) in try values.uuid(.user) }
    let decoder = PayloadDecoder(catalogue: try EmbeddedCatalogue.load(), translator: try Formats.load())
    let envelope = try DeliveryEnvelope(call, receivedAt: receivedAt)
    var reader = try Documents(call.arguments[0], format: envelope?.format, decoder)
    var count = 0
    let address = try call.setting { (values) throws(SettingError) in try Configuration.address(values) }
    let session = try await storing { () async throws(StoreError) in try await StoreSession.open(address) }
    while true {
      let portion = try nextLines(&reader, user, decoder, envelope)
      do throws(StoreError) {
        if !portion.lines.isEmpty { try await session.enqueue(portion.lines, receivedAt: receivedAt) }
      } catch {
        throw failure(Failure(error).code, error.message, after: count)
      }
      count += portion.lines.count
      if let refusal = portion.refusal { throw failure(.data, refusal, after: count) }
      if portion.lines.isEmpty { break }
    }
    await session.close()
    Terminal.out("\(Text.count(count, "payload")) enqueued")
    return .success
  }

  private static func failure(_ code: ExitCode, _ message: String, after count: Int) -> Failure {
    Failure(code: code, message: "\(message) (\(Text.count(count, "payload")) before it enqueued)")
  }

  /// Lines of one commit, and why the next one cannot be kept, if that is so.
  private struct Portion {
    var lines: [EnqueuedLine] = []
    var refusal: String?
  }

  private static func nextLines(
    _ reader: inout Documents, _ user: UUID?, _ decoder: PayloadDecoder, _ envelope: DeliveryEnvelope?
  ) throws(Failure) -> Portion {
    var portion = Portion()
    var bytes = 0
    while portion.lines.count < linesOfCommit, bytes < bytesOfCommit, let line = try reader.next() {
      if line.isEmpty { continue }
      let line = LineReader.Line(number: line.number, bytes: envelope?.wrap(line.bytes) ?? line.bytes)
      guard line.bytes.count <= EnqueuedLine.longestText else {
        portion.refusal =
          "line \(line.number) has more than \(Text.number(EnqueuedLine.longestText)) bytes; send it in parts"
        break
      }
      // Mended without a word, it would be merged as something that nobody sent.
      guard let text = String(validating: line.bytes, as: UTF8.self), !line.bytes.contains(0) else {
        portion.refusal = "line \(line.number) is not UTF-8, or holds a NUL; dailymetricd validate says at which byte"
        break
      }
      let owner = user ?? decoder.userID(of: line.bytes, arrivedAt: WallClock.now())
      if owner == nil {
        Terminal.complain("line \(line.number): no user_id can be read; enqueued under the nil UUID")
      }
      portion.lines.append(EnqueuedLine(user: owner, text: text))
      bytes += line.bytes.count
    }
    return portion
  }
}
