// Must not compile: missing arguments
import Foundation
import HealthPayload

/// A location whose other fields nobody has said.
func location() -> RawLocation {
  RawLocation(latitude: 52.5, longitude: 13.4)
}
