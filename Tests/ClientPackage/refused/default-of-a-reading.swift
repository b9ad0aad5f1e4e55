// Must not compile: binary operator '??' cannot be applied to operands of type 'Reading<Int>'
import Foundation
import HealthPayload

/// A reading that is missing shown as zero.
func steps(_ reading: Reading<Int>) -> Int {
  reading ?? 0
}
