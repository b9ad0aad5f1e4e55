/// The quantities of a workout's summary, and the policy of each for what is missing. The documentation's table is made of this one.
public enum WorkoutField: String, Sendable, CaseIterable {
  /// How far.
  case distance
  /// How fast, on average.
  case averageSpeed = "average_speed"
  /// How many metres up.
  case elevationGain = "elevation_gain"
  /// How fast the heart beat, on average.
  case averageHeartRate = "average_heart_rate"

  /// How one quantity deals with gaps.
  public struct Policy: Sendable, Hashable {
    /// Its unit, as stored.
    public let unit: String
    /// Seconds between two samples, or after one, beyond which there is a gap. A gap is never bridged.
    public let longestStep: Double
    /// What it is computed from.
    public let madeOf: String
    /// What is done where something is missing.
    public let missing: String
    /// What its zero means.
    public let zero: String
    /// What is shown where there is nothing to compute it from.
    public let noData: String
    /// Whether a gap can only make it too small, so that a partial value is a lower bound.
    public let isLowerBound: Bool
  }

  /// How this quantity deals with gaps.
  public var policy: Policy {
    switch self {
    case .distance:
      Policy(
        unit: "m", longestStep: 10,
        madeOf: "the way from fix to fix, between consecutive fixes at most 10 s apart",
        missing: "no line is drawn across a gap, such as a tunnel; fixes with an accuracy above 1,000 m are none",
        zero: "was seen and did not move", noData: "no distance data", isLowerBound: true)
    case .averageSpeed:
      Policy(
        unit: "m/s", longestStep: 10,
        madeOf: "speeds, each weighted by the time to the next fix, at most 10 s away",
        missing:
          "a fix without a speed counts for nothing; a speed without an accuracy counts, and its share is reported",
        zero: "was seen and stood still", noData: "no speed data", isLowerBound: false)
    case .elevationGain:
      Policy(
        unit: "m", longestStep: 10,
        madeOf: "rises of at least 1 m, between consecutive fixes with an altitude at most 10 s apart",
        missing: "a fix without an altitude is left out; a gap begins anew, so that no climb is guessed in it",
        zero: "was seen and was flat", noData: "no elevation data", isLowerBound: true)
    case .averageHeartRate:
      Policy(
        unit: "/min", longestStep: 15,
        madeOf: "samples, each weighted by the time to the next one, at most 15 s",
        missing: "after 15 s a sample says nothing any more; 0 and negative numbers are no samples",
        zero: "does not occur", noData: "no heart rate data", isLowerBound: false)
    }
  }

  /// Metres that the altitude must rise above the last turning point before it counts as a rise: barometers waver by less.
  public static let hysteresis = 1.0

  /// The table of all policies, in Markdown.
  public static var markdownTable: String {
    let head = "| field | unit | made of | what is missing | zero means | nothing to see |\n|---|---|---|---|---|---|\n"
    return allCases.reduce(into: head) { table, field in
      let policy = field.policy
      table += "| `\(field.rawValue)` | \(policy.unit) | \(policy.madeOf) | \(policy.missing) | \(policy.zero) |"
      table += " “\(policy.noData)” |\n"
    }
  }
}
