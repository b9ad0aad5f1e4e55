import MetricDaemon
import MetricStore
import PayloadDecoder

/// The payloads of a file: one on each line, or one JSON object that is spread over all lines.
struct PayloadLines: ~Copyable {
  private let name: String
  private let decoder: PayloadDecoder
  private var reader: LineReader
  /// Lines that were read to find out which of the two it is.
  private var ahead: ArraySlice<LineReader.Line> = []
  private var hasLooked = false

  /// Opens the file; `-` is standard input.
  init(_ name: String, _ decoder: PayloadDecoder) throws(Failure) {
    self.name = name
    self.decoder = decoder
    reader = try LineReader(name)
  }

  /// The next payload, or an empty line, or nil at the end.
  ///
  /// - Throws: `data` if the file is neither of the two.
  mutating func next() throws(Failure) -> LineReader.Line? {
    if !hasLooked {
      hasLooked = true
      try look()
    }
    if let line = ahead.popFirst() { return line }
    return try reader.next()
  }

  private mutating func look() throws(Failure) {
    guard let first = try firstFilled() else { return }
    ahead = [first]
    // A name that says so is believed; a line that can stand alone decides.
    guard first.bytes.first == UInt8(ascii: "{"), !name.hasSuffix(".ndjson"), !name.hasSuffix(".jsonl"),
      !isJSON(first.bytes)
    else { return }
    try readDocument(first)
  }

  private mutating func firstFilled() throws(Failure) -> LineReader.Line? {
    while let line = try reader.next() {
      if !line.isEmpty { return line }
    }
    return nil
  }

  /// The first line is no payload by itself: the whole text is one, or the first of many payloads is broken.
  private mutating func readDocument(_ first: LineReader.Line) throws(Failure) {
    var text = first.bytes
    while let line = try reader.next() {
      if ahead.count == 1, !line.isEmpty, isJSON(line.bytes) {
        ahead.append(line)
        return
      }
      ahead.append(line)
      text += [0x0A] + line.bytes
      // Longer than any payload may be: not one.
      guard text.count <= EnqueuedLine.longestText else { throw neither }
    }
    guard ahead.count > 1 else { return }
    guard isJSON(text) else { throw neither }
    ahead = [LineReader.Line(number: first.number, bytes: text)]
  }

  private var neither: Failure {
    Failure(
      code: .data,
      message:
        "\(name == "-" ? "standard input" : name) is neither one JSON object nor one payload on each line; nothing "
        + "was enqueued. dailymetricd validate says what is wrong, and jq -c . puts each object on a line")
  }

  private func isJSON(_ bytes: [UInt8]) -> Bool {
    switch decoder.decode(bytes, queueUser: nil, arrivedAt: WallClock.now()) {
    case .payload: true
    case .dead(let fault): fault.code != .notJSON
    }
  }
}
