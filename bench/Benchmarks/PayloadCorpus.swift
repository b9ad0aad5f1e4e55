import Foundation

/// Payloads as clients send them: the totals of several metrics a day, most of them measured, with sources and a few records.
enum PayloadCorpus {
  private static let metrics: [(name: String, unit: String, decimals: Bool)] = [
    ("steps", "1", false), ("distance_walk_run", "m", true), ("active_energy", "kcal", true), ("weight", "kg", true),
    ("basal_energy", "kcal", true), ("sleep_duration", "min", false), ("heart_rate_avg", "/min", true),
    ("workout_count", "1", false),
  ]
  private static let sources = ["\"watch-a\"", "\"watch-a\",\"phone-a\"", "\"com.example.health.tracker.7F2A\""]

  /// Payload texts of so many days each.
  static func texts(count: Int, days: Int, indented: Bool) -> [[UInt8]] {
    (0..<count).map { number in
      let text = payload(number, days: days)
      return Array((indented ? indent(text) : text).utf8)
    }
  }

  private static func payload(_ number: Int, days: Int) -> String {
    let entries = (0..<days).flatMap { day in metrics.indices.map { entry(number, day: day, metric: $0) } }
    return """
      {"schema":"dailymetricd.sync/1","payload_id":"00000000-0000-4000-8000-\(String(format: "%012d", number))",\
      "user_id":"7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa","origin":{"platform":"healthkit","installation_id":"inst-1",\
      "os_major":27,"app_build":"412","adapter":"ios-sdk 1.0"},"read":{"read_id":"r-1","mode":"incremental",\
      "read_at":"2026-11-29T07:05:00Z","last_successful_read_at":"2026-11-29T07:05:00Z","page":1,"final_page":true},\
      "time_zones":[{"from":"2026-01-01T00:00:00Z","iana":"Europe/Berlin"}],"windows":[],"permissions":[],\
      "presence":[{"local_date":"2026-11-28","source":"watch-a","kind":"wear","minutes":1210}],\
      "days":[\(entries.joined(separator: ","))],"records":[{"record_id":"5C6C1A52-6A31-4C1C-9F3E-0B7F51B1D001",\
      "metric":"steps","local_date":"2026-11-28","source":"watch-a","value":742}],"deletions":[]}
      """
  }

  private static func entry(_ number: Int, day: Int, metric: Int) -> String {
    let (name, unit, hasDecimals) = metrics[metric]
    let date = "\(2024 + day / 336)-\(String(format: "%02d-%02d", day / 28 % 12 + 1, day % 28 + 1))"
    let seed = number * 7_919 + day * 104_729 + metric * 1_299_709
    if seed % 6 == 0 {
      return
        "{\"metric\":\"\(name)\",\"local_date\":\"\(date)\",\"outcome\":\"empty\",\"sources\":[],\"complete\":true}"
    }
    let value = hasDecimals ? "\(60 + seed % 80).\(seed % 100)" : "\(1 + seed % 30)"
    return """
      {"metric":"\(name)","local_date":"\(date)","outcome":"value","value":\(value),"unit":"\(unit)",\
      "sources":[\(sources[seed % sources.count])],"complete":true}
      """
  }

  /// One space for each level and one line for each item, as in documentation and hand-made payloads.
  private static func indent(_ text: String) -> String {
    var depth = 0
    var isQuoted = false
    return text.reduce(into: "") { lines, letter in
      if letter == "\"" { isQuoted.toggle() }
      switch letter {
      case "{" where !isQuoted, "[" where !isQuoted:
        depth += 1
        lines += "\(letter)\n" + String(repeating: " ", count: depth)
      case "}" where !isQuoted, "]" where !isQuoted:
        depth -= 1
        lines += "\n" + String(repeating: " ", count: depth) + "\(letter)"
      case "," where !isQuoted: lines += ",\n" + String(repeating: " ", count: depth)
      case ":" where !isQuoted: lines += ": "
      default: lines.append(letter)
      }
    }
  }
}
