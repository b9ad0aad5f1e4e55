// Must not compile: missing argument for parameter 'outcome'
import Foundation
import HealthPayload

/// A day of which is not said what was found.
func entry(_ day: LocalDate) -> DayEntry {
  DayEntry(metric: "steps", localDate: day)
}
