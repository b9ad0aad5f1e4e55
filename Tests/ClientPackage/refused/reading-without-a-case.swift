// Must not compile: enum case 'value' cannot be used as an instance member
import Foundation
import HealthPayload

/// A reading taken apart without a look at why it may be missing.
func steps(_ reading: Reading<Int>) -> Int? {
  reading.value
}
