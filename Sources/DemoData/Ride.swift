import Foundation

/// An hour by bicycle, second by second, of which the receiver lost some: about 6 m/s, and 30 seconds at a traffic light in
/// every five minutes. What is lost is not in the payload.
struct Ride {
  /// When the receiver is lost.
  enum Gaps: String {
    /// Now and then, for 5 to 20 seconds, wherever the rider is.
    case anywhere
    /// Exactly while the rider stands: there is a bridge over the traffic light.
    case stopped
  }

  /// Metres per second, one for each second of the hour.
  private(set) var truth: [Double] = []
  /// The seconds that the receiver has lost.
  private(set) var lost: Set<Int> = []

  init(seed: UInt64, gaps: Gaps) {
    var random = SplitMix64(seed: seed)
    var missing = 0
    for second in 0..<3600 {
      let stands = second % 300 >= 270
      let speed = stands ? 0 : max(0, 6 + 1.5 * sin(Double(second) / 40) + 0.5 * random.gaussian())
      truth.append(speed)
      switch gaps {
      case .anywhere:
        if missing == 0, random.unit() < 0.02 { missing = random.number(in: 5...20) }
        if missing > 0 {
          missing -= 1
          lost.insert(second)
        }
      case .stopped:
        if stands { lost.insert(second) }
      }
    }
  }

  /// The payload: one record for each second that was seen. The metric cycling_speed is the database's own to have.
  func payload(person: String, payloadID: String, day: String) -> String {
    let records = truth.indices.filter { !lost.contains($0) }.map { second in
      """
      {"record_id": "\(day) second \(second)", "metric": "cycling_speed", "local_date": "\(day)", "source": "bike computer", \
      "start": "\(day)T\(Ride.clock(second))Z", "end": "\(day)T\(Ride.clock(second + 1))Z", "value": \(Ride.decimal(truth[second]))}
      """
    }
    return """
      {"schema": "dailymetricd.sync/1", "payload_id": "\(payloadID)", "user_id": "\(person)", \
      "origin": {"platform": "health_connect"}, "read": {"read_at": "2026-11-29T07:00:00Z"}, "time_zones": [{"iana": "UTC"}], \
      "records": [\(records.joined(separator: ", "))]}
      """
  }

  private static func clock(_ second: Int) -> String {
    String(format: "08:%02d:%02d", second / 60, second % 60).replacing("08:60", with: "09:00")
  }

  private static func decimal(_ speed: Double) -> String { String(format: "%.6f", speed) }
}

extension SplitMix64 {
  /// A number from 0 on and below 1.
  mutating func unit() -> Double { Double(next() & 0x1F_FFFF_FFFF_FFFF) * 0x1p-53 }

  /// A number of the standard normal distribution, after Box and Muller.
  mutating func gaussian() -> Double {
    let radius = max(unit(), .leastNonzeroMagnitude)
    let turn = unit()
    return (-2 * log(radius)).squareRoot() * cos(2 * .pi * turn)
  }
}
