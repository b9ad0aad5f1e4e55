import FoundationEssentials
import MetricDaemon
import MetricEndpoint

/// The parts of a service as the settings of one call want them.
struct ServiceSetup {
  let settings: SettingsInForce
  let journal: Journal
  private let call: Call

  init(_ call: Call, logLevel: Setting = .logLevel) throws(Failure) {
    settings = try call.setting { (values) throws(SettingError) in try SettingsInForce(values, logLevel: logLevel) }
    journal = Journal(level: settings.current.logLevel, hasPriorityPrefix: call.environment["JOURNAL_STREAM"] != nil)
    self.call = call
  }

  func make(_ instruments: Instruments = Instruments()) throws(Failure) -> Daemon {
    Daemon(
      settings: settings, opener: SessionOpener(settings.current.address), journal: journal,
      serviceManager: ServiceManager(environment: call.environment), stop: call.stop, reload: call.reload,
      instruments: instruments, translator: try Formats.load())
  }

  /// What answers monitors, from now on; nil: nobody asked for it. An address that cannot be had is an error at the start,
  /// because a service that nobody sees is not what was asked for.
  func endpoint(_ instruments: Instruments) throws(Failure) -> Endpoint? {
    guard let wanted = settings.current.metricsListen else { return nil }
    do throws(EndpointError) {
      let build = Build(version: ProductVersion.text, schema: ProductVersion.schema)
      let endpoint = try Endpoint(at: wanted, build: build, instruments: instruments)
      journal.log(.info, "answering monitors", ["address": .text(endpoint.address.description)])
      return endpoint
    } catch {
      throw Failure(code: .configuration, message: error.message)
    }
  }
}
