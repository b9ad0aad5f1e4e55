// What a reading is in a payload.

extension Reading<ExactNumber> {
  /// The outcome of the day whose total this reading is; nil for `notYet`: nobody has looked, and silence says so.
  ///
  /// `unit` is UCUM; nil means the metric's own.
  public func outcome(unit: String?) -> DayEntry.Outcome? {
    switch self {
    case .value(let number): .value(number, unit: unit)
    case .unavailable: .unavailable()
    case .notAuthorized: .denied()
    case .notYet: nil
    case .invalid: .failed(code: ClientCode.invalidReading)
    }
  }
}

extension Reading<Double> {
  /// As for an exact number. What cannot be written exactly is `invalid`.
  public func outcome(unit: String?) -> DayEntry.Outcome? {
    flatMap { number in ExactNumber(measured: number).map { .value($0) } ?? .invalid }.outcome(unit: unit)
  }
}

extension Reading<Int> {
  /// As for an exact number.
  public func outcome(unit: String?) -> DayEntry.Outcome? {
    map { ExactNumber($0) }.outcome(unit: unit)
  }
}

extension DayEntry.Outcome {
  /// A number that a framework computed, which fails where it cannot be written exactly.
  init(measured number: Double, unit: String?) {
    if let number = ExactNumber(measured: number) {
      self = .value(number, unit: unit)
    } else {
      self = .failed(code: ClientCode.invalidReading)
    }
  }
}

extension DayEntry {
  /// The entry of a day whose total was read from a sensor; nil where nothing was read yet, because then there is nothing
  /// to say. `unit` is UCUM; nil means the metric's own.
  public init?(
    metric: String, localDate: LocalDate, reading: Reading<ExactNumber>, unit: String? = nil, sources: [String] = [],
    complete: Bool? = nil
  ) {
    guard let outcome = reading.outcome(unit: unit) else { return nil }
    self.init(metric: metric, localDate: localDate, outcome: outcome, sources: sources, complete: complete)
  }
}

/// Codes of failures that no platform reported: this library noticed them. catalogue/platform_errors.csv says what becomes
/// of them.
public enum ClientCode {
  /// A number arrived that is none, or that cannot be written.
  public static let invalidReading = "client.invalid_reading"
  /// The question how far back may be read failed, so that silence may be a boundary.
  public static let windowUnknown = "client.window_unknown"
}
