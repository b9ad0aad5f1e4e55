internal import Glibc
internal import Synchronization

/// A small shell that outlives the test process, however that ends, and cleans up after it.
///
/// It reads from a socket whose other end only this process holds: the end of the process is the end of its input.
/// Then it kills the children that are left, and runs the commands that it was given.
final class Watchdog: Sendable {
  static let shared = Result { try Watchdog() }

  private let socket: Int32
  private let lock = Mutex(())

  private init() throws {
    var ends: [Int32] = [-1, -1]
    // Close-on-exec: another child with a copy of our end would keep the watchdog waiting.
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw TestSupportError("no socket for the watchdog (errno \(errno))")
    }
    socket = ends[0]
    let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { for file in [ends[1], nowhere] { close(file) } }
    // In a session of its own, so that Ctrl-C in the terminal passes by.
    _ = try Spawn(
      executable: "/usr/bin/setsid", arguments: ["/bin/sh", "-c", Self.script], stdin: ends[1], stdout: nowhere,
      stderr: nowhere
    ).start()
  }

  /// A child that must not outlive this process.
  func adopt(_ child: pid_t) { send("+ \(child)") }

  /// A child that has ended: its number may soon be somebody else's.
  func release(_ child: pid_t) { send("- \(child)") }

  /// A line of shell to run at the end. What was said last runs first.
  func atEnd(_ command: String) { send("c \(command)") }

  private func send(_ line: String) {
    lock.withLock { _ in
      let bytes = Array((line + "\n").utf8)
      // A watchdog that is gone cannot be told anything; the tests themselves do not depend on it.
      _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
  }

  private static let script = """
    trap '' INT TERM HUP QUIT
    children=' '
    commands=':'
    while read -r kind rest; do
      case $kind in
        +) children="$children$rest " ;;
        -) children="${children%% $rest *} ${children#* $rest }" ;;
        c) commands="$rest
    $commands" ;;
      esac
    done
    for child in $children; do kill -9 $child; done
    eval "$commands"
    """
}
