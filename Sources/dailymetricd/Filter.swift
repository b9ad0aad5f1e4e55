import FoundationEssentials
import Glibc

/// A program that reads standard input and writes standard output: no shell, no file on a disk.
struct Filter {
  /// How a program ended.
  enum End {
    case exited(Int32)
    case killed(signal: Int32)
  }

  /// What the C library refused, in its words.
  struct Trouble: Error {
    let reason: String
    init(_ number: Int32) { reason = String(cString: strerror(number)) }
  }

  let program: String
  let arguments: [String]
  /// When the program is killed.
  let deadline: Duration

  /// What the program makes of `input`. It blocks its thread: a command has nothing else to do.
  func run(_ input: Data) throws(Trouble) -> (output: Data, end: End) {
    // A program that ends before it has read all is told by its status, and writing to it is an error, not our end.
    signal(SIGPIPE, SIG_IGN)
    let (ours, theirs) = try Filter.socketPair()
    let child: pid_t
    do throws(Trouble) {
      defer { close(theirs) }
      child = try start(theirs)
    } catch {
      close(ours)
      throw error
    }
    defer { close(ours) }
    let output = exchange([UInt8](input), ours, child)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { throw Trouble(errno) } }
    let signal = status & 0x7F
    return (output, signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal))
  }

  /// Both ways in one descriptor: written to and shut down at one end while the other is still read.
  private static func socketPair() throws(Trouble) -> (Int32, Int32) {
    var pair: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { throw Trouble(errno) }
    return (pair[0], pair[1])
  }

  /// The corresponding C function is `posix_spawn`. What the program complains about quotes its input, and goes nowhere.
  private func start(_ descriptor: Int32) throws(Trouble) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, descriptor, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    // The threads of this process block signals that a program wants to hear.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var child: pid_t = 0
    let error = posix_spawn(&child, program, &actions, &attributes, words, environ)
    guard error == 0 else { throw Trouble(error) }
    return child
  }

  /// Writes and reads at the same time, so that neither end waits for the other; kills the program at the deadline.
  private func exchange(_ input: [UInt8], _ descriptor: Int32, _ child: pid_t) -> Data {
    let end = ContinuousClock.now + deadline
    var (output, rest) = (Data(), input[...])
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let (seconds, attoseconds) = (end - .now).components
      let left = max(0, seconds * 1000 + attoseconds / 1_000_000_000_000_000)
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN | (rest.isEmpty ? 0 : POLLOUT)), revents: 0)
      let ready = Glibc.poll(&poll, 1, Int32(left))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else {
        kill(child, SIGKILL)
        return output
      }
      if !rest.isEmpty, poll.revents & Int16(POLLOUT) != 0 {
        let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
        // Whoever reads no more is told by its status.
        rest = sent >= 0 ? rest.dropFirst(sent) : (errno == EAGAIN ? rest : [])
        if rest.isEmpty { shutdown(descriptor, Int32(SHUT_WR)) }
      }
      guard poll.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 else { continue }
      let count = recv(descriptor, &chunk, chunk.count, Int32(MSG_DONTWAIT))
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      guard count > 0 else { return output }
      output.append(contentsOf: chunk[..<count])
    }
  }
}
