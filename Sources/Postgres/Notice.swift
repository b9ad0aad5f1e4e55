internal import CLibPQ
internal import Synchronization

/// A message that the server sent beside its results, such as that of `RAISE NOTICE`.
public struct Notice: Sendable, Hashable {
  /// `NOTICE`, `WARNING`, `INFO`, `LOG` or `DEBUG`, never translated.
  public var severity: String
  /// Five characters, `00000` for a plain notice.
  public var sqlState: String
  /// The server's sentence, without its DETAIL.
  public var message: String
}

/// Passes notices from libpq to a closure.
final class NoticeReceiver: Sendable {
  private let body: @Sendable (Notice) -> Void
  private let ending = Mutex<String?>(nil)

  /// The state with which the server announced the end of the connection; nil: it did not. When it crashes or is stopped
  /// at once, its last words are a warning and no error.
  var announcedEnd: String? { ending.withLock { $0 } }

  init(_ body: @escaping @Sendable (Notice) -> Void) {
    self.body = body
  }

  /// Without a receiver libpq would print notices to stderr. The caller keeps `self` for as long as `connection`.
  ///
  /// The corresponding C function is `PQsetNoticeReceiver`.
  func attach(to connection: OpaquePointer) {
    PQsetNoticeReceiver(
      connection,
      { context, result in
        guard let context, let result else { return }
        Unmanaged<NoticeReceiver>.fromOpaque(context).takeUnretainedValue().receive(result)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private func receive(_ result: OpaquePointer) {
    func field(_ code: Character) -> String? {
      guard let value = code.asciiValue, let text = PQresultErrorField(result, Int32(value)) else { return nil }
      return String(cString: text)
    }
    // Messages of libpq itself have neither field; they are about the protocol and end in an error of their own.
    guard let severity = field("V"), let state = field("C"), let message = field("M") else { return }
    if PostgresError.isEndOfSession(state) { ending.withLock { $0 = state } }
    body(Notice(severity: severity, sqlState: state, message: message))
  }
}
