import FoundationEssentials
import Glibc
import MetricDaemon

/// Finds the command, runs it and ends the process.
enum Program {
  static let commands: [any Command.Type] = [
    RunCommand.self, MigrateCommand.self, EnqueueCommand.self, DrainCommand.self, RecheckCommand.self,
    StatusCommand.self, PauseCommand.self, ResumeCommand.self, PayloadCommand.self, DeadListCommand.self,
    DeadShowCommand.self, DeadRetryCommand.self, DeadDropCommand.self, DeadExportCommand.self,
    QuarantineListCommand.self, QuarantineShowCommand.self, QuarantineRetryCommand.self,
    QuarantineDropCommand.self, QuarantineExportCommand.self, ForgetCommand.self, ExportCommand.self,
    ValidateCommand.self, ConvertCommand.self, FormatsCommand.self,
    ImportLegacyCommand.self, RebuildCommand.self, ChartCommand.self,
    ReportCommand.self, ManualCommand.self,
    VersionCommand.self,
  ]

  /// `main` is synchronous: see Signals. The work runs on other threads, and this one waits for signals.
  static func start() -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let environment = ProcessInfo.processInfo.environment
    guard let name = arguments.first else {
      Journal.standardError(Overview.text + "\n")
      leave(.usage)
    }
    if ["--help", "-h", "help"].contains(name) {
      Terminal.out(Overview.text)
      leave(.success)
    }
    let words = name == "--version" ? [VersionCommand.page.name] : arguments
    // Some names have two words: dead list.
    for length in [1, 2] where length <= words.count {
      let verb = words.prefix(length).joined(separator: " ")
      guard let command = commands.first(where: { $0.page.name == verb }) else { continue }
      start(command, Array(words.dropFirst(length)), environment)
    }
    fail(unknown(words), .usage)
  }

  private static func unknown(_ words: [String]) -> String {
    let names = commands.map { $0.page.name }
    let family = names.filter { $0.hasPrefix(words[0] + " ") }
    let name = words.prefix(family.isEmpty ? 1 : 2).joined(separator: " ")
    if let close = Spelling.closest(to: name, among: names) {
      return "there is no command \(name); did you mean \(close)?"
    }
    let known =
      family.isEmpty ? "dailymetricd --help lists the commands." : "there are \(family.joined(separator: ", "))."
    return "there is no command \(name); \(known)"
  }

  private static func start(
    _ command: any Command.Type, _ arguments: [String], _ environment: [String: String]
  ) -> Never {
    let parsed: ParsedArguments
    do throws(UsageError) { parsed = try command.page.parser.parse(arguments) } catch {
      fail("\(error.message)\n\(command.page.usage)\nMore: dailymetricd \(command.page.name) --help", .usage)
    }
    if parsed.flags[Setting.help.flag] != nil {
      Terminal.out(command.page.help)
      leave(.success)
    }
    work(
      command,
      Call(arguments: parsed.positionals, values: values(command, parsed, environment), environment: environment))
  }

  /// What the command line, the environment and, for commands that take settings from there, a file and credentials say.
  private static func values(
    _ command: any Command.Type, _ parsed: ParsedArguments, _ environment: [String: String]
  ) -> SettingValues {
    guard command.page.settings.contains(.config) else {
      return SettingValues(flags: parsed.flags, environment: environment)
    }
    do throws(SettingError) {
      return try SettingValues.read(flags: parsed.flags, environment: environment)
    } catch {
      fail(error.message, error.source == .commandLine ? .usage : .configuration)
    }
  }

  private static func work(_ command: any Command.Type, _ call: Call) -> Never {
    // Before the first thread is made: all others inherit the mask.
    let signals = command.takesSignals ? Signals(stop: call.stop, reload: call.reload) : nil
    Task.detached {
      do throws(Failure) {
        leave(try await command.run(call))
      } catch {
        fail(error.message, error.code)
      }
    }
    signals?.serve()
    while true { pause() }
  }

  private static func fail(_ message: String, _ code: ExitCode) -> Never {
    Terminal.complain(message)
    leave(code)
  }

  private static func leave(_ code: ExitCode) -> Never { exit(code.rawValue) }
}
