import Foundation
import HealthPayload
import MetricDaemon

/// One call of the program: what was written on the command line and what the environment says.
struct Call: Sendable {
  let arguments: [String]
  let values: SettingValues
  let environment: [String: String]
  /// Asked for by SIGTERM and SIGINT, for the commands that take signals.
  let stop = StopRequest()
  /// Asked for by SIGHUP, for the commands that take signals.
  let reload = ReloadRequest()
}

/// A verb of the program.
protocol Command: Sendable {
  static var page: CommandPage { get }
  /// Whether SIGTERM and SIGINT let the work in hand end well; otherwise they end the process as usual.
  static var takesSignals: Bool { get }
  static func run(_ call: Call) async throws(Failure) -> ExitCode
}

extension Command {
  static var takesSignals: Bool { false }
}

/// Why a command gives up.
struct Failure: Error {
  let code: ExitCode
  /// What happened, where, and what to do about it.
  let message: String
}

extension Call {
  /// Reads settings. A value that cannot be used is the caller's mistake or the installation's, by where it was written.
  func setting<Value>(_ read: (SettingValues) throws(SettingError) -> Value) throws(Failure) -> Value {
    do throws(SettingError) { return try read(values) } catch {
      throw Failure(code: error.source == .commandLine ? .usage : .configuration, message: error.message)
    }
  }

  /// The instant to be taken for now, or nil for the clock's.
  func asOf() throws(Failure) -> Instant? {
    try setting { (values) throws(SettingError) in try values.instant(.asOf) }
  }
}

/// Everything that is printed.
enum Terminal {
  /// Results.
  static func out(_ text: String) { print(text) }

  /// Errors and warnings: not part of the result, so that it can be piped.
  static func complain(_ text: String) {
    Journal.standardError("dailymetricd: \(text)\n")
  }
}
