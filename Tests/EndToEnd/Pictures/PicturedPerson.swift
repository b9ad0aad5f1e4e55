import HealthPayload
import TestSupport

/// A person whose days show everything that a picture can show, read from 2026-11-29 on.
///
///     steps   20  21: 8000  22: 6500  23: 0  24: not worn  25: failed  26: 9000  27: 7000  28: a lower bound
///     weight      21: 70.1                                     25: 69.8
enum PicturedPerson {
  static let id = "7b0c2f5e-1d2a-4e0b-9a51-2f6d0c9e11aa"
  static let stranger = "00000000-0000-4000-8000-000000000099"

  private static func day(_ metric: String, _ day: Int, _ outcome: String) -> String {
    "{\"metric\":\"\(metric)\",\"local_date\":\"2026-11-\(day)\",\(outcome)}"
  }

  private static func value(_ number: String) -> String {
    "\"outcome\":\"value\",\"value\":\(number),\"sources\":[\"watch\"]"
  }

  private static var days: [String] {
    [
      day("steps", 21, value("8000")), day("steps", 22, value("6500")), day("steps", 23, "\"outcome\":\"empty\""),
      day("steps", 24, "\"outcome\":\"empty\""), day("steps", 25, "\"outcome\":\"failed\",\"code\":\"http.500\""),
      day("steps", 26, value("9000")), day("steps", 27, value("7000")),
      day("steps", 28, value("4200") + ",\"complete\":false"), day("weight", 21, value("70.1")),
      day("weight", 25, value("69.8")),
    ]
  }

  private static var payload: String {
    """
    {"schema":"dailymetricd.sync/1","payload_id":"40000000-0000-4000-8000-000000000001","user_id":"\(id)",\
    "origin":{"platform":"health_connect"},"read":{"read_at":"2026-11-29T07:05:00Z",\
    "last_successful_read_at":"2026-11-28T07:00:00Z"},"time_zones":[{"from":"2000-01-01T00:00:00Z","iana":"UTC"}],\
    "permissions":[{"metric":null,"state":"granted"}],\
    "presence":[{"local_date":"2026-11-23","source":"watch","kind":"wear","minutes":1200}],\
    "days":[\(days.joined(separator: ","))]}
    """
  }

  /// A database that knows the person.
  static func program() async throws -> Program {
    let program = try await Program.prepared()
    try await program("enqueue", "-", stdin: payload)
    let drain = try await program("drain", "--as-of", "2026-11-29T08:00:00Z")
    guard drain.status == 0 else { throw TestSupportError("drain failed: \(drain.stderr)") }
    return program
  }
}
