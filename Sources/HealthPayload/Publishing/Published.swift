/// What was published, and two dates that are easily taken for one another: the day that it describes, and when it was read.
public struct Published<Content: Sendable>: Sendable {
  /// What is shown.
  public let content: Content
  /// The day that the content is about; nil only in what an earlier build has written without it. Then it is no day's.
  public let describes: LocalDate?
  /// When the store was read; nil only in what an earlier build has written without it.
  public let readAt: Instant?

  init(_ content: Content, describes: LocalDate, readAt: Instant) {
    self.content = content
    self.describes = describes
    self.readAt = readAt
  }

  /// Whether the content is about this day. How lately it was read does not matter: just after midnight it is yesterday's.
  public func isCurrent(on today: LocalDate) -> Bool { describes == today }

  /// Whether this is to be shown instead of the other: the later day wins, and only within a day the later read.
  public func supersedes(_ other: Published) -> Bool {
    if describes != other.describes { return Published.isLater(describes, than: other.describes) }
    return Published.isLater(readAt, than: other.readAt)
  }

  /// A date that an earlier build left out comes before all others.
  private static func isLater<Time: Comparable>(_ time: Time?, than other: Time?) -> Bool {
    guard let time else { return false }
    guard let other else { return true }
    return time > other
  }
}

extension Published: Equatable where Content: Equatable {}

/// Keys of the stored form.
private enum Key: String, CodingKey {
  case content, describes
  case readAt = "read_at"
}

extension Published: Encodable where Content: Encodable {
  /// Writes it for a widget, a watch, or the next launch.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(content, forKey: .content)
    try container.encodeIfPresent(describes, forKey: .describes)
    try container.encodeIfPresent(readAt, forKey: .readAt)
  }
}

extension Published: Decodable where Content: Decodable {
  /// Reads what this or an earlier build has written: a date that is missing, or not readable, is unknown.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    content = try container.decode(Content.self, forKey: .content)
    describes = try container.decodeIfPresent(String.self, forKey: .describes).flatMap { LocalDate($0) }
    readAt = try container.decodeIfPresent(String.self, forKey: .readAt).flatMap { Instant($0) }
  }
}
