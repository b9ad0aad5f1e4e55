import Foundation
import HealthPayload
import Testing

@Suite struct TimeTests {
  @Test func `every date from 1900 to 2200 is written as it is read and follows on the day before`() throws {
    var date = try #require(LocalDate("1900-01-01"))
    #expect(date.daysSince1970 == -25_567)
    while date.components.year < 2_201 {
      let next = date.adding(days: 1)
      #expect(LocalDate(date.description) == date && date.description < next.description)
      date = next
    }
  }

  @Test(arguments: [
    "2026-02-29", "2100-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "2026-04-31", "0000-01-01", "2026-1-01",
    "20260101", "2026-01-01 ", "2026-01-01T00:00:00Z", "+026-01-01", "２０２６-01-01", "",
  ])
  func `what is no day is nil`(_ text: String) { #expect(LocalDate(text) == nil) }

  @Test func `leap days exist`() {
    #expect(LocalDate("2024-02-29") != nil && LocalDate("2000-02-29") != nil && LocalDate("0001-01-01") != nil)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("1970-01-01T00:00:00.000001Z", 1), ("1970-01-01t01:00:00+01:00", 0),
    ("1969-12-31T23:59:59.9999999z", -1), ("1970-01-01 00:00:00-00:00", 0), ("1970-01-01T05:30:01.5+05:30", 1_500_000),
    ("2016-12-31T23:59:60Z", 1_483_228_799_999_999), ("2017-01-01T00:59:60+01:00", 1_483_228_799_999_999),
    ("2016-12-31T00:29:60.5-23:30", 1_483_228_799_999_999),
  ])
  func `an RFC 3339 time is exact to the microsecond`(_ text: String, _ microseconds: Int64) {
    #expect(Instant(text)?.microseconds == microseconds)
  }

  @Test(arguments: [
    "2026-11-29T07:05:00", "2026-11-29", "2026-11-29T24:00:00Z", "2026-11-29T07:60:00Z", "2026-11-29T07:05:61Z",
    "2026-11-29T07:05:60Z", "2026-02-29T00:00:00Z", "2026-11-29T07:05:00.Z", "2026-11-29T07:05:00+1:00",
    "2026-11-29T07:05:00+24:00", "2026-11-29T07:05:00+0100", "2026-11-29T07:05:00Zz", "1899-12-31T23:59:59Z",
    "2201-01-01T00:00:00Z", "2026-11-29X07:05:00Z", "2026-11-29T07:05Z", "", "now",
  ])
  func `what is no such time is nil`(_ text: String) { #expect(Instant(text) == nil) }

  @Test func `an instant is written as it is read`() throws {
    for text in [
      "2026-11-29T07:05:00Z", "1900-01-01T00:00:00Z", "1969-12-31T23:59:59.000001Z", "2200-12-31T23:59:59.999999Z",
    ] {
      #expect(Instant(text)?.description == text)
    }
  }

  @Test func `Foundation's distant dates are read where any year may be, and nowhere else`() {
    for (date, text) in [(Date.distantPast, "0001-01-01T00:00:00Z"), (.distantFuture, "4001-01-01T00:00:00Z")] {
      #expect(date.ISO8601Format() == text)
      #expect(Instant(text) == nil)
      #expect(Instant(text, years: Instant.writableYears)?.description == text)
    }
  }

  @Test func `the date of an instant is that of the clocks there`() throws {
    let instant = try #require(Instant("2026-11-29T10:00:00Z"))
    #expect(instant.date(hoursFromUTC: 14).description == "2026-11-30")
    #expect(instant.date(hoursFromUTC: 13).description == "2026-11-29")
    #expect(instant.date(hoursFromUTC: -11).description == "2026-11-28")
  }
}
