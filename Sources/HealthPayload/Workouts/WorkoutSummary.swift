/// What a workout amounts to, each quantity with the part of the workout that it was computed from.
public struct WorkoutSummary: Sendable, Hashable {
  /// Metres.
  public let distance: Covered
  /// Metres per second.
  public let averageSpeed: Covered
  /// Metres.
  public let elevationGain: Covered
  /// Beats per minute.
  public let averageHeartRate: Covered
  /// Of the time behind the average speed, the fraction in which the speed came without an accuracy; nil without a speed.
  public let speedWithoutAccuracy: Double?

  /// The summary of the samples between two instants, in any order; nil where the end does not come after the start.
  ///
  /// Of several samples of one instant one counts, whatever their order.
  public init?(start: Instant, end: Instant, locations: [LocationSample], heartRates: [HeartRateSample] = []) {
    guard start < end else { return nil }
    self.init(start: start, end: end, track: WorkoutTrack(locations), heartRates: heartRates)
  }

  /// The summary of a track without places.
  public init?(start: Instant, end: Instant, track: WorkoutTrack, heartRates: [HeartRateSample] = []) {
    guard start < end else { return nil }
    let duration = start.seconds(to: end)
    let points = track.points.filter { (start...end).contains($0.timestamp) }
    (distance, averageSpeed, speedWithoutAccuracy) = WorkoutSummary.movement(points, duration)
    elevationGain = WorkoutSummary.climb(points, duration)
    averageHeartRate = WorkoutSummary.pulse(heartRates, start, end, duration)
  }

  /// Way and speed, from point to point.
  private static func movement(
    _ points: [WorkoutTrack.Point], _ duration: Double
  ) -> (distance: Covered, speed: Covered, withoutAccuracy: Double?) {
    var (metres, seen, weighted, timed, bare) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (from, to) in zip(points, points.dropFirst()) {
      let seconds = from.timestamp.seconds(to: to.timestamp)
      guard seconds <= WorkoutField.distance.policy.longestStep, let hop = to.metresFromLast else { continue }
      metres += hop
      seen += seconds
      guard let speed = from.speed else { continue }
      weighted += speed * seconds
      timed += seconds
      if from.speedAccuracy == nil { bare += seconds }
    }
    return (
      Covered(metres, seconds: seen, of: duration), Covered(weighted / timed, seconds: timed, of: duration),
      timed > 0 ? bare / timed : nil
    )
  }

  /// Metres up. A rise counts once it is a metre above the last turning point; behind a gap all begins anew.
  private static func climb(_ points: [WorkoutTrack.Point], _ duration: Double) -> Covered {
    var (gain, seen) = (0.0, 0.0)
    var last: (timestamp: Instant, turn: Double)?
    for point in points {
      guard let altitude = point.altitude else { continue }
      var turn = altitude
      if let last {
        let seconds = last.timestamp.seconds(to: point.timestamp)
        if seconds <= WorkoutField.elevationGain.policy.longestStep {
          seen += seconds
          if abs(altitude - last.turn) < WorkoutField.hysteresis { turn = last.turn }
          gain += max(0, turn - last.turn)
        }
      }
      last = (point.timestamp, turn)
    }
    return Covered(gain, seconds: seen, of: duration)
  }

  /// Each sample holds until the next one, for a while at most. One from before the start may reach into the workout.
  private static func pulse(_ samples: [HeartRateSample], _ start: Instant, _ end: Instant, _ duration: Double)
    -> Covered
  {
    // Of two samples of one instant the first holds for no time at all.
    let sorted = samples.sorted { ($0.timestamp, $0.beatsPerMinute) < ($1.timestamp, $1.beatsPerMinute) }
    let longest = Int64(WorkoutField.averageHeartRate.policy.longestStep * 1_000_000)
    var (weighted, seen) = (0.0, 0.0)
    for (index, sample) in sorted.enumerated() {
      var until = min(end, Instant(microseconds: sample.timestamp.microseconds + longest))
      if index + 1 < sorted.count { until = min(until, sorted[index + 1].timestamp) }
      let from = max(start, sample.timestamp)
      guard from < until else { continue }
      let seconds = from.seconds(to: until)
      weighted += sample.beatsPerMinute * seconds
      seen += seconds
    }
    return Covered(weighted / seen, seconds: seen, of: duration)
  }
}

extension Instant {
  /// Seconds until another instant.
  func seconds(to other: Instant) -> Double { Double(other.microseconds - microseconds) / 1_000_000 }
}
