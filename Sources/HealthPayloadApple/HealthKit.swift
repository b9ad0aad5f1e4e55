// Built on Apple platforms only. Elsewhere Tests/scripts/client.sh checks its types against stand-ins.
#if canImport(HealthKit)
  public import Foundation
  public import HealthKit
  public import HealthPayload

  extension QueryError {
    /// An error of a framework by its domain and code.
    public init(_ error: any Error) {
      let error = error as NSError
      self.init(domain: error.domain, code: error.code)
    }
  }

  extension StatisticsAnswer {
    /// What the completion of a statistics query got; nil statistics without an error are no sum.
    public init(_ statistics: HKStatistics?, error: (any Error)?, unit: HKUnit) {
      self.init(sum: statistics?.sumQuantity()?.doubleValue(for: unit), error: error.map { QueryError($0) })
    }
  }

  extension HKStatistics {
    /// Names of the devices and apps behind the sum; only a query with `.separateBySource` knows them.
    public var sourceNames: [String] { Array(Set((sources ?? []).map(\.name))).sorted() }
  }

  extension AuthorizedHistory {
    /// What the answer to `getEarliestAuthorizedSampleDate(for:completion:)` (iOS 27) says about a metric of these types.
    /// A date that cannot be written counts as left out.
    public init(types: [HKObjectType], in dates: [HKObjectType: Date]) {
      let known = dates.map { ($0.key.identifier, Instant($0.value)) }
      let instants = Dictionary(known, uniquingKeysWith: { first, _ in first }).compactMapValues { $0 }
      self.init(types: types.map(\.identifier), in: instants)
    }
  }

  extension EarliestPermitted {
    /// The floor of this store; nil where the date cannot be written.
    public init?(of store: HKHealthStore) {
      guard let instant = Instant(store.earliestPermittedSampleDate()) else { return nil }
      self.init(instant)
    }
  }
#endif
