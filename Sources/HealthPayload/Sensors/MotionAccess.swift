/// What Core Motion says of itself before it says a number.
public enum MotionAccess: Sendable, Hashable {
  /// The person allowed it.
  case authorized
  /// The person refused it, or a restriction does.
  case denied
  /// The person was never asked.
  case notAsked
  /// The device cannot measure it.
  case unavailable

  /// The reading before a number has arrived.
  public func reading<Value: Sendable>(of: Value.Type = Value.self) -> Reading<Value> {
    switch self {
    case .authorized: .notYet
    case .denied, .notAsked: .notAuthorized
    case .unavailable: .unavailable
    }
  }
}

extension Reading {
  /// What an error of Core Motion says of the reading; `error` is `CMError.rawValue`. Nil for all errors that say nothing
  /// about the device or the person: the query failed, and `QueryError.coreMotion` is its failure.
  public init?(coreMotionError error: Int) {
    switch error {
    case 101, 112: self = .notYet  // the device has to move first; no data yet
    case 104, 109: self = .unavailable
    case 105, 111: self = .notAuthorized
    default: return nil
    }
  }
}

extension Reading<Int> {
  /// What a tile for floors shows. Zero floors, no barometer, no permission and no answer are four different texts.
  public var floorsLabel: String {
    switch self {
    case .value(let floors): "\(floors) floors"
    case .unavailable: "Floors aren't counted on this device"
    case .notAuthorized: "Allow Motion & Fitness to count floors"
    case .notYet, .invalid: "–"
    }
  }
}
