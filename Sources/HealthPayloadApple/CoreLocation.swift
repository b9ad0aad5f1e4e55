// Built on Apple platforms only. Elsewhere Tests/scripts/client.sh checks its types against stand-ins.
#if canImport(CoreLocation)
  public import CoreLocation
  public import HealthPayload

  extension RawLocation {
    /// The numbers of a location, as they stand there.
    public init(_ location: CLLocation) {
      self.init(
        latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
        horizontalAccuracy: location.horizontalAccuracy, altitude: location.altitude,
        ellipsoidalAltitude: location.ellipsoidalAltitude, verticalAccuracy: location.verticalAccuracy,
        speed: location.speed, speedAccuracy: location.speedAccuracy, course: location.course,
        courseAccuracy: location.courseAccuracy, timestamp: location.timestamp)
    }
  }

  #if !os(macOS) && !os(tvOS) && !os(visionOS)
    extension RawHeading {
      /// The numbers of a heading; `isLocationUpdating` says whether the app's location updates are running.
      public init(_ heading: CLHeading, isLocationUpdating: Bool) {
        self.init(
          magneticHeading: heading.magneticHeading, trueHeading: heading.trueHeading,
          headingAccuracy: heading.headingAccuracy, isLocationUpdating: isLocationUpdating)
      }
    }
  #endif

  #if !os(macOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    extension RawVisit {
      /// The numbers and dates of a visit, as they stand there.
      public init(_ visit: CLVisit) {
        self.init(
          latitude: visit.coordinate.latitude, longitude: visit.coordinate.longitude,
          horizontalAccuracy: visit.horizontalAccuracy, arrivalDate: visit.arrivalDate,
          departureDate: visit.departureDate)
      }
    }
  #endif
#endif
