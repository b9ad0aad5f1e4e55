import Foundation
import Glibc

/// The program gnuplot, as far as it is there. It gets its script through standard input: no shell, no file on a disk.
struct Gnuplot {
  private static let deadline: Duration = .seconds(30)
  private let program: String

  /// - Throws: if it is not in the PATH.
  init(environment: [String: String]) throws(Failure) {
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let paths = folders.map { "\($0)/gnuplot" }
    guard let program = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
      throw Failure(
        code: .unavailable,
        message: "gnuplot draws the png, and it is not in the PATH. On Debian: sudo apt-get install gnuplot-nox. "
          + "The formats text and svg do without it.")
    }
    self.program = program
  }

  /// What it draws.
  func draw(_ script: String) async throws(Failure) -> Data {
    let (input, output) = (Pipe(), Pipe())
    let process = Process()
    process.executableURL = URL(filePath: program)
    // Nobody's .gnuplot; the script is read from standard input.
    process.arguments = ["--default-settings", "-"]
    process.standardInput = input
    process.standardOutput = output
    // Its complaints quote the script, and that holds health values.
    process.standardError = FileHandle.nullDevice
    // If it ends early, writing to it is an error and not the end of this process.
    signal(SIGPIPE, SIG_IGN)
    let picture: Data
    do {
      try process.run()
      let watch = Task {
        try await Task.sleep(for: Self.deadline)
        kill(process.processIdentifier, SIGKILL)
      }
      defer { watch.cancel() }
      picture = try await exchange(Data(script.utf8), input.fileHandleForWriting, output.fileHandleForReading)
      process.waitUntilExit()
    } catch {
      throw Failure(code: .internalError, message: "\(program) cannot be run: \(error.localizedDescription)")
    }
    guard process.terminationReason == .exit, process.terminationStatus == 0, picture.starts(with: Self.signature)
    else {
      throw Failure(code: .internalError, message: complaint(process))
    }
    return picture
  }

  /// The first bytes of every PNG.
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

  private func complaint(_ process: Process) -> String {
    let end =
      switch process.terminationReason {
      case .exit: "with status \(process.terminationStatus)"
      case .uncaughtSignal:
        "by signal \(process.terminationStatus), after at most \(Self.deadline.components.seconds) s"
      @unknown default: "in an unknown way"
      }
    return "\(program) ended \(end) and drew nothing. Can it draw png (set terminal pngcairo)? "
      + "The formats text and svg do without it."
  }

  /// Writes and reads at the same time, each on a thread of its own, so that neither end waits for the other's full pipe.
  private func exchange(_ script: Data, _ writer: FileHandle, _ reader: FileHandle) async throws -> Data {
    Thread.detachNewThread {
      // A program that ends before it has read all is told by its status.
      do { try writer.write(contentsOf: script) } catch {}
      do { try writer.close() } catch {}
    }
    return try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Data, any Error>) in
      Thread.detachNewThread {
        ended.resume(with: Result { try reader.readToEnd() ?? Data() })
      }
    }
  }
}
