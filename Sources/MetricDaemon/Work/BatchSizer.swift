/// How many payloads the next batch may have: half after a statement that took too long, and back to the limit step by step.
struct BatchSizer: Sendable {
  /// Payloads of the largest batch.
  let limit: Int
  private let successesToGrow: Int
  private var successes = 0

  /// Payloads of the next batch, at least 1.
  private(set) var size: Int

  /// `limit` is the largest batch; `successesToGrow` batches in a row must work out before a smaller one is doubled. Growing at
  /// once would run into the same timeout with every second batch.
  init(limit: Int, successesToGrow: Int = 8) {
    self.limit = max(1, limit)
    self.successesToGrow = successesToGrow
    size = max(1, limit)
  }

  /// Whether a smaller batch can be tried.
  var canShrink: Bool { size > 1 }

  mutating func shrink() {
    successes = 0
    size = max(1, size / 2)
  }

  mutating func succeeded() {
    guard size < limit else { return }
    successes += 1
    guard successes >= successesToGrow else { return }
    successes = 0
    size = min(limit, size * 2)
  }
}
