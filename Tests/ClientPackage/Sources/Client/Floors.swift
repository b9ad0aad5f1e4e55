import Foundation
import HealthPayload

/// The tile that shows the floors of a walk.
func floorsTile(access: MotionAccess, raw: RawPedometer?, canCountFloors: Bool) -> String {
  guard access == .authorized, let raw else { return access.reading(of: Int.self).floorsLabel }
  guard let sample = PedometerSample(raw, canCountFloors: canCountFloors) else {
    return Reading<Int>.invalid.floorsLabel
  }
  return sample.floorsAscended.floorsLabel
}
