public import HealthPayload

/// How a metric's records make its day.
public enum Aggregation: String, Sendable, CaseIterable {
  /// Total of the records.
  case sum
  /// Number of the records.
  case count
  /// Mean of the records.
  case avg
  /// Smallest record.
  case min
  /// Largest record.
  case max
  /// Latest record.
  case last
}

/// What a zero of a metric needs to be a measurement.
public enum ZeroPolicy: String, Sendable, CaseIterable {
  /// A look at the day and a witness.
  case covered
  /// A written zero with a named source.
  case explicit
  /// A value of the metric's parent.
  case parent
  /// Nothing: zero is a value like any other.
  case ordinary
  /// It never is one.
  case never
}

/// A metric as the boundary needs to know it.
public struct MetricRow: Sendable, Hashable {
  /// Id in the store.
  public var id: Int16
  /// Name in payloads.
  public var name: String
  /// UCUM unit in which its values are kept.
  public var unit: String
  /// How its records make its day.
  public var aggregation: Aggregation
  /// What its zero needs.
  public var zeroPolicy: ZeroPolicy
  /// The least value that a day can have, in `unit`.
  public var low: ExactNumber
  /// The largest value that a day can have, in `unit`.
  public var high: ExactNumber
  /// Whether platforms make it up for bodies that they have never seen, so that it counts only with a named source.
  public var needsSource: Bool

  /// A metric.
  public init(
    id: Int16, name: String, unit: String, aggregation: Aggregation, zeroPolicy: ZeroPolicy, low: ExactNumber,
    high: ExactNumber, needsSource: Bool
  ) {
    self.id = id
    self.name = name
    self.unit = unit
    self.aggregation = aggregation
    self.zeroPolicy = zeroPolicy
    self.low = low
    self.high = high
    self.needsSource = needsSource
  }
}

/// A conversion of units: value in `unit` = value in `fromUnit` × `factor` + `offset`.
public struct UnitRow: Sendable, Hashable {
  /// UCUM unit of a metric.
  public var unit: String
  /// UCUM unit that payloads may use instead.
  public var fromUnit: String
  /// Multiplies the value.
  public var factor: ExactNumber
  /// Is added after that; not to differences.
  public var offset: ExactNumber

  /// A conversion.
  public init(unit: String, fromUnit: String, factor: ExactNumber, offset: ExactNumber) {
    self.unit = unit
    self.fromUnit = fromUnit
    self.factor = factor
    self.offset = offset
  }
}

/// A platform that payloads may name.
public struct PlatformRow: Sendable, Hashable {
  /// Id in the store.
  public var id: Int16
  /// Name in payloads.
  public var name: String
  /// Whether it answers a read without permission as if there were no data.
  public var hidesDenial: Bool
  /// Whether everything of it was entered by hand.
  public var isManual: Bool

  /// A platform.
  public init(id: Int16, name: String, hidesDenial: Bool, isManual: Bool) {
    self.id = id
    self.name = name
    self.hidesDenial = hidesDenial
    self.isManual = isManual
  }

  /// The platforms that the wire form knows, in the order of its documentation, with ids from 1.
  public static let known: [PlatformRow] = [
    "healthkit", "health_connect", "google_health", "fitbit", "garmin", "oura", "withings", "whoop", "polar", "manual",
  ].enumerated().map {
    PlatformRow(id: Int16($0 + 1), name: $1, hidesDenial: $1 == "healthkit", isManual: $1 == "manual")
  }
}

/// A catalogue that cannot be used.
public struct CatalogueError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, where, and what to do.
  public let description: String

  /// An error in words.
  public init(_ description: String) { self.description = description }
}

/// The metrics, units and platforms that payloads may name.
public struct Catalogue: Sendable {
  /// All metrics.
  public let metrics: [MetricRow]
  /// All conversions.
  public let units: [UnitRow]
  /// All platforms.
  public let platforms: [PlatformRow]

  /// What the decoder looks up.
  let tables: CatalogueTables

  /// A catalogue of these rows. Throws where two rows have one id or one name, or a range is upside down.
  public init(metrics: [MetricRow], units: [UnitRow], platforms: [PlatformRow]) throws(CatalogueError) {
    try Catalogue.checkUnique(metrics.map(\.name), metrics.map(\.id), "metric")
    try Catalogue.checkUnique(platforms.map(\.name), platforms.map(\.id), "platform")
    for metric in metrics where metric.high < metric.low {
      throw CatalogueError("The range of the metric \(metric.name) ends before it begins; exchange its ends.")
    }
    self.metrics = metrics
    self.units = units
    self.platforms = platforms
    tables = CatalogueTables(metrics, units, platforms)
  }

  /// The metric of this name, or nil.
  public func metric(named name: String) -> MetricRow? { metrics.first { $0.name == name } }

  /// The platform of this name, or nil.
  public func platform(named name: String) -> PlatformRow? { platforms.first { $0.name == name } }

  private static func checkUnique(_ names: [String], _ ids: [Int16], _ kind: String) throws(CatalogueError) {
    guard Set(names).count == names.count, Set(ids).count == ids.count else {
      throw CatalogueError("Two rows of the kind \(kind) have one name or one id; give each its own.")
    }
  }
}
