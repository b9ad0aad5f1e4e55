// Built on Apple platforms only. Elsewhere Tests/scripts/client.sh checks its types against stand-ins.
#if canImport(CoreMotion) && !os(macOS) && !os(tvOS) && !os(visionOS)
  public import CoreMotion
  import Foundation
  public import HealthPayload

  extension RawPedometer {
    /// The numbers of pedometer data; what is nil there is nil here.
    public init(_ data: CMPedometerData) {
      self.init(
        startDate: data.startDate, endDate: data.endDate, numberOfSteps: data.numberOfSteps.doubleValue,
        distance: data.distance?.doubleValue, floorsAscended: data.floorsAscended?.doubleValue,
        floorsDescended: data.floorsDescended?.doubleValue, currentPace: data.currentPace?.doubleValue,
        currentCadence: data.currentCadence?.doubleValue, averageActivePace: data.averageActivePace?.doubleValue)
    }
  }

  extension RawDeviceMotion {
    /// The numbers of device motion. `headingAccuracy` is the motion's own from iOS 27 on, nil before.
    public init(_ motion: CMDeviceMotion, headingAccuracy: Double?) {
      let field = motion.magneticField
      self.init(
        heading: motion.heading, headingAccuracy: headingAccuracy,
        field: MagneticField(x: field.field.x, y: field.field.y, z: field.field.z),
        fieldAccuracy: Int(field.accuracy.rawValue))
    }
  }

  extension MotionAccess {
    /// What Core Motion says before a number arrives: of the permission, and whether the device can measure it.
    public init(_ status: CMAuthorizationStatus, isAvailable: Bool) {
      guard isAvailable else {
        self = .unavailable
        return
      }
      switch status {
      case .authorized: self = .authorized
      case .notDetermined: self = .notAsked
      case .denied, .restricted: self = .denied
      @unknown default: self = .denied
      }
    }
  }
#endif
