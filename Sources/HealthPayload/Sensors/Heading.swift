/// A heading as Core Location hands it over.
public struct RawHeading: Sendable, Hashable {
  /// Degrees from magnetic north.
  public var magneticHeading: Double
  /// Degrees from geographic north; negative where it is unknown.
  public var trueHeading: Double
  /// Degrees; negative where the compass is not calibrated, or disturbed.
  public var headingAccuracy: Double
  /// Whether location updates were running: without them nobody knows where geographic north is.
  public var isLocationUpdating: Bool

  /// All fields, each said.
  public init(magneticHeading: Double, trueHeading: Double, headingAccuracy: Double, isLocationUpdating: Bool) {
    self.magneticHeading = magneticHeading
    self.trueHeading = trueHeading
    self.headingAccuracy = headingAccuracy
    self.isLocationUpdating = isLocationUpdating
  }
}

/// A heading in which what is unknown is nil. Zero is north.
public struct HeadingSample: Sendable, Hashable {
  /// Degrees from magnetic north; nil where the compass is not calibrated.
  public let magneticHeading: Double?
  /// Degrees from geographic north; nil where the compass is not calibrated, or the location unknown.
  public let trueHeading: Double?
  /// Degrees; nil where the compass is not calibrated.
  public let headingAccuracy: Double?

  /// The sample of a raw heading. Both headings come from the compass, so without its accuracy there is neither.
  public init(_ raw: RawHeading) {
    headingAccuracy = known(raw.headingAccuracy)
    let isCalibrated = headingAccuracy != nil
    magneticHeading = isCalibrated ? direction(raw.magneticHeading) : nil
    trueHeading = isCalibrated && raw.isLocationUpdating ? direction(raw.trueHeading) : nil
  }
}
