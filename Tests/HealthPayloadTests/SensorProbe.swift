import Foundation
import HealthPayload

/// Makes raw sensor values from a plain one with some fields replaced, and says what their samples hold.
enum SensorProbe {
  static let location = RawLocation(
    latitude: 52.5, longitude: 13.4, horizontalAccuracy: 5, altitude: 34, ellipsoidalAltitude: 74, verticalAccuracy: 3,
    speed: 2, speedAccuracy: 0.4, course: 90, courseAccuracy: 8, timestamp: Date(timeIntervalSince1970: 1_790_000_000))
  static let visit = RawVisit(
    latitude: 52.5, longitude: 13.4, horizontalAccuracy: 40, arrivalDate: Date(timeIntervalSince1970: 1_790_000_000),
    departureDate: Date(timeIntervalSince1970: 1_790_003_600))
  static let heading = RawHeading(magneticHeading: 88, trueHeading: 91, headingAccuracy: 5, isLocationUpdating: true)
  static let motion = RawDeviceMotion(
    heading: 45, headingAccuracy: 4, field: MagneticField(x: 20, y: -3, z: 40), fieldAccuracy: 2)
  static let pedometer = RawPedometer(
    startDate: Date(timeIntervalSince1970: 1_790_000_000), endDate: Date(timeIntervalSince1970: 1_790_000_060),
    numberOfSteps: 12, distance: 9, floorsAscended: 1, floorsDescended: 2, currentPace: 0.7, currentCadence: 1.9,
    averageActivePace: 0.6)

  /// Writes one field of a raw value; nil only where the raw field is optional.
  typealias Setter<Raw> = (inout Raw, Double?) -> Void

  private static func number<Raw>(_ path: WritableKeyPath<Raw, Double>) -> Setter<Raw> {
    { raw, value in if let value { raw[keyPath: path] = value } }
  }

  private static func date<Raw>(_ path: WritableKeyPath<Raw, Date>) -> Setter<Raw> {
    { raw, value in if let value { raw[keyPath: path] = Date(timeIntervalSince1970: value) } }
  }

  static var locationFields: [String: Setter<RawLocation>] {
    [
      "latitude": number(\.latitude), "longitude": number(\.longitude),
      "horizontalAccuracy": number(\.horizontalAccuracy), "altitude": number(\.altitude),
      "ellipsoidalAltitude": number(\.ellipsoidalAltitude), "verticalAccuracy": number(\.verticalAccuracy),
      "speed": number(\.speed), "speedAccuracy": number(\.speedAccuracy), "course": number(\.course),
      "courseAccuracy": number(\.courseAccuracy), "timestamp": date(\.timestamp),
    ]
  }

  static var visitFields: [String: Setter<RawVisit>] {
    [
      "latitude": number(\.latitude), "longitude": number(\.longitude),
      "horizontalAccuracy": number(\.horizontalAccuracy), "arrivalDate": date(\.arrivalDate),
      "departureDate": date(\.departureDate),
    ]
  }

  static var headingFields: [String: Setter<RawHeading>] {
    [
      "magneticHeading": number(\.magneticHeading), "trueHeading": number(\.trueHeading),
      "headingAccuracy": number(\.headingAccuracy),
    ]
  }

  static var motionFields: [String: Setter<RawDeviceMotion>] {
    [
      "heading": number(\.heading), "headingAccuracy": { $0.headingAccuracy = $1 },
      "field.x": { raw, x in x.map { raw.field = MagneticField(x: $0, y: raw.field.y, z: raw.field.z) } },
      "field.y": { raw, y in y.map { raw.field = MagneticField(x: raw.field.x, y: $0, z: raw.field.z) } },
      "field.z": { raw, z in z.map { raw.field = MagneticField(x: raw.field.x, y: raw.field.y, z: $0) } },
    ]
  }

  static var pedometerFields: [String: Setter<RawPedometer>] {
    [
      "startDate": date(\.startDate), "endDate": date(\.endDate), "numberOfSteps": number(\.numberOfSteps),
      "distance": { $0.distance = $1 }, "floorsAscended": { $0.floorsAscended = $1 },
      "floorsDescended": { $0.floorsDescended = $1 }, "currentPace": { $0.currentPace = $1 },
      "currentCadence": { $0.currentCadence = $1 }, "averageActivePace": { $0.averageActivePace = $1 },
    ]
  }

  /// The fields of a sample as texts; what is nil is not there. Counts are said with their case.
  static func fields(of sample: Any) -> [String: String] {
    var fields: [String: String] = [:]
    for (name, value) in Mirror(reflecting: sample).children {
      guard let name, let content = content(of: value) else { continue }
      if let field = content as? MagneticField {
        for (axis, number) in Mirror(reflecting: field).children { fields["\(name).\(axis ?? "")"] = text(number) }
      } else {
        fields[name] = text(content)
      }
    }
    return fields
  }

  /// What an optional holds, or the value itself.
  private static func content(of value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional ? mirror.children.first?.value : value
  }

  /// A number without a needless point, so that 0 and 0.0 are one.
  static func text(_ value: Any) -> String {
    if let number = value as? Double { return NSNumber(value: number).stringValue }
    return "\(value)"
  }
}
