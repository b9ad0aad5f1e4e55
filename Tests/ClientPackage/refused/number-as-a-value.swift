// Must not compile: expected argument type 'ExactNumber'
import Foundation
import HealthPayload

/// A missing sum written as the number zero.
func outcome(_ sum: Double?) -> DayEntry.Outcome {
  .value(sum ?? 0)
}
