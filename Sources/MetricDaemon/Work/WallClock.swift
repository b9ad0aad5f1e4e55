internal import Glibc
public import HealthPayload

/// The time of day, as the machine knows it.
public enum WallClock {
  /// The instant that the system clock shows.
  public static let now: @Sendable () -> Instant = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }
}
