/// What a call of Health Connect for a day's total came back with.
public enum AggregateAnswer: Sendable, Hashable {
  /// It threw a `HealthConnectException` with this number.
  case exception(Int)
  /// It threw a `SecurityException`: the permission is missing, and Android says so.
  case permissionMissing
  /// It threw something else, such as `RemoteException`.
  case otherException(name: String)
  /// It worked, and the result holds no total.
  case noTotal
  /// The total in the unit that it was asked for; zero is a total.
  case total(Double)
}

extension DayEntry.Outcome {
  /// What a call for a day's total has found out. `unit` is the UCUM unit of the total.
  public init(_ answer: AggregateAnswer, unit: String) {
    switch answer {
    case .exception(let code): self = .failed(code: "HealthConnectException.\(code)")
    case .permissionMissing: self = .denied(code: "SecurityException")
    case .otherException(let name): self = .failed(code: String(name.prefix(128)))
    case .noTotal: self = .empty
    case .total(let total): self.init(measured: total, unit: unit)
    }
  }
}

extension DayEntry {
  /// The entry of a day whose total was asked for. `dataOrigins` are the packages that the result names: a total without
  /// any may be one that the platform made up for a body that it has never seen, as it does for resting energy.
  public init(
    metric: String, localDate: LocalDate, _ answer: AggregateAnswer, unit: String, dataOrigins: [String],
    complete: Bool? = nil
  ) {
    self.init(
      metric: metric, localDate: localDate, outcome: Outcome(answer, unit: unit), sources: dataOrigins,
      complete: complete)
  }
}
