/// Opens sessions of MetricStore for the workers.
public struct SessionOpener: StoreOpener {
  private let configuration: Configuration

  /// Connects as the configuration says.
  public init(_ configuration: Configuration) { self.configuration = configuration }

  /// One new connection that takes writes.
  public func open() async throws(StoreFailure) -> any Store {
    throw StoreFailure(.connectionLost, message: "this build has no store yet")
  }
}
