// Must not compile: missing argument for parameter 'unit'
import Foundation
import HealthPayload

/// A sum of nobody knows what.
func entry(_ day: LocalDate, _ answer: StatisticsAnswer) -> DayEntry {
  DayEntry(metric: "active_energy", localDate: day, answer)
}
