/// Why a test could not be set up.
public struct TestSupportError: Error, CustomStringConvertible {
  /// What happened, where, and what to do.
  public let description: String

  /// An error that says `description`.
  public init(_ description: String) {
    self.description = description
  }
}
