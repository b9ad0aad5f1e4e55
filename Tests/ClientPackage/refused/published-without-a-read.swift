// Must not compile: extra arguments
import Foundation
import HealthPayload

/// Something published that nobody has read.
func published(_ day: LocalDate, _ now: Instant) -> Published<Int> {
  Published(0, describes: day, readAt: now)
}
