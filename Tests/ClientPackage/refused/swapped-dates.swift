// Must not compile: cannot convert value of type 'EarliestPermitted' to expected argument type 'EarliestAuthorized'
import Foundation
import HealthPayload

/// The platform's floor given as a person's choice.
func window(_ floor: EarliestPermitted, _ start: Instant) -> QueryWindow {
  QueryWindow(from: start, authorized: .from(floor), permitted: floor)
}
