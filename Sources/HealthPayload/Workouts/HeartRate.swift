#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A heart rate as a sensor hands it over.
public struct RawHeartRate: Sendable, Hashable {
  /// Beats per minute; zero and negative numbers stand for a sensor that found no pulse.
  public var beatsPerMinute: Double
  /// When it was measured.
  public var timestamp: Date

  /// Both fields, each said.
  public init(beatsPerMinute: Double, timestamp: Date) {
    self.beatsPerMinute = beatsPerMinute
    self.timestamp = timestamp
  }
}

/// A heart rate that was measured.
public struct HeartRateSample: Sendable, Hashable {
  /// Beats per minute, above zero: a person who works out has a pulse.
  public let beatsPerMinute: Double
  /// When it was measured.
  public let timestamp: Instant

  /// The sample of a raw heart rate; nil where no pulse was found or the time is none.
  public init?(_ raw: RawHeartRate) {
    guard let beatsPerMinute = positive(raw.beatsPerMinute), let timestamp = Instant(raw.timestamp) else { return nil }
    self.beatsPerMinute = beatsPerMinute
    self.timestamp = timestamp
  }
}
