// The wire form of workouts. What is nil is left out, so that no sensor's number for "unknown" is ever written.

/// Keys of the wire form of a workout and its samples.
private enum WorkoutKey: String, CodingKey {
  case source, start, end, entry, locations, at, latitude, longitude, altitude, speed, bpm
  case recordID = "record_id"
  case localDate = "local_date"
  case heartRates = "heart_rates"
  case horizontalAccuracy = "horizontal_accuracy"
  case verticalAccuracy = "vertical_accuracy"
  case speedAccuracy = "speed_accuracy"
}

extension Workout: Encodable {
  /// Writes the wire form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: WorkoutKey.self)
    try container.encode(recordID, forKey: .recordID)
    try container.encode(localDate, forKey: .localDate)
    try container.encodeIfPresent(source, forKey: .source)
    try container.encode(start, forKey: .start)
    try container.encode(end, forKey: .end)
    if entry != .sensor { try container.encode(entry, forKey: .entry) }
    if !locations.isEmpty { try container.encode(locations.map(WireFix.init), forKey: .locations) }
    if !heartRates.isEmpty { try container.encode(heartRates.map(WireBeat.init), forKey: .heartRates) }
  }
}

/// A fix as payloads write it: what a summary needs and no more.
private struct WireFix: Encodable {
  let location: LocationSample

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: WorkoutKey.self)
    try container.encode(location.timestamp, forKey: .at)
    try container.encode(location.latitude, forKey: .latitude)
    try container.encode(location.longitude, forKey: .longitude)
    try container.encodeIfPresent(location.horizontalAccuracy, forKey: .horizontalAccuracy)
    try container.encodeIfPresent(location.altitude, forKey: .altitude)
    try container.encodeIfPresent(location.verticalAccuracy, forKey: .verticalAccuracy)
    try container.encodeIfPresent(location.speed, forKey: .speed)
    try container.encodeIfPresent(location.speedAccuracy, forKey: .speedAccuracy)
  }
}

/// A heart rate as payloads write it.
private struct WireBeat: Encodable {
  let sample: HeartRateSample

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: WorkoutKey.self)
    try container.encode(sample.timestamp, forKey: .at)
    try container.encode(sample.beatsPerMinute, forKey: .bpm)
  }
}
