internal import FoundationEssentials
public import HealthPayload

/// What clocks showed and will show in a time zone, read from the system's IANA database (TZif files, RFC 8536).
///
/// For documents that write instants in UTC and say where the person was only by a zone's name.
public struct ZoneRules: Sendable, Hashable {
  /// From an instant on, clocks are ahead of UTC by so much.
  struct Transition: Sendable, Hashable {
    /// Seconds since 1970.
    let at: Int64
    /// Seconds ahead of UTC.
    let offset: Int64
  }

  /// Seconds ahead of UTC before the first transition.
  let first: Int64
  /// In the order of time.
  let transitions: [Transition]

  /// The zone of this name.
  ///
  /// - Returns: nil for a name that the database does not have, and where there is no database.
  public init?(named name: String, directory: String = "/usr/share/zoneinfo") {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    // The name must not lead out of the database, nor to its zones with leap seconds.
    guard name.utf8.count <= 64, parts.first != "right",
      parts.allSatisfy({ $0.first.map { $0.isLetter || $0.isNumber } == true })
    else {
      return nil
    }
    do {
      self.init(Array(try Data(contentsOf: URL(filePath: "\(directory)/\(name)"))))
    } catch {
      // No such file, or a directory, which can be opened and not read.
      return nil
    }
  }

  /// The zone that a TZif file describes; nil for any other bytes.
  public init?(_ file: [UInt8]) {
    var reader = ZoneFile(file)
    guard let short = reader.header(), let version = reader.version else { return nil }
    guard version >= 2 else {
      guard let block = reader.block(short, wide: false) else { return nil }
      self.init(block, footer: nil)
      return
    }
    // The same once more with times of eight bytes, and after it the rule that holds from the last one on.
    guard reader.skip(short), let counts = reader.header(), let block = reader.block(counts, wide: true) else {
      return nil
    }
    self.init(block, footer: ZoneFooter(reader.footer()))
  }

  private init(_ block: ZoneFile.Block, footer: ZoneFooter?) {
    first = block.first
    guard let footer else {
      transitions = block.transitions
      return
    }
    let last = block.transitions.last?.at
    let from = last.map { Instant(microseconds: $0 * 1_000_000).date(hoursFromUTC: 0).components.year }
    let years = max(from ?? Instant.acceptedYears.lowerBound, 1)...Instant.acceptedYears.upperBound
    transitions = block.transitions + footer.transitions(in: years).filter { $0.at > last ?? .min }
  }

  /// How many seconds clocks are ahead of UTC at an instant.
  public func offset(at instant: Instant) -> Int64 {
    let seconds = instant.microseconds.seconds
    var low = transitions.startIndex
    var high = transitions.endIndex
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].at <= seconds { low = middle + 1 } else { high = middle }
    }
    return low == transitions.startIndex ? first : transitions[low - 1].offset
  }

  /// The date that clocks show at an instant.
  public func date(at instant: Instant) -> LocalDate { instant.date(secondsFromUTC: offset(at: instant)) }

  /// The first instant at which clocks show this date or a later one: where midnight is skipped, the end of the gap; of a
  /// date that is skipped, the begin of the next.
  public func start(of date: LocalDate) -> Instant {
    let midnight = Int64(date.daysSince1970) * 86_400
    // No clock is more than a day and two hours away from UTC.
    let reach: Int64 = 26 * 3_600
    let near = transitions.filter { (midnight - reach...midnight + reach).contains($0.at) }
    var offset = offset(at: Instant(microseconds: (midnight - reach - 1) * 1_000_000))
    var begin = Int64.min
    for transition in near {
      let start = max(begin, midnight - offset)
      if start < transition.at { return Instant(microseconds: start * 1_000_000) }
      begin = transition.at
      offset = transition.offset
    }
    return Instant(microseconds: max(begin, midnight - offset) * 1_000_000)
  }
}

extension Int64 {
  /// Whole seconds in so many microseconds, rounded down.
  fileprivate var seconds: Int64 { self / 1_000_000 - (self % 1_000_000 < 0 ? 1 : 0) }
}
