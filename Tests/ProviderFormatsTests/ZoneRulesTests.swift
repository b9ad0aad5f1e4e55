import FoundationEssentials
import HealthPayload
import ProviderFormats
import Testing

struct ZoneRulesTests {
  private func rules(_ name: String) throws -> ZoneRules {
    try #require(ZoneRules(named: name), "the system has no time zone database, or none with \(name)")
  }

  @Test(arguments: [
    ("America/New_York", "2026-03-08", 23 * 60), ("America/New_York", "2026-11-01", 25 * 60),
    ("Australia/Lord_Howe", "2026-10-04", 23 * 60 + 30), ("Australia/Lord_Howe", "2026-04-05", 24 * 60 + 30),
    ("Antarctica/Troll", "2026-03-29", 22 * 60), ("America/Havana", "2026-03-08", 23 * 60),
    ("Africa/Cairo", "2026-04-24", 23 * 60), ("Pacific/Apia", "2011-12-30", 0), ("Pacific/Kwajalein", "1993-08-21", 0),
    ("Africa/Casablanca", "2026-02-15", 25 * 60), ("Africa/Casablanca", "2026-03-22", 23 * 60),
    ("Asia/Kolkata", "2026-03-29", 24 * 60),
    // After the last transition of the file its rule goes on.
    ("Europe/Berlin", "2099-03-29", 23 * 60), ("Europe/Berlin", "2099-10-25", 25 * 60),
    ("Australia/Lord_Howe", "2099-10-04", 23 * 60 + 30), ("Asia/Tokyo", "2099-10-04", 24 * 60),
  ])
  func `a day is as long as its zone makes it`(_ zone: String, _ day: String, _ minutes: Int) throws {
    let rules = try rules(zone)
    let date = try #require(LocalDate(day))
    let length = rules.start(of: date.adding(days: 1)).microseconds - rules.start(of: date).microseconds
    #expect(length == Int64(minutes) * 60_000_000)
  }

  @Test(arguments: [
    ("America/Havana", "2026-03-08", "2026-03-08T05:00:00Z"), ("Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z"),
    ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z"), ("Europe/Berlin", "2026-07-01", "2026-06-30T22:00:00Z"),
  ])
  func `a day whose midnight is skipped begins when the gap ends`(
    _ zone: String, _ day: String, _ begin: String
  ) throws {
    let date = try #require(LocalDate(day))
    #expect(try rules(zone).start(of: date) == Instant(begin))
  }

  @Test(arguments: [
    ("Pacific/Kiritimati", "2026-12-01"), ("UTC", "2026-11-30"), ("Pacific/Pago_Pago", "2026-11-29"),
  ])
  func `one instant has three dates`(_ zone: String, _ day: String) throws {
    let instant = try #require(Instant("2026-11-30T10:30:00Z"))
    #expect(try rules(zone).date(at: instant) == LocalDate(day))
  }

  @Test
  func `the offset changes with the very second of a transition`() throws {
    let rules = try rules("Europe/Berlin")
    let change = try #require(Instant("2026-03-29T01:00:00Z"))
    #expect(rules.offset(at: change) == 7_200)
    #expect(rules.offset(at: Instant(microseconds: change.microseconds - 1)) == 3_600)
    #expect(rules.offset(at: Instant(microseconds: -1)) == 3_600)
  }

  @Test(arguments: [
    "Mars/Olympus", "", "../etc/passwd", "/etc/passwd", "Europe", "zone.tab", "right/Europe/Berlin",
    "Europe/../../../etc/hosts",
  ])
  func `what names no zone has no rules`(_ name: String) {
    #expect(ZoneRules(named: name) == nil)
  }

  @Test
  func `a file that is cut off anywhere has no rules or the same ones, and breaks nothing`() throws {
    let file = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin"))
    let whole = try #require(ZoneRules(Array(file)))
    for length in stride(from: 0, to: file.count, by: 7) {
      guard let part = ZoneRules(Array(file.prefix(length))) else { continue }
      // Only the footer may be missing.
      let july = try #require(Instant("2020-07-01T12:00:00Z"))
      #expect(part.offset(at: july) == whole.offset(at: july))
    }
  }
}
