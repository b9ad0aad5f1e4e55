import FoundationEssentials
import Glibc
import HealthPayload
import MetricDaemon
import MetricStore

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
  /// A session of the database that the settings name, closed when `body` is done.
  func withSession<Value: Sendable>(
    _ body: (StoreSession) async throws(StoreError) -> Value
  ) async throws(Failure) -> Value {
    let address = try setting { (values) throws(SettingError) in try Configuration.watchedAddress(values) }
    return try await storing { () async throws(StoreError) in
      let session = try await StoreSession.open(address)
      do throws(StoreError) {
        let value = try await body(session)
        await session.close()
        return value
      } catch {
        await session.close()
        throw error
      }
    }
  }

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

extension Failure {
  /// What an error of the database means for a command that does not wait for it to pass.
  init(_ error: StoreError) {
    let code: ExitCode =
      switch error.kind {
      case .unavailable: .unavailable
      case .schema, .usage: .configuration
      case .data: .data
      case .transient, .systemic: .internalError
      }
    self.init(code: code, message: error.message)
  }
}

/// Runs what may fail with the store's error.
func storing<Value>(_ body: () throws(StoreError) -> Value) throws(Failure) -> Value {
  do throws(StoreError) { return try body() } catch { throw Failure(error) }
}

/// Runs what may fail with the store's error.
func storing<Value>(_ body: () async throws(StoreError) -> Value) async throws(Failure) -> Value {
  do throws(StoreError) { return try await body() } catch { throw Failure(error) }
}

/// Everything that is printed. Texts of others are in it, so that nothing reaches a terminal that it would take for a command.
enum Terminal {
  /// Results. A text of others that a line feed could break is given `onOneLine`.
  static func out(_ text: String) { print(text.inVisibleLines) }

  /// A text as it is, for files and other programs; a terminal is shown what it would take for commands.
  static func out(verbatim text: String) { isatty(STDOUT_FILENO) == 1 ? out(text) : print(text) }

  /// A result for programs: one object on one line, keys in order.
  static func out(json value: some Encodable) throws(Failure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    do {
      print(String(decoding: try encoder.encode(value), as: UTF8.self).inVisibleJSON)
    } catch {
      throw Failure(code: .internalError, message: "cannot print as JSON: \(error)")
    }
  }

  /// A part of a JSON document for programs, whatever it holds in visible form.
  static func out(part text: String) { print(text.isPlain ? text : text.inVisibleJSON) }

  /// One of many results for programs. All that is printed so can be encoded.
  static func out(line value: some Encodable) {
    do throws(Failure) { try out(json: value) } catch { complain(error.message) }
  }

  /// Errors and warnings: not part of the result, so that it can be piped.
  static func complain(_ text: String) {
    Journal.standardError("dailymetricd: \(text.inVisibleLines)\n")
  }
}
