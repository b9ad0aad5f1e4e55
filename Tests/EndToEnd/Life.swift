import Foundation
import Postgres
import TestSupport
import Testing

/// A person of whom there is something of every kind, with words and numbers that nobody else has.
struct Life {
  let number: Int
  var user: String { Sample.id(number) }
  /// Digits that stand behind the point of its values, more than a time or the number of a transaction has, and a word that stands
  /// in its names.
  var mark: String { String(7_731_000 + number) }
  var word: String { "heirloom\(number)" }

  /// How many days it has.
  var days = 40

  private func date(_ day: Int) -> String { day < 29 ? "2026-02-\(two(day))" : "2026-01-\(two(day - 28))" }
  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

  private func payload(_ id: Int, _ blocks: String, read: String = "", at hour: Int = 7) -> String {
    """
    {"schema":"dailymetricd.sync/1","payload_id":"\(Sample.id(number * 1000 + id))","user_id":"\(user)",\
    "origin":{"platform":"health_connect","store":"\(word)","os_major":15},\
    "read":{"read_at":"2026-03-01T\(two(hour)):00:00Z"\(read)},\(blocks)}
    """
  }

  /// Everything that a client may say, of which one entry is refused; said twice, so that cells have a history.
  var payloads: [String] {
    let entries = { (factor: Int) in
      (1...days).map { day in
        """
        {"metric":"steps","local_date":"\(date(day))","outcome":"value","value":9000.\(mark)\(factor),"sources":["\(word)"]}
        """
      }
    }
    let bad = #"{"metric":"steps","local_date":"2026-02-30","outcome":"value","value":9000.\#(mark)}"#
    let failed = #"{"metric":"resting_heart_rate","local_date":"2026-02-01","outcome":"failed","code":"http.429"}"#
    let records = (1...20).map {
      #"{"record_id":"\#(word)-\#($0)","metric":"flights_climbed","local_date":"\#(date($0))","source":"\#(word)","value":\#($0)}"#
    }
    let statements = """
      "time_zones":[{"from":"2026-01-01T00:00:00Z","iana":"Europe/Berlin"}],\
      "windows":[{"metric":"steps","kind":"authorized_from","instant":"2025-12-01T00:00:00Z"}],\
      "permissions":[{"metric":"steps","state":"granted"}],\
      "presence":[{"local_date":"2026-02-01","source":"\(word)","kind":"wear","minutes":900}],\
      "backfill":[{"metric":"steps","state":"running"}],\
      "records":[\(records.joined(separator: ","))]
      """
    let removed = #""deletions":[{"record_id":"\#(word)-3"},{"record_id":"\#(word)-unseen"}]"#
    return [
      payload(1, #"\#(statements),"days":[\#((entries(1) + [bad, failed]).joined(separator: ","))]"#),
      payload(2, #"\#(removed),"days":[\#(entries(2).joined(separator: ","))]"#, at: 8),
      payload(3, #""days":[\#(entries(3)[0])]"#, read: #","mode":"history_load","load_id":"\#(word)","page":1"#),
      payload(4, #""days":[\#(entries(4)[0])]"#).replacing("health_connect", with: "pebble"),
    ]
  }

  /// Merged, the second payload after the first, and looked at by a re-check.
  func live(in program: Program) async throws {
    for part in [payloads.prefix(1), payloads.dropFirst()] {
      try await program("enqueue", "-", stdin: part.joined(separator: "\n"))
      #expect(try await program("drain").status == 0)
    }
    #expect(try await program("recheck").status == 0)
  }

  /// One that comes later and says more.
  func late(_ id: Int) -> String {
    let day = #"{"metric":"steps","local_date":"2026-02-20","outcome":"value","value":9000.\#(mark)9}"#
    return payload(id, #""days":[\#(day)]"#, at: 9)
  }

  /// The lines of a dump of all data in which it is named, or something of it stands.
  func traces(in program: Program) async throws -> [Substring] {
    let dump = try await run(
      "/usr/bin/env", ["pg_dump", "--data-only", "--exclude-table-data=intake.forgotten_person"],
      environment: program.database.environment)
    #expect(dump.status == 0, "\(dump.stderr)")
    let texts = dump.stdout.split(separator: "\n")
    return texts.filter { line in [user, mark, word].contains { line.lowercased().contains($0) } }
  }
}
