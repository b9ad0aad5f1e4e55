import FoundationEssentials
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
  func draw(_ script: String) throws(Failure) -> Data {
    // Nobody's .gnuplot; the script is read from standard input.
    let gnuplot = Filter(program: program, arguments: ["--default-settings", "-"], deadline: Self.deadline)
    let (picture, end): (Data, Filter.End)
    do throws(Filter.Trouble) { (picture, end) = try gnuplot.run(Data(script.utf8)) } catch {
      throw Failure(code: .internalError, message: "\(program) cannot be run: \(error.reason)")
    }
    guard case .exited(0) = end, picture.starts(with: Self.signature) else {
      throw Failure(code: .internalError, message: complaint(end))
    }
    return picture
  }

  /// The first bytes of every PNG.
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47]

  private func complaint(_ end: Filter.End) -> String {
    let how =
      switch end {
      case .exited(let status): "with status \(status)"
      case .killed(let signal): "by signal \(signal), after at most \(Self.deadline.components.seconds) s"
      }
    return "\(program) ended \(how) and drew nothing. Can it draw png (set terminal pngcairo)? "
      + "The formats text and svg do without it."
  }
}
