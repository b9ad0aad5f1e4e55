/// How long a test waits for what must come before it says that it never came. A slow and busy machine needs long; where all
/// is well nobody waits.
public let patience = Duration.seconds(180)

/// The moment between two looks. Looking without it takes from the programs under test the processor that they need.
public func moment() async throws {
  try await Task.sleep(for: .milliseconds(20))
}
