import FoundationEssentials
import HealthPayload

extension PayloadReader {
  /// Reads the workout in hand. Samples that a sensor marks as unusable are gaps; one that is malformed spoils the workout.
  mutating func readWorkout() throws(ScanError) {
    let recordID = text(.recordID, required(.recordID), characters: 1...512)
    let date = date(.localDate, required(.localDate))
    let source = text(.source, fields.optional(.source), characters: 1...256)
    let start = instant(.start, required(.start))
    let end = instant(.end, required(.end))
    let entry = fields.optional(.entry) == nil ? .sensor : word(.entry, tables.words.entries)
    if let start, let end {
      let length = end.microseconds - start.microseconds
      if !(1...Workout.longest * 1_000_000).contains(length) { problem(.invalidField, .end) }
    }
    if envelope.isNeverRead { problem(.neverRead, .recordID) }
    let locations = try samples(.locations, needing: [.latitude, .longitude]) { LocationSample($0.location) }
    let heartRates = try samples(.heartRates, needing: [.bpm]) { HeartRateSample($0.heartRate) }
    guard problems.isEmpty, let recordID, let date, let start, let end, let entry else {
      return _ = refuse(fields.range)
    }
    let workout = Workout(
      recordID: recordID, localDate: date, source: source, start: start, end: end, entry: entry, locations: locations,
      heartRates: heartRates)
    accepted.workouts.append(workout)
    feed(workout)
  }

  /// A workout is a record of the metrics that count workouts and their minutes, and is judged as such.
  private mutating func feed(_ workout: Workout) {
    // To the millionth of a minute, rounded.
    let minutes = (workout.end.microseconds - workout.start.microseconds + 30) / 60
    let fed: [(metric: MetricFacts?, suffix: String, value: ExactNumber?)] = [
      (tables.workoutCount, "", nil), (tables.workoutMinutes, Workout.minutesSuffix, ExactNumber("\(minutes)e-6")),
    ]
    for (metric, suffix, value) in fed {
      guard let metric else { continue }
      accepted.proof[metric.index] = true
      accepted.workoutRecords.append(
        JudgedRecord(
          recordID: workout.recordID + suffix, metric: metric.id, localDate: workout.localDate,
          position: Int32(accepted.workoutRecords.count), value: value, source: workout.source ?? "",
          start: workout.start, end: workout.end, isManual: workout.entry == .manual, proven: true))
      accepted.workoutRecordMetrics.append(metric.index)
    }
  }

  /// Puts the records of workouts behind the others, wherever the blocks stand in the text.
  mutating func joinWorkoutRecords() {
    for (record, metric) in zip(accepted.workoutRecords, accepted.workoutRecordMetrics) {
      var record = record
      record.position += accepted.recordCount
      accepted.judgedRecords.append(record)
      accepted.judgedRecordMetrics.append(metric)
    }
    accepted.recordCount += Int32(accepted.workoutRecords.count)
  }

  /// The samples of a list. Each counts as an entry of the payload.
  private mutating func samples<Sample>(
    _ key: Key, needing needed: [SampleKey], _ make: (SampleFields) -> Sample?
  ) throws(ScanError) -> [Sample] {
    guard let token = fields.optional(key) else { return [] }
    guard token.kind == .array else {
      problem(.invalidField, key)
      return []
    }
    var samples: [Sample] = []
    var elements = try scanner.elements(of: token)
    var index = 0
    while try elements.nextElement() {
      entryCount += 1
      guard entryCount <= limits.entries else { throw ScanError(code: .tooLarge, offset: elements.index) }
      let pointer = "\(place.pointer)/\(key.name)/\(index)"
      index += 1
      guard try elements.peek() == UInt8(ascii: "{") else {
        let other = try elements.value()
        problem(.invalidField, at: pointer, other.offset)
        continue
      }
      let offset = elements.index
      let found = try SampleFields(&elements)
      if let (name, place) = found.fault { problem(.invalidField, at: "\(pointer)/\(name)", place) }
      if let missing = found.missing(needed) { problem(.missingField, at: "\(pointer)/\(missing)", offset) }
      if problems.isEmpty, let sample = make(found) { samples.append(sample) }
    }
    return samples
  }
}

extension Workout {
  /// What the record of a workout's minutes has behind the workout's id; the database deletes it with the workout.
  static let minutesSuffix = " minutes"
}

/// Keys of the samples of a workout. All others are skipped.
enum SampleKey: String, CaseIterable {
  case at, latitude, longitude, altitude, speed, bpm
  case horizontalAccuracy = "horizontal_accuracy"
  case verticalAccuracy = "vertical_accuracy"
  case speedAccuracy = "speed_accuracy"

  fileprivate static let names = NameTable(allCases.map(\.rawValue))

  /// Beyond this, in its unit, a number is a mistake: nobody is 1,000 km high. Accuracies may say that nothing is known.
  fileprivate var largest: Double {
    switch self {
    case .horizontalAccuracy, .verticalAccuracy, .speedAccuracy: 1e12
    default: 1e6
    }
  }
}

/// The members of one sample.
private struct SampleFields {
  private var time: Instant?
  private var numbers: [SampleKey: Double] = [:]
  /// The first member that cannot be used, and where it stands.
  private(set) var fault: (name: String, offset: Int)?

  /// Reads the object that comes next.
  init(_ scanner: inout Scanner) throws(ScanError) {
    try scanner.open()
    while let name = try scanner.nextKey() {
      let value = try scanner.value()
      guard let index = SampleKey.names.index(of: name, in: scanner.bytes), value.kind != .null else { continue }
      let key = SampleKey.allCases[index]
      if numbers[key] != nil || (key == .at && time != nil) { fault = (key.rawValue, name.offset) }
      if key == .at {
        time = scanner.bytes.instant(of: value)
        if time == nil { fault = (key.rawValue, value.offset) }
      } else if value.kind == .number, value.range.count <= 40,
        let number = Double(scanner.bytes.plainText(value.range)),
        abs(number) <= key.largest
      {
        numbers[key] = number
      } else {
        fault = (key.rawValue, value.offset)
      }
    }
  }

  /// The first of the needed members that is not there.
  func missing(_ needed: [SampleKey]) -> String? {
    if time == nil, fault == nil { return SampleKey.at.rawValue }
    return needed.first { numbers[$0] == nil && fault?.name != $0.rawValue }?.rawValue
  }

  /// As a sensor would say it: not a number where there is none.
  private subscript(key: SampleKey) -> Double { numbers[key] ?? .nan }

  /// The fix as Core Location would hand it over, so that one place decides what its numbers mean.
  var location: RawLocation {
    RawLocation(
      latitude: self[.latitude], longitude: self[.longitude],
      horizontalAccuracy: numbers[.horizontalAccuracy] ?? LocationSample.unstatedAccuracy,
      altitude: self[.altitude], ellipsoidalAltitude: .nan,
      verticalAccuracy: self[.verticalAccuracy], speed: self[.speed],
      speedAccuracy: self[.speedAccuracy], course: .nan, courseAccuracy: .nan, timestamp: date)
  }

  /// The heart rate as a sensor would hand it over.
  var heartRate: RawHeartRate { RawHeartRate(beatsPerMinute: self[.bpm], timestamp: date) }

  private var date: Date { time.map { Date($0) } ?? .distantFuture }
}
