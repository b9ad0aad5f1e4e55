internal import CLibPQ
internal import Glibc

extension Connection {
  /// Waits for a notification of a channel that the session listens to.
  ///
  /// Other calls wait as long as this one does; `wake()` ends it.
  ///
  /// - Parameter timeout: the longest wait; zero looks at what is there already.
  /// - Returns: true if a notification came, false if the time is over or somebody called `wake()`.
  /// - Throws: `connectionLost` if the server ends the connection meanwhile. A timeout is no error.
  public func waitForNotification(timeout: Duration) throws(PostgresError) -> Bool {
    try waitForCall(timeout: timeout) == .notification
  }

  /// Why a wait ended.
  public enum Call: Sendable {
    /// A notification came.
    case notification
    /// Somebody called `wake()`.
    case wake
    /// The time is over.
    case timeout
  }

  /// The same, and says why the wait ended. A `wake()` ends one wait only.
  public func waitForCall(timeout: Duration) throws(PostgresError) -> Call {
    let deadline = Deadline(timeout)
    while true {
      let handle = try session.open()
      guard PQconsumeInput(handle) == 1 else { throw session.lost() }
      if takeNotifications(handle) { return .notification }
      var descriptors = [
        pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0),
        pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      guard try session.poll(&descriptors, until: deadline) else { return .timeout }
      if descriptors[1].revents != 0 {
        wakeUp.reset()
        return .wake
      }
    }
  }

  /// Ends the wait for a notification: the running one, else the next one. It may be called from any thread.
  public nonisolated func wake() {
    wakeUp.signal()
  }

  /// Takes all notifications that have arrived; several count as one.
  private func takeNotifications(_ handle: OpaquePointer) -> Bool {
    var found = false
    while let notification = PQnotifies(handle) {
      PQfreemem(notification)
      found = true
    }
    return found
  }
}
