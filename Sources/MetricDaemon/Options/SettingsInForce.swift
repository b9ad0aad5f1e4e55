internal import Synchronization

/// The settings of a process: those it began with, and what reading them again may change.
public final class SettingsInForce: Sendable {
  /// What reading the settings again has found.
  public struct Change: Sendable, Equatable {
    /// Names of settings that hold from now on.
    public let applied: [String]
    /// Names of settings that were changed and hold from the next start on.
    public let waiting: [String]
  }

  private struct State {
    var configuration: Configuration
    var texts: [String: String]
  }

  private let logLevel: Setting
  private let beginning: [String: String]
  private let state: Mutex<State>
  private let readAgain: @Sendable () throws(SettingError) -> SettingValues

  /// Settings as `values` say; reading them again reads their file and credentials again. `logLevel` is the one of the command.
  public init(_ values: SettingValues, logLevel: Setting = .logLevel) throws(SettingError) {
    self.logLevel = logLevel
    beginning = values.texts
    state = Mutex(State(configuration: try Configuration(values, logLevel: logLevel), texts: values.texts))
    readAgain = { () throws(SettingError) in try values.readAgain() }
  }

  /// What holds now.
  public var current: Configuration { state.withLock { $0.configuration } }

  /// Reads the settings again and takes over those that a running process can. After an error the old ones stay.
  public func reload() throws(SettingError) -> Change {
    let values = try readAgain()
    let fresh = try Configuration(values, logLevel: logLevel)
    let texts = values.texts
    let reloaded = Set(Setting.reloaded.map(\.name))
    return state.withLock { state in
      let applied = reloaded.filter { texts[$0] != state.texts[$0] }.sorted()
      let waiting = Set(texts.keys).union(beginning.keys).subtracting(reloaded)
        .filter { texts[$0] != beginning[$0] }.sorted()
      state.configuration.takeOver(fresh)
      state.texts = texts
      return Change(applied: applied, waiting: waiting)
    }
  }
}
