/// What Core Motion hands over of a device's direction and the magnetic field around it.
public struct RawDeviceMotion: Sendable, Hashable {
  /// Degrees; negative in reference frames that know no north.
  public var heading: Double
  /// Degrees; negative where the heading is invalid. Nil before iOS 27, which was the first to say it.
  public var headingAccuracy: Double?
  /// The magnetic field in microtesla, each axis.
  public var field: MagneticField
  /// `CMMagneticFieldCalibrationAccuracy.rawValue`: −1 not calibrated, 0 low, 1 medium, 2 high.
  public var fieldAccuracy: Int

  /// All fields, each said.
  public init(heading: Double, headingAccuracy: Double?, field: MagneticField, fieldAccuracy: Int) {
    self.heading = heading
    self.headingAccuracy = headingAccuracy
    self.field = field
    self.fieldAccuracy = fieldAccuracy
  }
}

/// A magnetic field in microtesla. Zero on an axis is a value.
public struct MagneticField: Sendable, Hashable {
  /// Along the device's width.
  public let x: Double
  /// Along its height.
  public let y: Double
  /// Through its screen.
  public let z: Double

  /// A field by its axes.
  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  fileprivate var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}

/// A device's direction and the magnetic field, in which what is unknown is nil.
public struct DeviceMotionSample: Sendable, Hashable {
  /// How well the magnetometer is calibrated.
  public enum FieldAccuracy: Int, Sendable {
    /// Hardly.
    case low
    /// Somewhat.
    case medium
    /// Well.
    case high
  }

  /// Degrees; nil is unknown, zero is north.
  public let heading: Double?
  /// Degrees; nil is unknown.
  public let headingAccuracy: Double?
  /// The magnetic field; nil where the magnetometer is not calibrated.
  public let field: MagneticField?
  /// How well the magnetometer is calibrated; nil: not at all, or in a way that this library does not know.
  public let fieldAccuracy: FieldAccuracy?

  /// The sample of raw device motion. An accuracy that is said and no accuracy takes the heading away; one that older
  /// systems do not say does not.
  public init(_ raw: RawDeviceMotion) {
    headingAccuracy = raw.headingAccuracy.flatMap(known)
    heading = raw.headingAccuracy != nil && headingAccuracy == nil ? nil : direction(raw.heading)
    fieldAccuracy = raw.field.isFinite ? FieldAccuracy(rawValue: raw.fieldAccuracy) : nil
    field = fieldAccuracy == nil ? nil : raw.field
  }
}
