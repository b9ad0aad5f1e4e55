/// What a device answered: a value, or why there is none.
///
/// A reading has no default, and no property that would be nil where the value is missing: who wants the value has to name
/// the case, and with it the others. Zero is a value.
public enum Reading<Value: Sendable>: Sendable {
  /// It was measured; zero is a measurement.
  case value(Value)
  /// This device cannot measure it at all.
  case unavailable
  /// It could, but the person did not allow it, or was never asked.
  case notAuthorized
  /// Nothing has arrived since it was asked for.
  case notYet
  /// Something arrived that cannot be right, such as NaN.
  case invalid

  /// The same reading with another form of its value; what is missing stays missing for the same reason.
  public func map<Other: Sendable>(_ transform: (Value) -> Other) -> Reading<Other> {
    flatMap { .value(transform($0)) }
  }

  /// The same reading with what becomes of its value, which may turn out to be unusable.
  public func flatMap<Other: Sendable>(_ transform: (Value) -> Reading<Other>) -> Reading<Other> {
    switch self {
    case .value(let value): transform(value)
    case .unavailable: .unavailable
    case .notAuthorized: .notAuthorized
    case .notYet: .notYet
    case .invalid: .invalid
    }
  }
}

extension Reading: Equatable where Value: Equatable {}
extension Reading: Hashable where Value: Hashable {}

extension Reading where Value == Double {
  /// A number that a framework measured; NaN and the infinities are `invalid`.
  public init(measured number: Double) {
    self = number.isFinite ? .value(number) : .invalid
  }
}

extension Reading where Value == Int {
  /// A count that a framework handed over as a number; a fraction, a negative number, NaN and the infinities are `invalid`.
  public init(counted number: Double) {
    if let count = Int(exactly: number), count >= 0 { self = .value(count) } else { self = .invalid }
  }
}
