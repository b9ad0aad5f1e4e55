import FoundationEssentials
import MetricDaemon

/// The parts of a service as the settings of one call want them.
struct ServiceSetup {
  let configuration: Configuration
  let journal: Journal
  private let call: Call

  init(_ call: Call, logLevel: Setting = .logLevel) throws(Failure) {
    configuration = try call.setting { (values) throws(SettingError) in try Configuration(values, logLevel: logLevel) }
    journal = Journal(level: configuration.logLevel, hasPriorityPrefix: call.environment["JOURNAL_STREAM"] != nil)
    self.call = call
  }

  func make() -> Daemon {
    Daemon(
      configuration: configuration, opener: SessionOpener(configuration.address), journal: journal,
      serviceManager: ServiceManager(environment: call.environment), stop: call.stop, reload: call.reload)
  }
}
