/// Stands before everything that shows or sends numbers, and refuses until one read of this process has succeeded.
///
/// Before that the app's numbers are initial values: zeros that nobody has measured. A failed read changes nothing: what was
/// published last stays, with the day that it describes.
public struct PublishGuard<Content: Sendable>: Sendable {
  /// When this process last read successfully; nil: never.
  public private(set) var lastSuccess: Instant?
  private var latest: Published<Content>?

  /// The guard of a process that has not read yet. It is never stored: each process starts anew.
  public init() {}

  /// A read succeeded, and found nothing that is shown: an empty day is a successful read too.
  public mutating func readSucceeded(at readAt: Instant) {
    lastSuccess = lastSuccess.map { max($0, readAt) } ?? readAt
  }

  /// A read succeeded. Its content is published next, unless what was read before is about a later day, or was read later.
  ///
  /// `day` is the person's day that the content is about, `readAt` when the store was read.
  public mutating func readSucceeded(_ content: Content, describing day: LocalDate, at readAt: Instant) {
    readSucceeded(at: readAt)
    let published = Published(content, describes: day, readAt: readAt)
    if latest.map({ published.supersedes($0) }) ?? true { latest = published }
  }

  /// What may be published; refuses where no read has brought anything.
  public func published() throws(PublishRefusal) -> Published<Content> {
    guard let latest else { throw PublishRefusal() }
    return latest
  }

  /// What a payload says about the reads of this process.
  public var lastSuccessStatement: ReadContext.LastSuccess {
    if let lastSuccess { .at(lastSuccess) } else { .never }
  }
}

/// Nothing may be published, because nothing was read.
public struct PublishRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// What happened, and what to do.
  public var description: String {
    "No read of this process has brought anything to publish; leave what was published before as it is."
  }
}
