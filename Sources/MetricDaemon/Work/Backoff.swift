/// Waits that double, up to a longest one, with full jitter so that many workers do not come back at the same moment.
struct Backoff: Sendable {
  private let first: Duration
  private let longest: Duration

  /// How many waits there were since the last success.
  private(set) var attempts = 0

  init(first: Duration, longest: Duration) {
    self.first = first
    self.longest = longest
  }

  /// The next wait. `jitter` is between 0 and 1: the share of the full wait that is taken.
  mutating func next(jitter: Double) -> Duration {
    var full = first
    var doublings = 0
    // Doubling stops at the longest wait, so that no number of attempts can overflow or take long.
    while doublings < attempts, full < longest {
      full = full * 2
      doublings += 1
    }
    attempts += 1
    return min(full, longest) * min(max(jitter, 0), 1)
  }

  /// Something worked: the next wait is a short one again.
  mutating func reset() { attempts = 0 }
}
