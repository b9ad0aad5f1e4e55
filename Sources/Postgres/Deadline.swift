/// The instant at which waiting ends, if it ever does.
struct Deadline {
  private let duration: Duration?
  private let instant: ContinuousClock.Instant?

  /// Starts to run now; nil never passes.
  init(_ duration: Duration?) {
    self.duration = duration
    instant = duration.map { ContinuousClock.now.advanced(by: $0) }
  }

  /// The whole time again, from now on.
  func again() -> Deadline { Deadline(duration) }

  /// So many times the whole time, from now on.
  func again(times count: Int) -> Deadline { Deadline(duration.map { $0 * count }) }

  /// The time left as `poll` wants it: -1 waits for ever, 0 has passed, else milliseconds rounded up.
  var milliseconds: Int32 {
    guard let instant else { return -1 }
    let left = ContinuousClock.now.duration(to: instant)
    guard left > .zero else { return 0 }
    let (seconds, attoseconds) = left.components
    // Waits longer than a day are cut: the caller looks at the clock again.
    guard seconds < 86_400 else { return 86_400_000 }
    return Int32(seconds * 1000) + Int32(attoseconds / 1_000_000_000_000_000) + 1
  }

  var hasPassed: Bool {
    milliseconds == 0
  }
}
