internal import FoundationEssentials
internal import HealthPayload
internal import PayloadDecoder
internal import Postgres

// Workouts are kept without their places. Their count and minutes are records, merged like all others.
extension EvidenceWriter {
  /// Merges the workouts. Comes before the records: a workout that was deleted before takes the record of its minutes along.
  func mergeWorkouts(_ sources: [Source]) {
    let entries = NumberedEntries(sources.map(\.decoded.payload.workouts))
    guard !entries.isEmpty else { return }
    let packed = entries.column { PackedWorkout($0) }
    var positions: [Int32?] = []
    for source in sources { positions += source.decoded.payload.workouts.indices.map { Int32($0) } }
    session.runLater(
      Statements.mergeWorkouts,
      payloads(sources) + [
        .int4Array(entries.numbers), .textArray(entries.column { $0.recordID }),
        .dateArray(entries.column { $0.localDate.daysSince1970 }), .int4Array(positions),
        .textArray(entries.column { $0.source }), .timestampArray(entries.column { $0.start.microseconds }),
        .timestampArray(entries.column { $0.end.microseconds }), .boolArray(entries.column { $0.entry == .manual }),
        .textArray(packed.map(\.fixTimes)), .textArray(packed.map(\.hops)), .textArray(packed.map(\.altitudes)),
        .textArray(packed.map(\.speeds)), .textArray(packed.map(\.exactness)), .textArray(packed.map(\.beatTimes)),
        .textArray(packed.map(\.beats)),
      ], "merging workouts")
  }

  /// Makes the summaries of the workouts, and removes those that were deleted. Comes after the deletions.
  func deriveWorkouts(_ sources: [Source], deleting: [Source]) {
    var keys: [(source: Source, id: String?)] = []
    for source in sources { keys += source.decoded.payload.workouts.map { (source, $0.recordID) } }
    for source in deleting {
      keys += source.decoded.payload.deletions.map { deletion in
        // Which workouts a stretch of time holds, only the database knows.
        if case .record(let id) = deletion.target { (source, id) } else { (source, nil) }
      }
    }
    guard !keys.isEmpty else { return }
    session.runLater(
      Statements.deriveWorkouts,
      [
        .uuidArray(keys.map(\.source.user)), .int2Array(keys.map(\.source.platform)),
        .textArray(keys.map(\.source.store)), .textArray(keys.map(\.id)),
      ], "deriving workouts")
  }
}

/// The samples of a workout as array literals, one for each column.
private struct PackedWorkout {
  let fixTimes: String
  let hops: String
  let altitudes: String
  let speeds: String
  let exactness: String
  let beatTimes: String
  let beats: String

  init(_ workout: Workout) {
    let points = WorkoutTrack(workout.locations).points.filter { (workout.start...workout.end).contains($0.timestamp) }
    fixTimes = PackedWorkout.literal(points) { $0.timestamp.milliseconds(since: workout.start) }
    hops = PackedWorkout.literal(points) { $0.metresFromLast.map(Float.init) }
    altitudes = PackedWorkout.literal(points) { $0.altitude.map(Float.init) }
    speeds = PackedWorkout.literal(points) { $0.speed.map(Float.init) }
    exactness = PackedWorkout.literal(points) { $0.speedAccuracy != nil }
    // A heart rate from before the start may still hold when it begins.
    let longest = Int64(WorkoutField.averageHeartRate.policy.longestStep * 1_000_000)
    let first = Instant(microseconds: workout.start.microseconds - longest)
    let samples = workout.heartRates.filter { (first...workout.end).contains($0.timestamp) }
      .sorted { ($0.timestamp, $0.beatsPerMinute) < ($1.timestamp, $1.beatsPerMinute) }
    beatTimes = PackedWorkout.literal(samples) { $0.timestamp.milliseconds(since: workout.start) }
    beats = PackedWorkout.literal(samples) { Float($0.beatsPerMinute) }
  }

  private static func literal<Element, Value>(_ elements: [Element], _ value: (Element) -> Value?) -> String {
    "{" + elements.map { element in value(element).map { "\($0)" } ?? "NULL" }.joined(separator: ",") + "}"
  }
}

extension Instant {
  /// Whole milliseconds since another instant. The difference is one of instants in one workout.
  fileprivate func milliseconds(since start: Instant) -> Int64 {
    (microseconds - start.microseconds) / 1_000
  }
}
