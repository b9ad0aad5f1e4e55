public import FoundationEssentials
public import HealthPayload

/// A value that cannot be used, and where it came from.
public struct SettingError: Error, Sendable, Equatable {
  /// Who wrote the value.
  public enum Source: Sendable, Equatable {
    /// The caller, on the command line.
    case commandLine
    /// The environment, usually a unit file.
    case environment
    /// The file of settings.
    case file
  }

  /// Who wrote the value.
  public let source: Source
  /// What is wrong with it and what is wanted.
  public let message: String
}

/// What holds for one call: the command line wins over the environment, that over credentials, these over the file of
/// settings, and that over the definition's own value.
public struct SettingValues: Sendable {
  private let flags: [String: String]
  private let environment: [String: String]
  private let file: SettingsFile?
  /// Secrets that the service manager handed over.
  public let credentials: Credentials

  /// Values of this command line and environment. An empty environment variable counts as not set.
  public init(
    flags: [String: String], environment: [String: String], file: SettingsFile? = nil, credentials: Credentials = .none
  ) {
    self.flags = flags
    self.environment = environment
    self.file = file
    self.credentials = credentials
  }

  /// Values of this command line and environment, and of the file and the credentials that they name.
  public static func read(
    flags: [String: String], environment: [String: String]
  ) throws(SettingError) -> SettingValues {
    let path = try SettingValues(flags: flags, environment: environment).text(.config)
    let file: SettingsFile?
    if let path { file = try SettingsFile(path: path) } else { file = nil }
    return SettingValues(
      flags: flags, environment: environment, file: file, credentials: try Credentials(environment: environment))
  }

  /// The same call's values by what the file and the credentials say now.
  func readAgain() throws(SettingError) -> SettingValues {
    try SettingValues.read(flags: flags, environment: environment)
  }

  /// What is said of each setting of the documentation, by name, but for what nobody says.
  var texts: [String: String] {
    Setting.documented.reduce(into: [:]) { texts, setting in texts[setting.name] = find(setting)?.text }
  }

  /// Throws if the value is none that the setting takes.
  func check(_ setting: Setting) throws(SettingError) {
    switch setting.kind {
    case .toggle: break
    case .number: _ = try number(setting)
    case .seconds: _ = try duration(setting)
    case .text: _ = try text(setting)
    case .instant: _ = try instant(setting)
    case .date: _ = try date(setting)
    case .uuid: _ = try uuid(setting)
    case .word: _ = try word(setting)
    case .address: _ = try address(setting)
    }
  }

  /// Whether the toggle was given.
  public func isOn(_ setting: Setting) -> Bool { flags[setting.flag] != nil }

  /// The text, or nil if nobody set it and the definition has none.
  public func text(_ setting: Setting) throws(SettingError) -> String? {
    guard let found = find(setting) else { return nil }
    guard !found.text.isEmpty else { throw found.error("is empty") }
    return found.text
  }

  /// The connection string, or nil if nobody set it. On the command line it may hold no password: every user of the machine can
  /// read that of every process.
  public func connectionString() throws(SettingError) -> String? {
    if let text = flags[Setting.dsn.flag], ConnectionText.holdsPassword(text) {
      throw SettingError(
        source: .commandLine,
        message:
          "\(Setting.dsn.flag) holds a password, and everybody on this machine can read it in the list of processes. "
          + "Put it into the file that PGPASSFILE names, a service file, the credential \(Credentials.passwordName), "
          + "or the whole string into the environment as DAILYMETRICD_DSN")
    }
    return try text(.dsn)
  }

  /// A whole number of the setting's range, or nil if nobody set it.
  public func optionalNumber(_ setting: Setting) throws(SettingError) -> Int? {
    try text(setting) == nil ? nil : number(setting)
  }

  /// A whole number of the setting's range.
  public func number(_ setting: Setting) throws(SettingError) -> Int {
    guard let found = find(setting), case .number(let range) = setting.kind else {
      throw SettingValues.undefined(setting)
    }
    guard let number = Int(found.text), range.contains(number) else {
      throw found.error("a whole number from \(range.lowerBound) to \(range.upperBound) is needed")
    }
    return number
  }

  /// A duration of the setting's range.
  public func duration(_ setting: Setting) throws(SettingError) -> Duration {
    guard let found = find(setting), case .seconds(let range) = setting.kind else {
      throw SettingValues.undefined(setting)
    }
    guard let seconds = Double(found.text), range.contains(seconds) else {
      throw found.error(
        "seconds from \(SettingValues.plain(range.lowerBound)) to \(SettingValues.plain(range.upperBound)) are needed")
    }
    return .seconds(seconds)
  }

  /// One of the setting's words.
  public func word(_ setting: Setting) throws(SettingError) -> String {
    guard let found = find(setting), case .word(let words) = setting.kind else {
      throw SettingValues.undefined(setting)
    }
    guard words.contains(found.text) else { throw found.error("one of \(words.joined(separator: ", ")) is needed") }
    return found.text
  }

  /// A UUID, or nil if nobody set it.
  public func uuid(_ setting: Setting) throws(SettingError) -> UUID? {
    guard let found = find(setting) else { return nil }
    guard let id = UUID(uuidString: found.text) else { throw found.error("a UUID is needed") }
    return id
  }

  /// A calendar day, or nil if nobody set it.
  public func date(_ setting: Setting) throws(SettingError) -> LocalDate? {
    guard let found = find(setting) else { return nil }
    guard let date = LocalDate(found.text) else { throw found.error("a date is needed, such as 2026-03-01") }
    return date
  }

  /// An address with its port, or nil if nobody set it; one that others can reach only if `scope` says anywhere.
  public func address(_ setting: Setting, scope: Setting) throws(SettingError) -> ListenAddress? {
    let isOpen = try word(scope) == "anywhere"
    guard let found = find(setting), let address = try address(setting) else { return nil }
    guard address.isLoopback || isOpen else {
      throw found.error("other machines can reach it; with \(scope.flag) anywhere it is taken all the same")
    }
    return address
  }

  /// An address, whoever can reach it: who may is said elsewhere, and perhaps in another place than this one.
  private func address(_ setting: Setting) throws(SettingError) -> ListenAddress? {
    guard let found = find(setting) else { return nil }
    guard let address = ListenAddress(found.text) else {
      throw found.error("a numeric address and a port are needed, such as 127.0.0.1:14711 or [::1]:14711")
    }
    return address
  }

  /// An instant, or nil if nobody set it.
  public func instant(_ setting: Setting) throws(SettingError) -> Instant? {
    guard let found = find(setting) else { return nil }
    guard let instant = Instant(found.text) else {
      // A time that is one, but no clock's.
      if Instant(found.text, years: Instant.writableYears) != nil {
        let years = Instant.acceptedYears
        throw found.error("a time in the years \(years.lowerBound) to \(years.upperBound) is needed")
      }
      throw found.error("a time with its zone as in RFC 3339 is needed, such as 2026-03-01T07:00:00Z")
    }
    return instant
  }

  /// 0.01, and 3600 without a fraction.
  static func plain(_ number: Double) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private struct Found {
    let text: String
    let name: String
    let source: SettingError.Source

    func error(_ wanted: String) -> SettingError {
      SettingError(source: source, message: "\(name) is \"\(text)\": \(wanted)")
    }
  }

  private func find(_ setting: Setting) -> Found? {
    if let text = flags[setting.flag] { return Found(text: text, name: setting.flag, source: .commandLine) }
    if let variable = setting.environment, let text = environment[variable], !text.isEmpty {
      return Found(text: text, name: variable, source: .environment)
    }
    if setting == .dsn, let dsn = credentials.dsn {
      return Found(text: dsn, name: Credentials.dsnName, source: .environment)
    }
    if let file, let entry = file.entries[setting.flag] {
      return Found(text: entry.text, name: "\(file.path):\(entry.line): \(setting.name)", source: .file)
    }
    return setting.fallback.map { Found(text: $0, name: setting.flag, source: .commandLine) }
  }

  private static func undefined(_ setting: Setting) -> SettingError {
    SettingError(source: .commandLine, message: "\(setting.flag) has no value")
  }
}
