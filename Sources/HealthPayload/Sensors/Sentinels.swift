// The one place where a number that means "unknown" becomes nil. NaN and the infinities pass none of these.

/// A quantity for which negative numbers mean that it is unknown. Zero is a value, and so is the zero with a minus.
func known(_ number: Double) -> Double? { number.isFinite && number >= 0 ? abs(number) : nil }

/// An accuracy of which nobody may claim perfection: zero means unknown too.
func positive(_ number: Double) -> Double? { number.isFinite && number > 0 ? number : nil }

/// A direction in degrees from north. Zero is north.
func direction(_ degrees: Double) -> Double? { (0...360).contains(degrees) ? degrees : nil }

/// A quantity that may have either sign, so that only what is no number is unknown.
func finite(_ number: Double) -> Double? { number.isFinite ? number : nil }
