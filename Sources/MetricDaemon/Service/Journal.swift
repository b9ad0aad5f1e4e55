public import FoundationEssentials
internal import Glibc
internal import HealthPayload
internal import Synchronization

/// How much a log line matters. The raw value is syslog's priority, which journald understands.
public enum LogLevel: Int, Sendable, Comparable, CaseIterable {
  case error = 3
  case warning = 4
  case notice = 5
  case info = 6
  case debug = 7

  /// The word that `--log-level` takes.
  public var name: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .notice: "notice"
    case .info: "info"
    case .debug: "debug"
    }
  }

  /// The level with this word, or nil if there is none.
  public init?(name: String) {
    guard let level = LogLevel.allCases.first(where: { $0.name == name }) else { return nil }
    self = level
  }

  /// Orders by importance: an error is least.
  public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// What may stand in a log line. There is no case for a decimal number: a health value has no way into the journal.
public enum LogValue: Sendable, Equatable {
  /// How many of something.
  case count(Int)
  /// An identifier of a person, a payload or a batch.
  case id(UUID)
  /// Text that this program wrote, such as the sentence of an error.
  case text(String)
  /// How long something took or will take, printed in seconds with three decimals.
  case duration(Duration)
}

/// Writes one line of `key=value` for each event.
///
/// On systemd (JOURNAL_STREAM is set) a line starts with `<priority>`, which journald takes off again; elsewhere with the time
/// and the level, because nobody else adds them.
public struct Journal: Sendable {
  /// Where finished lines go; each ends with a line feed.
  public typealias Sink = @Sendable (String) -> Void

  /// Shared by all copies, so that a running service can be made to say more.
  private final class Threshold: Sendable {
    let level: Atomic<Int>
    init(_ level: LogLevel) { self.level = Atomic(level.rawValue) }
  }

  private let threshold: Threshold
  private let hasPriorityPrefix: Bool
  private let sink: Sink
  private let now: @Sendable () -> Date

  /// A journal that keeps what is at least as important as `level`.
  public init(
    level: LogLevel, hasPriorityPrefix: Bool, sink: @escaping Sink = Journal.standardError,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    threshold = Threshold(level)
    self.hasPriorityPrefix = hasPriorityPrefix
    self.sink = sink
    self.now = now
  }

  /// A journal that keeps nothing.
  public static let silent = Journal(level: .error, hasPriorityPrefix: false, sink: { _ in })

  /// From now on this journal and its copies keep what is at least as important as `level`.
  func keep(_ level: LogLevel) { threshold.level.store(level.rawValue, ordering: .relaxed) }

  /// Writes the line if `level` is important enough.
  public func log(_ level: LogLevel, _ event: String, _ fields: KeyValuePairs<String, LogValue> = [:]) {
    guard level.rawValue <= threshold.level.load(ordering: .relaxed) else { return }
    var line = hasPriorityPrefix ? "<\(level.rawValue)>" : "time=\(now().ISO8601Format()) level=\(level.name) "
    line += "event=\(Journal.quoted(event))"
    for (key, value) in fields { line += " \(key)=\(Journal.render(value))" }
    sink(line + "\n")
  }

  /// Writes to standard error, whole lines at a time.
  public static let standardError: Sink = { line in
    let bytes = Array(line.utf8)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      // Nobody reads the log any more; the work matters more than the line.
      guard count > 0 else { return }
      written += count
    }
  }

  private static func render(_ value: LogValue) -> String {
    switch value {
    case .count(let count): String(count)
    case .id(let id): id.uuidString.lowercased()
    case .text(let text): quoted(text)
    case .duration(let duration): seconds(duration)
    }
  }

  /// Seconds with three decimals, such as `0.250`.
  static func seconds(_ duration: Duration) -> String {
    let (whole, attoseconds) = duration.components
    let milliseconds = String(attoseconds / 1_000_000_000_000_000)
    return "\(whole)." + String(repeating: "0", count: max(0, 3 - milliseconds.count)) + milliseconds
  }

  /// One line, and one word for whoever splits at spaces: libpq's messages have several lines.
  static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty && !text.unicodeScalars.contains { $0.isCommand || " \"=\\".unicodeScalars.contains($0) }
    if isPlain { return text }
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": out += "\\\""
      case "\\": out += "\\\\"
      case "\n", "\r", "\t": out += " "
      default: out += String(scalar).onOneLine
      }
    }
    return out + "\""
  }
}
