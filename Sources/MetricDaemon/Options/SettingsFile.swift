internal import FoundationEssentials

/// A file of settings: `name = value` on each line, as the flags are called without their dashes. A line that begins with `#`
/// is a comment. A value goes to the end of its line; there are no quotes, so that a connection string is written as it is.
public struct SettingsFile: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    let text: String
    /// From 1.
    let line: Int
  }

  let path: String
  /// By flag.
  let entries: [String: Entry]

  /// Reads the file. Every line must be understood, and every value be one that its setting takes, whoever reads it: a mistake
  /// shows at the first command and not months later.
  public init(path: String) throws(SettingError) {
    let bytes: Data
    do { bytes = try Data(contentsOf: URL(filePath: path)) } catch {
      throw SettingError(
        source: .file, message: "the settings cannot be read from \(path): \(SettingsFile.reason(error))")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw SettingError(source: .file, message: "\(path) is not UTF-8")
    }
    try self.init(parsing: text, path: path)
  }

  /// Reads the text of a file; `path` is for the errors.
  public init(parsing text: String, path: String) throws(SettingError) {
    var entries: [String: Entry] = [:]
    // Also the line feeds of Windows, which are one character in Swift.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let line = line.trimmingWhiteSpace
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      let place = "\(path):\(index + 1)"
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0].trimmingWhiteSpace)
      guard parts.count == 2 else {
        throw SettingError(source: .file, message: "\(place): a line is NAME = VALUE, or begins with #")
      }
      guard let setting = Setting.inFile.first(where: { $0.name == name }) else {
        throw SettingError(source: .file, message: "\(place): \(SettingsFile.unknown(name))")
      }
      if let first = entries[setting.flag] {
        throw SettingError(source: .file, message: "\(place): \(name) is also set in line \(first.line)")
      }
      entries[setting.flag] = Entry(text: String(parts[1].trimmingWhiteSpace), line: index + 1)
    }
    self.path = path
    self.entries = entries
    let values = SettingValues(flags: [:], environment: [:], file: self)
    for setting in Setting.inFile where entries[setting.flag] != nil { try values.check(setting) }
  }

  private static func unknown(_ name: String) -> String {
    let close = Spelling.closest(to: name, among: Setting.inFile.map(\.name))
    return "there is no setting \(name)" + (close.map { "; did you mean \($0)?" } ?? "")
  }

  private static func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileNoSuchFile, .fileReadNoSuchFile: "there is no such file"
    case .fileReadNoPermission: "this user may not read it"
    default: "it is no readable file"
    }
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at its ends.
  var trimmingWhiteSpace: SubSequence {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let start = self.drop(while: isSpace)
    guard let last = start.lastIndex(where: { !isSpace($0) }) else { return start.prefix(0) }
    return start[...last]
  }
}
