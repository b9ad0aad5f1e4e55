internal import Glibc

/// A descriptor that becomes readable when another thread says so, to end a `poll`.
///
/// The corresponding C function is `socketpair`.
final class WakeUp: Sendable {
  /// What to poll for reading.
  let descriptor: Int32
  private let writer: Int32

  init() throws(PostgresError) {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else {
      throw PostgresError(
        .usage, "no file descriptor left for a connection (errno \(errno)); raise the limit of open files")
    }
    (descriptor, writer) = (ends[0], ends[1])
  }

  deinit {
    Glibc.close(descriptor)
    Glibc.close(writer)
  }

  /// Stays in force until `reset`.
  func signal() {
    // A write fails only when the buffer is full, and then it is readable already.
    var byte: UInt8 = 1
    _ = write(writer, &byte, 1)
  }

  func reset() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while read(descriptor, &bytes, bytes.count) == bytes.count {}
  }
}
