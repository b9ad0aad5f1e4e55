import PayloadDecoder

/// The documents of a file: payloads, deliveries, a provider's JSON, or what an export of Apple Health is cut into.
struct Documents: ~Copyable {
  private var lines: PayloadLines?
  private var export: ExportLines?

  /// Opens the file; `-` is standard input. The format decides how it is read; nil is ours.
  init(_ name: String, format: String?, _ decoder: PayloadDecoder) throws(Failure) {
    if format == ExportLines.format { export = try ExportLines(name) } else { lines = try PayloadLines(name, decoder) }
  }

  /// The next document, or an empty line, or nil at the end.
  mutating func next() throws(Failure) -> LineReader.Line? {
    if let line = try lines?.next() { return line }
    return try export?.next()
  }
}
