/// What a command is called, what it takes, and the page that `--help` prints about it.
public struct CommandPage: Sendable {
  /// An argument that must be given.
  public struct Argument: Sendable {
    /// In capitals, as in the usage line.
    public let name: String
    /// One line: what it is.
    public let help: String

    /// An argument with its line.
    public init(_ name: String, _ help: String) {
      self.name = name
      self.help = help
    }
  }

  /// A command line and what it does.
  public struct Example: Sendable {
    /// What it does, as a clause.
    public let purpose: String
    /// The command line.
    public let command: String

    /// A command line and what it does.
    public init(_ purpose: String, _ command: String) {
      self.purpose = purpose
      self.command = command
    }
  }

  /// As written on the command line.
  public let name: String
  /// One line for the overview.
  public let summary: String
  /// What it does: paragraphs, set by hand to at most 80 columns.
  public let text: String
  /// What must be given, in order.
  public let arguments: [Argument]
  /// What may be given after them any number of times, or nil.
  public let repeated: Argument?
  /// Settings that must be given.
  public let needed: [Setting]
  /// What may be given, besides --help; what must be given first.
  public let settings: [Setting]
  /// Exit codes with their meaning, in order.
  public let exitCodes: [(code: Int32, meaning: String)]
  /// Two lines that one would really type.
  public let examples: [Example]

  /// A page of these parts.
  public init(
    name: String, summary: String, text: String, arguments: [Argument] = [], repeated: Argument? = nil,
    needed: [Setting] = [], settings: [Setting],
    exitCodes: [(code: Int32, meaning: String)], examples: [Example]
  ) {
    self.name = name
    self.summary = summary
    self.text = text
    self.arguments = arguments
    self.repeated = repeated
    self.needed = needed
    self.settings = needed + settings
    self.exitCodes = exitCodes
    self.examples = examples
  }

  /// The parser of this command's arguments.
  public var parser: ArgumentParser {
    ArgumentParser(
      settings: settings + [.help], positionals: arguments.map(\.name), takesMore: repeated != nil, needed: needed)
  }

  /// The first line of the page.
  public var usage: String {
    let more = repeated.map { ["[\($0.name) ...]"] } ?? []
    let options = settings.isEmpty ? [] : ["[options]"]
    let flags = needed.map { "\($0.flag) \($0.placeholder)" }
    return (["usage: dailymetricd", name] + flags + arguments.map(\.name) + more + options).joined(separator: " ")
  }

  /// The whole page; ends with a line feed.
  public var help: String {
    var sections = [usage, text]
    let all = arguments + (repeated.map { [$0] } ?? [])
    if !all.isEmpty { sections.append("Arguments\n" + Columns.rows(all.map { ($0.name, $0.help) })) }
    sections.append("Options\n" + Columns.rows((settings + [.help]).map(CommandPage.row)))
    sections.append("Exit codes\n" + Columns.rows(exitCodes.map { (String($0.code), $0.meaning) }))
    sections.append("Examples\n" + examples.map { "  # \($0.purpose)\n  \($0.command)" }.joined(separator: "\n\n"))
    return sections.joined(separator: "\n\n") + "\n"
  }

  private static func row(_ setting: Setting) -> (String, String) {
    let left = setting.takesValue ? "\(setting.flag) \(setting.placeholder)" : setting.flag
    var notes: [String] = []
    if let fallback = setting.fallback { notes.append("default \(fallback)") }
    if let environment = setting.environment { notes.append(environment) }
    return (left, setting.help + (notes.isEmpty ? "" : "\n(\(notes.joined(separator: "; ")))"))
  }
}

/// Sets two columns side by side.
enum Columns {
  /// Columns of a terminal that nobody made wider.
  static let width = 80

  /// Two spaces, the left texts padded to the longest, two spaces, the right texts; what does not fit goes on below.
  static func rows(_ rows: [(String, String)]) -> String {
    let left = rows.map(\.0.count).reduce(0, max)
    let gap = "\n" + String(repeating: " ", count: left + 4)
    return rows.map { name, text in
      let lines = text.split(separator: "\n").flatMap { wrap(String($0), to: width - left - 4) }
      return "  " + name + String(repeating: " ", count: left - name.count + 2) + lines.joined(separator: gap)
    }.joined(separator: "\n")
  }

  /// The text in lines of at most `columns`, broken between words; a word that is longer has a line of its own.
  static func wrap(_ text: String, to columns: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty && line.count + 1 + word.count > columns {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [line]
  }
}
