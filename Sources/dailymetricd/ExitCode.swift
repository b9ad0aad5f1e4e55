/// How a command ended, in the words of sysexits.h where it has one.
enum ExitCode: Int32, Sendable, CaseIterable {
  case success = 0
  /// Asked and answered: unhealthy, unknown.
  case negative = 1
  case usage = 64
  case data = 65
  case noInput = 66
  case unavailable = 69
  case internalError = 70
  case cannotCreate = 73
  case configuration = 78

  /// For help pages.
  var meaning: String {
    switch self {
    case .success: "done"
    case .negative: "the answer is no"
    case .usage: "the command line is wrong"
    case .data: "the input is wrong: each error is printed"
    case .noInput: "the input file cannot be read"
    case .unavailable: "the database cannot be reached"
    case .internalError: "the database or this program failed: the error is printed"
    case .cannotCreate: "the output file cannot be written"
    case .configuration: "a setting is wrong, or the schema is not the one this build works with"
    }
  }

  /// Rows of all codes, for the manual.
  static var all: [(code: Int32, meaning: String)] { allCases.map { (code: $0.rawValue, meaning: $0.meaning) } }

  /// Rows of a help page.
  static func rows(_ codes: ExitCode..., replacing: [ExitCode: String] = [:]) -> [(code: Int32, meaning: String)] {
    codes.map { (code: $0.rawValue, meaning: replacing[$0] ?? $0.meaning) }
  }
}
