// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declared as Apple documents them; see README.md.
public import Foundation

open class CMPedometerData: NSObject {
  public var startDate: Date { .distantPast }
  public var endDate: Date { .distantPast }
  public var numberOfSteps: NSNumber { 0 }
  public var distance: NSNumber? { nil }
  public var floorsAscended: NSNumber? { nil }
  public var floorsDescended: NSNumber? { nil }
  public var currentPace: NSNumber? { nil }
  public var currentCadence: NSNumber? { nil }
  public var averageActivePace: NSNumber? { nil }
}

public struct CMMagneticField {
  public var x: Double
  public var y: Double
  public var z: Double
}

public enum CMMagneticFieldCalibrationAccuracy: Int32 {
  case uncalibrated = -1
  case low, medium, high
}

public struct CMCalibratedMagneticField {
  public var field: CMMagneticField
  public var accuracy: CMMagneticFieldCalibrationAccuracy
}

open class CMDeviceMotion: NSObject {
  public var heading: Double { -1 }
  public var magneticField: CMCalibratedMagneticField {
    CMCalibratedMagneticField(field: CMMagneticField(x: 0, y: 0, z: 0), accuracy: .uncalibrated)
  }
}

public enum CMAuthorizationStatus: Int {
  case notDetermined, restricted, denied, authorized
}
