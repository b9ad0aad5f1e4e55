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
    let process = Process()
    process.executableURL = URL(filePath: executable)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.currentDirectoryURL = workingDirectory ?? directory
    process.standardInput = try FileHandle(forReadingFrom: input)
    process.standardOutput = try Self.newFile(directory.appending(path: "stdout"))
    process.standardError = try Self.newFile(directory.appending(path: "stderr"))
    let exit = Exit()
    let watchdog = try Watchdog.shared.get()
    process.terminationHandler = { process in
      watchdog.release(process.processIdentifier)
      let isSignal = process.terminationReason == .uncaughtSignal
      exit.finish(isSignal ? 128 + process.terminationStatus : process.terminationStatus)
    }
    try process.run()
    pid = process.processIdentifier
    self.exit = exit
    watchdog.adopt(pid)
    if exit.status != nil { watchdog.release(pid) }
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

  private static func newFile(_ url: URL) throws -> FileHandle {
    try Data().write(to: url)
    return try FileHandle(forWritingTo: url)
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

/// A new directory with a short path, as sockets need one.
public func temporaryDirectory() throws -> URL {
  var template = Array("/tmp/dm-XXXXXX".utf8CString)
  guard mkdtemp(&template) != nil else { throw TestSupportError("no directory in /tmp (errno \(errno))") }
  return URL(filePath: String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
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
