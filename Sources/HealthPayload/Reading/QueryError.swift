/// An error of a query, as its framework names it: the domain and code of an `NSError`.
public struct QueryError: Error, Sendable, Hashable {
  /// The domain, such as `com.apple.healthkit`.
  public let domain: String
  /// The number of the error within its domain.
  public let code: Int

  /// An error by its domain and code.
  public init(domain: String, code: Int) {
    self.domain = domain
    self.code = code
  }

  /// An error of HealthKit by its number, `HKError.Code.rawValue`.
  public static func healthKit(_ code: Int) -> QueryError { QueryError(domain: healthKitDomain, code: code) }

  /// An error of Core Motion by its number, `CMError.rawValue`.
  public static func coreMotion(_ code: Int) -> QueryError { QueryError(domain: coreMotionDomain, code: code) }

  /// The code as a payload writes it: `HKError.6`, `CMError.105`, and else the domain with the number.
  public var platformCode: String {
    switch domain {
    case QueryError.healthKitDomain, "HKErrorDomain": "HKError.\(code)"
    case QueryError.coreMotionDomain: "CMError.\(code)"
    // A code has at most 128 characters on the wire, and the number matters most.
    default: "\(domain.prefix(100)).\(code)"
    }
  }

  /// Whether HealthKit says with it that the query worked and found nothing. It is the one error that says so: the safe
  /// ones are listed, never the unsafe ones.
  public var isHealthKitNoData: Bool { platformCode == "HKError.11" }

  private static let healthKitDomain = "com.apple.healthkit"
  private static let coreMotionDomain = "CMErrorDomain"
}
