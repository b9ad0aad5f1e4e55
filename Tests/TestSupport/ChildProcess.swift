public import Foundation
internal import Glibc
internal import Synchronization

/// What a program left behind.
public struct ProcessResult: Sendable {
  /// The exit status; 128 plus the signal's number if a signal ended it.
  public let status: Int32
  /// All of its standard output.
  public let stdout: String
  /// All of its standard error.
  public let stderr: String
}

/// A program started by a test. It ends with the test process at the latest.
public final class ChildProcess: Sendable {
  /// The number of the process.
  public let pid: pid_t
  private let directory: URL
  private let exit: Exit

  /// Starts a program and returns at once.
  ///
  /// - Parameters:
  ///   - executable: the path of the program.
  ///   - arguments: what comes after the program's name.
  ///   - environment: variables beside those of this process, or instead of them.
  ///   - stdin: what the program can read.
  ///   - workingDirectory: where it starts; nil for a directory of its own.
  public init(
    _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:], stdin: String = "",
    workingDirectory: URL? = nil
  ) throws {
    directory = try temporaryDirectory()
    // Files instead of pipes: no program can block on them, and its own children may keep them open.
    let input = directory.appending(path: "stdin")
    try Data(stdin.utf8).write(to: input)
    let files = try [
      Self.open(input, O_RDONLY), Self.open(directory.appending(path: "stdout"), O_WRONLY | O_CREAT),
      Self.open(directory.appending(path: "stderr"), O_WRONLY | O_CREAT),
    ]
    defer { for file in files { close(file) } }
    let watchdog = try Watchdog.shared.get()
    let pid = try Spawn(
      executable: executable, arguments: arguments,
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
      directory: (workingDirectory ?? directory).path, stdin: files[0], stdout: files[1], stderr: files[2]
    ).start()
    watchdog.adopt(pid)
    let exit = Exit()
    Thread.detachNewThread {
      let status = Self.waitForEnd(of: pid)
      watchdog.release(pid)
      exit.finish(status)
    }
    (self.pid, self.exit) = (pid, exit)
  }

  deinit {
    send(SIGKILL)
    do { try FileManager.default.removeItem(at: directory) } catch { print("left behind: \(directory.path)") }
  }

  /// Whether the program has not ended yet.
  public var isRunning: Bool { exit.status == nil }

  /// Sends a signal, unless the program has ended.
  public func send(_ signal: Int32) {
    if isRunning { kill(pid, signal) }
  }

  /// What the program has written so far.
  public func output() throws -> (stdout: String, stderr: String) {
    (try text("stdout"), try text("stderr"))
  }

  /// Waits for the end of the program.
  public func wait() async throws -> ProcessResult {
    let status = await exit.wait()
    return ProcessResult(status: status, stdout: try text("stdout"), stderr: try text("stderr"))
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: directory.appending(path: name)), as: UTF8.self)
  }

  private static func open(_ file: URL, _ flags: Int32) throws -> Int32 {
    let descriptor = Glibc.open(file.path, flags | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TestSupportError("cannot open \(file.path) (errno \(errno))") }
    return descriptor
  }

  /// The exit status, or 128 plus the signal.
  private static func waitForEnd(of pid: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}

/// Runs a program to its end.
///
/// - Throws: only if it cannot be started. An exit status other than 0 is a result.
public func run(
  _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:], stdin: String = "",
  workingDirectory: URL? = nil
) async throws -> ProcessResult {
  try await ChildProcess(
    executable, arguments, environment: environment, stdin: stdin, workingDirectory: workingDirectory
  ).wait()
}

/// The end of a process, for any number of waiters.
private final class Exit: Sendable {
  private enum State {
    case running([CheckedContinuation<Int32, Never>])
    case ended(Int32)
  }

  private let state = Mutex(State.running([]))

  var status: Int32? {
    state.withLock { if case .ended(let status) = $0 { status } else { nil } }
  }

  func finish(_ status: Int32) {
    let waiting = state.withLock { state in
      defer { state = .ended(status) }
      if case .running(let waiting) = state { return waiting }
      return []
    }
    for continuation in waiting { continuation.resume(returning: status) }
  }

  func wait() async -> Int32 {
    await withCheckedContinuation { continuation in
      let status: Int32? = state.withLock { state in
        switch state {
        case .ended(let status): return status
        case .running(let waiting):
          state = .running(waiting + [continuation])
          return nil
        }
      }
      if let status { continuation.resume(returning: status) }
    }
  }
}
