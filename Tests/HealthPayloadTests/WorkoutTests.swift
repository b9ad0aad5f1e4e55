import Foundation
import HealthPayload
import Testing

/// A ride due north, second by second, from which a test takes something away.
private struct Ride {
  static let begin = Date(timeIntervalSince1970: 1_795_852_800)

  var seconds = 600
  var speed = 5.0
  var raw: [RawLocation] = []

  /// A fix each second from 0 to `seconds`, at 5 m/s and 40 m above the sea unless said otherwise.
  init(_ seconds: Int = 600, change: (Int, inout RawLocation) -> Void = { _, _ in }) {
    self.seconds = seconds
    for second in 0...seconds {
      var fix = RawLocation(
        latitude: 51 + Double(second) * 5 / 111_195.08, longitude: 7, horizontalAccuracy: 5, altitude: 40,
        ellipsoidalAltitude: 87, verticalAccuracy: 3, speed: 5, speedAccuracy: 0.4, course: 0, courseAccuracy: 2,
        timestamp: Ride.begin + Double(second))
      change(second, &fix)
      raw.append(fix)
    }
  }

  func summary(without gap: Range<Int> = 0..<0, pulse: [RawHeartRate] = []) throws -> WorkoutSummary {
    let kept = raw.enumerated().filter { !gap.contains($0.offset) }.map(\.element)
    let start = try #require(Instant(Ride.begin))
    let end = try #require(Instant(Ride.begin + Double(seconds)))
    return try #require(
      WorkoutSummary(
        start: start, end: end, locations: kept.compactMap { LocationSample($0) },
        heartRates: pulse.compactMap { HeartRateSample($0) }))
  }
}

/// Whether a quantity has about this value and this coverage.
private func about(_ quantity: Covered, _ value: Double, coverage: Double) -> Bool {
  guard case .value(let found, let seen) = quantity else { return false }
  return abs(found - value) <= 0.001 * max(1, abs(value)) && abs(seen - coverage) < 0.000_001
}

@Suite struct WorkoutTests {
  @Test func `a ride that was seen as a whole has its length, and says no percentage`() throws {
    let summary = try Ride().summary()
    #expect(about(summary.distance, 3_000, coverage: 1))
    #expect(about(summary.averageSpeed, 5, coverage: 1))
    #expect(summary.display(.distance) == "3.0 km")
    #expect(summary.display(.averageSpeed) == "18.0 km/h")
    #expect(summary.speedWithoutAccuracy == 0)
  }

  @Test func `a tunnel is not bridged by a line`() throws {
    // The last fix before is second 200, the first behind it second 279.
    let summary = try Ride().summary(without: 201..<279)
    #expect(about(summary.distance, 3_000 - 79 * 5, coverage: 521.0 / 600))
    #expect(summary.display(.distance) == "2.6+ km (87 % of workout)")
    #expect(about(summary.averageSpeed, 5, coverage: 521.0 / 600))
    #expect(summary.display(.averageSpeed) == "18.0 km/h (87 % of workout)")
  }

  @Test func `ten seconds between two fixes are a hop, and a moment more is a gap`() throws {
    #expect(try about(Ride().summary(without: 101..<110).distance, 3_000, coverage: 1))
    #expect(try about(Ride().summary(without: 101..<111).distance, 3_000 - 55, coverage: 589.0 / 600))
  }

  @Test func `no altitude at all is no elevation data and not 0 m`() throws {
    let summary = try Ride { $1.verticalAccuracy = -1 }.summary()
    #expect(summary.elevationGain == .noData)
    #expect(summary.display(.elevationGain) == "no elevation data")
    #expect(about(summary.distance, 3_000, coverage: 1))
  }

  @Test func `a flat ride is 0 m`() throws {
    let summary = try Ride().summary()
    #expect(summary.elevationGain == .value(0, coverage: 1))
    #expect(summary.display(.elevationGain) == "0 m")
  }

  @Test func `a barometer that wavers by less than a metre climbs nothing`() throws {
    let summary = try Ride { $1.altitude = 40 + ($0.isMultiple(of: 2) ? 0 : 0.9) }.summary()
    #expect(summary.elevationGain == .value(0, coverage: 1))
  }

  @Test func `a slow climb adds up, and the way down takes nothing back`() throws {
    let summary = try Ride { $1.altitude = 40 + Double(min($0, 600 - $0)) * 0.25 }.summary()
    #expect(about(summary.elevationGain, 75, coverage: 1))
  }

  @Test func `a stretch without altitude guesses no climb across it`() throws {
    let summary = try Ride { second, fix in
      fix.altitude = second < 200 ? 40 : 90
      if (200..<300).contains(second) { fix.verticalAccuracy = 0 }
    }.summary()
    #expect(about(summary.elevationGain, 0, coverage: 499.0 / 600))
    #expect(summary.display(.elevationGain) == "0+ m (83 % of workout)")
  }

  @Test func `a speed without an accuracy counts, and its share is reported`() throws {
    let summary = try Ride { second, fix in if second < 150 { fix.speedAccuracy = -1 } }.summary()
    #expect(about(summary.averageSpeed, 5, coverage: 1))
    #expect(summary.speedWithoutAccuracy == 0.25)
  }

  @Test func `an unknown speed is left out and a standing rider is not`() throws {
    let unknown = try Ride { second, fix in if second < 300 { fix.speed = -1 } }.summary()
    #expect(about(unknown.averageSpeed, 5, coverage: 0.5))
    let standing = try Ride { second, fix in if second < 300 { fix.speed = 0 } }.summary()
    #expect(about(standing.averageSpeed, 2.5, coverage: 1))
  }

  @Test func `no fix at all is no data in every field, and no zero`() throws {
    let summary = try Ride().summary(without: 0..<601)
    #expect(WorkoutField.allCases.map { summary.display($0) } == WorkoutField.allCases.map(\.policy.noData))
    #expect(summary.speedWithoutAccuracy == nil)
    #expect(summary.distance.coverage == 0)
  }

  @Test func `one fix alone has gone nowhere and says so by no data`() throws {
    #expect(try Ride().summary(without: 1..<601).distance == .noData)
  }

  @Test func `approximate fixes and fixes without a place draw no way`() throws {
    #expect(try Ride { $1.horizontalAccuracy = 3_000 }.summary().distance == .noData)
    #expect(try Ride { $1.horizontalAccuracy = -1 }.summary().distance == .noData)
    #expect(try Ride { $1.latitude = .nan }.summary().distance == .noData)
  }

  @Test func `a heart rate holds for fifteen seconds and no longer`() throws {
    let pulse = [(0, 120.0), (10, 150), (100, 90)].map { at, beats in
      RawHeartRate(beatsPerMinute: beats, timestamp: Ride.begin + Double(at))
    }
    let summary = try Ride().summary(pulse: pulse)
    // 10 s of 120, 15 s of 150, 15 s of 90.
    #expect(about(summary.averageHeartRate, 120, coverage: 40.0 / 600))
    #expect(summary.display(.averageHeartRate) == "120 bpm (7 % of workout)")
  }

  @Test(arguments: [0, -1, .nan, .infinity]) func `what is no pulse is no sample`(_ beats: Double) {
    #expect(HeartRateSample(RawHeartRate(beatsPerMinute: beats, timestamp: Ride.begin)) == nil)
  }

  @Test func `the order of the samples and repetitions change nothing`() throws {
    var ride = Ride { second, fix in fix.altitude = 40 + Double(second % 7) }
    let expected = try ride.summary()
    ride.raw = ride.raw.reversed() + ride.raw.prefix(50)
    #expect(try ride.summary() == expected)
  }

  @Test func `samples outside of the workout count for nothing`() throws {
    let ride = Ride(1_200)
    let start = try #require(Instant(Ride.begin + 300))
    let end = try #require(Instant(Ride.begin + 900))
    let summary = try #require(
      WorkoutSummary(start: start, end: end, locations: ride.raw.compactMap { LocationSample($0) }))
    #expect(about(summary.distance, 3_000, coverage: 1))
  }

  @Test func `a workout that does not last has no summary`() throws {
    let start = try #require(Instant(Ride.begin))
    #expect(WorkoutSummary(start: start, end: start, locations: []) == nil)
  }

  @Test func `a sliver that was seen is never all of it, nor nothing`() throws {
    let summary = try Ride().summary(without: 2..<601)
    #expect(summary.display(.distance) == "5+ m (under 1 % of workout)")
  }

  @Test func `the table in the documentation is the one in the code`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/workouts.md"), encoding: .utf8)
    #expect(page.contains(WorkoutField.markdownTable))
  }
}
