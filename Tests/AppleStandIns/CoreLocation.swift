// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Declared as Apple documents them; see README.md.
public import Foundation

public struct CLLocationCoordinate2D {
  public var latitude: Double
  public var longitude: Double
}

open class CLLocation: NSObject {
  public var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D(latitude: -180, longitude: -180) }
  public var horizontalAccuracy: Double { -1 }
  public var altitude: Double { 0 }
  public var ellipsoidalAltitude: Double { 0 }
  public var verticalAccuracy: Double { -1 }
  public var speed: Double { -1 }
  public var speedAccuracy: Double { -1 }
  public var course: Double { -1 }
  public var courseAccuracy: Double { -1 }
  public var timestamp: Date { .distantPast }
}

open class CLHeading: NSObject {
  public var magneticHeading: Double { -1 }
  public var trueHeading: Double { -1 }
  public var headingAccuracy: Double { -1 }
}

open class CLVisit: NSObject {
  public var coordinate: CLLocationCoordinate2D { CLLocationCoordinate2D(latitude: -180, longitude: -180) }
  public var horizontalAccuracy: Double { -1 }
  public var arrivalDate: Date { .distantPast }
  public var departureDate: Date { .distantFuture }
}
