// Must not compile: has no associated values
import Foundation
import HealthPayload

/// An empty day with a number.
func outcome() -> DayEntry.Outcome {
  .empty(0)
}
