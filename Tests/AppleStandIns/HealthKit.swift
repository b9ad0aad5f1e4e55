// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declared as Apple documents them; see README.md.
public import Foundation

open class HKObjectType: NSObject {
  public let identifier: String = ""
}

open class HKUnit: NSObject {}

open class HKQuantity: NSObject {
  public func doubleValue(for unit: HKUnit) -> Double { .nan }
}

open class HKSource: NSObject {
  public let name: String = ""
}

open class HKStatistics: NSObject {
  public var sources: [HKSource]? { nil }
  public func sumQuantity() -> HKQuantity? { nil }
}

open class HKHealthStore: NSObject {
  public func earliestPermittedSampleDate() -> Date { .distantPast }
}
