import Foundation
import HealthPayload
import Testing

/// One case of fixtures/sensors.json.
struct SensorCase: Sendable, CustomTestStringConvertible {
  enum Sensor: String { case location, visit, heading, motion, pedometer, number }

  let id: String
  let says: String
  let sensor: Sensor
  /// Fields to be replaced; nil takes a field away.
  let given: [String: Double?]
  /// What fields of the sample say, nil for unknown; nil as a whole for no sample.
  let expect: [String: String?]?

  var testDescription: String { "\(id): \(says)" }

  static func all() throws -> [SensorCase] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "fixtures/sensors.json")
    let cases = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [[String: Any]])
    return try cases.map { try SensorCase($0) }
  }

  private init(_ json: [String: Any]) throws {
    id = try #require(json["id"] as? String)
    says = try #require(json["says"] as? String)
    let sensor = try #require(json["sensor"] as? String)
    self.sensor = try #require(Sensor(rawValue: sensor))
    given = try #require(json["given"] as? [String: Any]).mapValues { SensorCase.number($0) }
    expect = (json["expect"] as? [String: Any])?.mapValues { $0 is NSNull ? nil : SensorProbe.text($0) }
  }

  private static func number(_ json: Any) -> Double? {
    guard let text = json as? String else { return json as? Double }
    switch text {
    case "distantPast": return Date.distantPast.timeIntervalSince1970
    case "distantFuture": return Date.distantFuture.timeIntervalSince1970
    default: return Double(text)
    }
  }
}

@Suite struct SensorTests {
  @Test(arguments: try SensorCase.all())
  func `what a framework says with a number becomes a value or an unknown`(_ sensorCase: SensorCase) throws {
    let found = try sample(of: sensorCase)
    guard let expect = sensorCase.expect else {
      #expect(found == nil)
      return
    }
    let fields = try #require(found)
    for (field, value) in expect { #expect(fields[field] == value, "\(field)") }
  }

  @Test func `every convention of the table has its case`() throws {
    let ids = Set(try SensorCase.all().map(\.id))
    let missing = (1...29).map { $0 < 10 ? "SEN-0\($0)" : "SEN-\($0)" }.filter { !ids.contains($0) }
    #expect(missing == [])
    #expect(ids.count == (try SensorCase.all().count))
  }

  private func sample(of sensorCase: SensorCase) throws -> [String: String]? {
    var given = sensorCase.given
    switch sensorCase.sensor {
    case .location:
      return try LocationSample(SensorProbe.location.with(given, SensorProbe.locationFields)).map(SensorProbe.fields)
    case .visit:
      return try VisitSample(SensorProbe.visit.with(given, SensorProbe.visitFields)).map { visit in
        SensorProbe.fields(of: visit).merging(["isOpen": "\(visit.isOpen)"]) { $1 }
      }
    case .heading:
      var raw = SensorProbe.heading
      if given.removeValue(forKey: "isLocationUpdating") != nil { raw.isLocationUpdating = false }
      return SensorProbe.fields(of: HeadingSample(try raw.with(given, SensorProbe.headingFields)))
    case .motion:
      var raw = SensorProbe.motion
      if case .some(.some(let accuracy)) = given.removeValue(forKey: "fieldAccuracy") {
        raw.fieldAccuracy = Int(accuracy)
      }
      return SensorProbe.fields(of: DeviceMotionSample(try raw.with(given, SensorProbe.motionFields)))
    case .pedometer:
      let canCount = given.removeValue(forKey: "canCountFloors") == nil
      let raw = try SensorProbe.pedometer.with(given, SensorProbe.pedometerFields)
      return PedometerSample(raw, canCountFloors: canCount).map { sample in
        SensorProbe.fields(of: sample).merging(["floorsLabel": sample.floorsAscended.floorsLabel]) { $1 }
      }
    case .number:
      let value = try #require(given["value"] ?? nil)
      return number(value)
    }
  }

  private func number(_ value: Double) -> [String: String] {
    let reading = Reading(measured: value)
    var fields = ["reading": "\(reading)"]
    fields["number"] = ExactNumber(measured: value)?.text
    switch reading.outcome(unit: "1") {
    case .value(let number, _): fields["outcome"] = "value(\(number))"
    case .failed(let code): fields["outcome"] = "failed(\(code ?? "nil"))"
    default: break
    }
    return fields
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
  func `NaN and the infinities pass no field of any sensor`(_ number: Double) throws {
    for (name, set) in SensorProbe.locationFields {
      check(name, SensorProbe.location, set, number, named: ["timestamp"]) { LocationSample($0) }
    }
    for (name, set) in SensorProbe.visitFields {
      check(name, SensorProbe.visit, set, number, named: ["arrivalDate", "departureDate"]) { VisitSample($0) }
    }
    for (name, set) in SensorProbe.headingFields { check(name, SensorProbe.heading, set, number) { HeadingSample($0) } }
    for (name, set) in SensorProbe.motionFields {
      check(name, SensorProbe.motion, set, number) { DeviceMotionSample($0) }
    }
    for (name, set) in SensorProbe.pedometerFields {
      check(name, SensorProbe.pedometer, set, number, named: ["startDate", "endDate"]) {
        PedometerSample($0, canCountFloors: true)
      }
    }
  }

  /// Without the field there must be no sample, or one in which it is unknown, and nothing anywhere that is no number.
  /// Where it is one of the `named`, there must be no sample.
  private func check<Raw, Sample>(
    _ name: String, _ plain: Raw, _ set: SensorProbe.Setter<Raw>, _ number: Double, named mustFail: Set<String> = [],
    _ convert: (Raw) -> Sample?
  ) {
    var raw = plain
    set(&raw, number)
    guard let sample = convert(raw) else { return }
    #expect(!mustFail.contains(name), "\(Raw.self).\(name) of \(number) makes a sample")
    let fields = SensorProbe.fields(of: sample)
    let wrong = fields.filter { $0.value.lowercased().contains("nan") || $0.value.lowercased().contains("inf") }
    #expect(wrong.isEmpty, "\(Raw.self).\(name) of \(number) passes")
    #expect(fields[name == "numberOfSteps" ? "steps" : name].map { $0 == "invalid" } ?? true, "\(Raw.self).\(name)")
  }

  @Test func `the four texts for floors stay as they are`() {
    #expect(Reading.value(0).floorsLabel == "0 floors")
    #expect(Reading.value(12).floorsLabel == "12 floors")
    #expect(Reading<Int>.unavailable.floorsLabel == "Floors aren't counted on this device")
    #expect(Reading<Int>.notAuthorized.floorsLabel == "Allow Motion & Fitness to count floors")
    #expect(Reading<Int>.notYet.floorsLabel == "–")
    #expect(Reading<Int>.invalid.floorsLabel == "–")
  }

  @Test func `before a number arrives, Core Motion has said why`() {
    #expect(MotionAccess.authorized.reading(of: Int.self) == .notYet)
    #expect(MotionAccess.denied.reading(of: Int.self) == .notAuthorized)
    #expect(MotionAccess.notAsked.reading(of: Int.self) == .notAuthorized)
    #expect(MotionAccess.unavailable.reading(of: Int.self) == .unavailable)
    let readings: [Int: Reading<Int>] = [
      101: .notYet, 112: .notYet, 104: .unavailable, 109: .unavailable, 105: .notAuthorized, 111: .notAuthorized,
    ]
    for code in 100...115 { #expect(Reading<Int>(coreMotionError: code) == readings[code], "CMError \(code)") }
  }
}

/// A raw value whose fields are replaced by name.
protocol RawValue {}
extension RawLocation: RawValue {}
extension RawVisit: RawValue {}
extension RawHeading: RawValue {}
extension RawDeviceMotion: RawValue {}
extension RawPedometer: RawValue {}

extension RawValue {
  fileprivate func with(_ given: [String: Double?], _ setters: [String: SensorProbe.Setter<Self>]) throws -> Self {
    var raw = self
    for (name, value) in given {
      let set = try #require(setters[name], "no field \(name)")
      set(&raw, value)
    }
    return raw
  }
}
