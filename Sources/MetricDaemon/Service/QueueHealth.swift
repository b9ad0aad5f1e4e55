/// What `status` judges: the queue and what came out of it. Counts are zero where there is none; nil means not known.
public struct QueueHealth: Sendable, Equatable {
  /// Payloads in the queue.
  public var depth: Int
  /// Seconds that the oldest of them waits, or nil if the queue is empty.
  public var oldestAge: Double?
  /// Payloads of the last 24 hours that were merged, or recognised as merged before.
  public var mergedLastDay: Int
  /// Payloads of the last 24 hours that went to the dead letters.
  public var deadLettersLastDay: Int

  /// What `status` judges.
  public init(depth: Int, oldestAge: Double?, mergedLastDay: Int, deadLettersLastDay: Int) {
    self.depth = depth
    self.oldestAge = oldestAge
    self.mergedLastDay = mergedLastDay
    self.deadLettersLastDay = deadLettersLastDay
  }

  /// From when on it counts as unhealthy.
  public struct Limits: Sendable {
    /// Longest wait of the oldest payload.
    public let oldestAge: Duration
    /// Largest share of dead letters, in percent.
    public let deadLetterShare: Int

    /// Limits as set for one call.
    public init(oldestAge: Duration, deadLetterShare: Int) {
      self.oldestAge = oldestAge
      self.deadLetterShare = deadLetterShare
    }
  }

  /// From how many payloads of a day on their share of dead letters says anything: one of two is no trend.
  static let leastPayloads = 20

  /// Why it is unhealthy, one sentence each; empty when all is well.
  public func complaints(_ limits: Limits) -> [String] {
    var complaints: [String] = []
    if let oldestAge, Duration.seconds(oldestAge) > limits.oldestAge {
      complaints.append(
        "the oldest payload waits for \(Int(oldestAge)) s, more than \(limits.oldestAge.components.seconds) s; "
          + "is a daemon running (dailymetricd run), and what does its log say?")
    }
    let finished = mergedLastDay + deadLettersLastDay
    if finished >= QueueHealth.leastPayloads, deadLettersLastDay * 100 > finished * limits.deadLetterShare {
      complaints.append(
        "\(deadLettersLastDay) of the last day's \(finished) payloads went to intake.dead_letter, more than "
          + "\(limits.deadLetterShare) %; its column code says why")
    }
    return complaints
  }
}
