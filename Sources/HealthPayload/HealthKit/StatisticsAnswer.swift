/// What a HealthKit query for a sum handed to its completion.
///
/// The completion has two places for "no": the error, and a result without a sum. An app that looks at one of them only
/// sends zeros for the other.
public enum StatisticsAnswer: Sendable, Hashable {
  /// The query failed; HealthKit's `errorNoData` is no failure but `noSum`.
  case failed(QueryError)
  /// The query worked, and the store holds no sample of the time.
  case noSum
  /// The sum, in the unit that it was asked for; zero is a sum.
  case sum(Double)

  /// The query failed with this error.
  public init(error: QueryError) {
    self = error.isHealthKitNoData ? .noSum : .failed(error)
  }

  /// What the completion got: the sum, if there was one, and the error, if there was one. An error wins over a sum: what
  /// came beside it may be half of the truth.
  public init(sum: Double?, error: QueryError?) {
    if let error {
      self.init(error: error)
    } else if let sum {
      self = .sum(sum)
    } else {
      self = .noSum
    }
  }
}

extension DayEntry.Outcome {
  /// What a query for a day's sum has found out. `unit` is the UCUM unit that the sum was asked for.
  ///
  /// A sum that is NaN, infinite or not writable is a failure with a code of its own, never a number.
  public init(_ answer: StatisticsAnswer, unit: String) {
    switch answer {
    case .failed(let error): self = error.isHealthKitNoData ? .empty : .failed(code: error.platformCode)
    case .noSum: self = .empty
    case .sum(let sum): self.init(measured: sum, unit: unit)
    }
  }
}

extension DayEntry {
  /// The entry of a day whose sum was asked for. `unit` is the UCUM unit that the sum was asked for; `sources` are the
  /// devices and apps that HealthKit names beside it.
  public init(
    metric: String, localDate: LocalDate, _ answer: StatisticsAnswer, unit: String, sources: [String] = [],
    complete: Bool? = nil
  ) {
    self.init(
      metric: metric, localDate: localDate, outcome: Outcome(answer, unit: unit), sources: sources, complete: complete)
  }
}
