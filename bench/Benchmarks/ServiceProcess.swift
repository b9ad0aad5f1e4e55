import Foundation
import Glibc

/// `dailymetricd run`, as it was built beside this program.
final class ServiceProcess {
  private let process = Process()
  private let log: URL

  init(_ database: ScratchDatabase, workers: Int) throws {
    let folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
    log = FileManager.default.temporaryDirectory.appending(path: "dailymetricd-bench-\(getpid()).log")
    guard FileManager.default.createFile(atPath: log.path, contents: nil) else {
      throw BenchmarkFailure("\(log.path) cannot be written")
    }
    process.executableURL = folder.appending(path: "dailymetricd")
    process.arguments = ["run", "--workers", String(workers), "--dsn", database.dsn]
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  /// The most memory that it has had so far, in megabytes.
  func peakMemory() throws -> Double {
    let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) }) else {
      throw BenchmarkFailure("/proc says nothing of the service's memory")
    }
    return kibibytes * 1_024 / 1e6
  }

  /// Ends it, and wants it to have had no trouble.
  func end() throws {
    process.terminate()
    process.waitUntilExit()
    let text = try String(contentsOf: log, encoding: .utf8)
    try FileManager.default.removeItem(at: log)
    guard process.terminationStatus == 0, !text.contains("level=warning"), !text.contains("level=error")
    else {
      throw BenchmarkFailure("the service was in trouble:\n\(text)")
    }
  }
}
