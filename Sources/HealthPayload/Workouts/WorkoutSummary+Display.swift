extension WorkoutSummary {
  /// A quantity of the summary.
  public func value(_ field: WorkoutField) -> Covered {
    switch field {
    case .distance: distance
    case .averageSpeed: averageSpeed
    case .elevationGain: elevationGain
    case .averageHeartRate: averageHeartRate
    }
  }

  /// What a person is shown of a quantity: "no elevation data", "0 m", "5.2+ km (87 % of workout)". The plus stands where a gap
  /// can only have made the value too small. What rounds to 100 % of the workout is shown as all of it.
  public func display(_ field: WorkoutField) -> String {
    guard case .value(let value, let coverage) = value(field) else { return field.policy.noData }
    let (number, unit) = field.shown(value)
    let percent = Int((coverage * 100).rounded())
    if percent == 100 { return "\(number) \(unit)" }
    let share = percent == 0 ? "under 1 %" : "\(percent) %"
    return "\(number)\(field.policy.isLowerBound ? "+" : "") \(unit) (\(share) of workout)"
  }
}

extension WorkoutField {
  /// A value as people read it: kilometres from one on, km/h, whole metres and beats.
  fileprivate func shown(_ value: Double) -> (number: String, unit: String) {
    switch self {
    case .distance: value >= 1_000 ? (tenths(value / 1_000), "km") : (whole(value), "m")
    case .averageSpeed: (tenths(value * 3.6), "km/h")
    case .elevationGain: (whole(value), "m")
    case .averageHeartRate: (whole(value), "bpm")
    }
  }

  private func whole(_ value: Double) -> String { Int(exactly: value.rounded()).map(String.init) ?? value.description }

  private func tenths(_ value: Double) -> String {
    guard let tenths = Int(exactly: (value * 10).rounded()) else { return value.description }
    return "\(tenths / 10).\(tenths % 10)"
  }
}
