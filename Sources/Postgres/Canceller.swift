internal import CLibPQ

/// Asks the server to give up the running statement, over a connection of its own.
///
/// Unchecked: `PQcancel` is the one call of libpq that is made for other threads, and the handle never changes.
final class Canceller: @unchecked Sendable {
  private let handle: OpaquePointer

  /// nil if libpq has no key for it.
  ///
  /// The corresponding C function is `PQgetCancel`.
  init?(_ connection: OpaquePointer) {
    guard let handle = PQgetCancel(connection) else { return nil }
    self.handle = handle
  }

  deinit {
    PQfreeCancel(handle)
  }

  /// Sends the request and returns at once.
  ///
  /// A frozen server would hold `PQcancel` for ever, so that it gets a thread of its own.
  /// Whether the server heard it shows in the statement alone: the answer to the request says nothing.
  func send() {
    DetachedThread.start {
      var answer = [CChar](repeating: 0, count: 256)
      PQcancel(self.handle, &answer, Int32(answer.count))
    }
  }
}
