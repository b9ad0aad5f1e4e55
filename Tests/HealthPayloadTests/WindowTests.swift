import Foundation
import HealthPayload
import Testing

/// The instant that a text names.
func instant(_ text: String) throws -> Instant { try #require(Instant(text)) }

/// The date that a text names.
func date(_ text: String) throws -> LocalDate { try #require(LocalDate(text)) }

/// The day of a date in a zone.
private func localDay(_ text: String, in zone: String) throws -> LocalDay {
  let zone = try #require(TimeZone(identifier: zone))
  // Noon in UTC lies on the date in every zone west of UTC+12.
  return try #require(LocalDay(containing: try instant("\(text)T12:00:00Z"), in: zone))
}

@Suite struct AuthorizedHistoryTests {
  // AP-05, 06, 07
  @Test func `a type that is left out, a failed question and a system without it are three things`() throws {
    let answers: [AuthorizedHistory] = [.omitted, .failed(.healthKit(6)), .notOffered]
    for (index, answer) in answers.enumerated() {
      #expect(answer.window(metric: "steps") == nil)
      #expect(answers.firstIndex(of: answer) == index)
    }
    #expect(AuthorizedHistory(types: ["StepCount"], in: [:]) == .omitted)
    let other = ["HeartRate": try instant("2026-10-30T00:00:00Z")]
    #expect(AuthorizedHistory(types: ["StepCount"], in: other) == .omitted)
  }

  // AP-13
  @Test func `a metric of several types begins where the last of them does`() throws {
    let dates = ["Systolic": try instant("2026-10-01T00:00:00Z"), "Diastolic": try instant("2026-10-20T00:00:00Z")]
    let history = AuthorizedHistory(types: ["Systolic", "Diastolic"], in: dates)
    #expect(history == .from(EarliestAuthorized(try instant("2026-10-20T00:00:00Z"))))
    let window = QueryWindow(
      from: try instant("2026-09-01T00:00:00Z"), authorized: history,
      permitted: EarliestPermitted(try instant("2014-06-01T00:00:00Z")))
    #expect(window.place(of: try localDay("2026-10-10", in: "Europe/Berlin")) == .before(.authorizedHistory))
  }

  @Test func `each boundary is stated as what it is`() throws {
    let since = try instant("2026-10-30T13:20:00Z")
    #expect(
      AuthorizedHistory.from(EarliestAuthorized(since)).window(metric: "steps")
        == ReadWindow(metric: "steps", boundary: .authorizedFrom(since)))
    #expect(EarliestPermitted(since).window == ReadWindow(metric: nil, boundary: .platformFloor(since)))
  }
}

@Suite struct QueryWindowTests {
  private func window(
    from intended: String = "2010-01-01T00:00:00Z", authorized: String? = nil, floor: String = "2014-06-01T00:00:00Z"
  ) throws -> QueryWindow {
    let history: AuthorizedHistory =
      if let authorized { .from(EarliestAuthorized(try instant(authorized))) } else { .omitted }
    return QueryWindow(
      from: try instant(intended), authorized: history, permitted: EarliestPermitted(try instant(floor)))
  }

  // AP-10
  @Test func `a query starts at the latest of the intended start and the boundaries`() throws {
    let shared = "2026-10-30T00:00:00+01:00"
    #expect(try window(from: "2020-01-01T00:00:00Z", authorized: shared).start == instant(shared))
    #expect(try window(from: "2026-11-20T00:00:00Z", authorized: shared).start == instant("2026-11-20T00:00:00Z"))
    #expect(try window().start == instant("2014-06-01T00:00:00Z"))
    #expect(try window(authorized: "2010-01-01T00:00:00Z").start == instant("2014-06-01T00:00:00Z"))
  }

  /// AP-01 to 04, 08, 09: the date of the question in Berlin, and where it lies.
  @Test(arguments: [
    ("AP-01", "2026-10-30T00:00:00+01:00", "2026-10-29", QueryWindow.Place.before(.authorizedHistory)),
    ("AP-02", "2026-10-30T00:00:00+01:00", "2026-10-30", .readable),
    ("AP-03", "2026-10-30T14:20:00+01:00", "2026-10-30", .cut(by: .authorizedHistory)),
    ("AP-04", "2026-10-30T14:20:00+01:00", "2026-10-31", .readable),
    ("AP-08", "2010-01-01T00:00:00Z", "2013-12-31", .before(.platformFloor)),
    ("AP-09", "2026-10-30T00:00:00Z", "2013-12-31", .before(.platformFloor)),
    ("floor's day", "2010-01-01T00:00:00Z", "2014-06-01", .cut(by: .platformFloor)),
  ])
  func `a day lies before a boundary, contains it, or can be read`(
    _ id: String, _ authorized: String, _ date: String, _ place: QueryWindow.Place
  ) throws {
    #expect(try window(authorized: authorized).place(of: localDay(date, in: "Europe/Berlin")) == place, "\(id)")
  }

  // AP-06
  @Test func `where the question failed, silence is no empty day`() throws {
    let window = QueryWindow(
      from: try instant("2026-01-01T00:00:00Z"), authorized: .failed(.healthKit(6)),
      permitted: EarliestPermitted(try instant("2014-06-01T00:00:00Z")))
    let day = try localDay("2026-10-01", in: "Europe/Berlin")
    #expect(window.start == window.intendedStart)
    #expect(window.place(of: day) == .unsure)
    let unknown = DayEntry.Outcome.failed(code: "client.window_unknown")
    #expect(window.outcome(.empty, on: day) == unknown)
    #expect(window.outcome(.value(ExactNumber(0)), on: day) == unknown)
    #expect(window.outcome(.value(ExactNumber(7_000)), on: day) == .value(ExactNumber(7_000)))
    #expect(window.outcome(.failed(code: "HKError.6"), on: day) == .failed(code: "HKError.6"))
    #expect(window.place(of: try self.day("2013-12-31")) == .before(.platformFloor))
  }

  private func day(_ text: String) throws -> LocalDay { try localDay(text, in: "Europe/Berlin") }

  // AP-05, 07
  @Test func `where the answer left the type out, or nobody could ask, an empty day is said as it is`() throws {
    for history in [AuthorizedHistory.omitted, .notOffered] {
      let window = QueryWindow(
        from: try instant("2026-01-01T00:00:00Z"), authorized: history,
        permitted: EarliestPermitted(try instant("2014-06-01T00:00:00Z")))
      #expect(window.outcome(.empty, on: try day("2026-10-01")) == .empty)
    }
  }
}

@Suite struct HealthConnectWindowTests {
  /// Grant, Android, history permission, own data, and the place of a date in London.
  struct Case: Sendable {
    let id: String
    let grant: String
    let os: Int
    var permission = false
    var own = false
    let date: String
    let place: QueryWindow.Place
  }

  @Test(arguments: [
    Case(id: "HC-01", grant: "2023-03-30T08:00:00Z", os: 13, date: "2023-03-01", place: .readable),
    Case(id: "HC-02", grant: "2023-03-30T08:00:00Z", os: 13, date: "2023-02-27", place: .before(.historyWindow)),
    Case(id: "HC-03", grant: "2023-03-30T08:00:00Z", os: 13, date: "2023-02-28", place: .cut(by: .historyWindow)),
    Case(id: "HC-04", grant: "2023-05-15T08:00:00Z", os: 14, date: "2023-04-15", place: .cut(by: .historyWindow)),
    Case(id: "HC-05", grant: "2023-05-15T08:00:00Z", os: 14, date: "2023-04-14", place: .before(.historyWindow)),
    Case(id: "HC-07", grant: "2023-05-15T08:00:00Z", os: 14, date: "2023-05-12", place: .readable),
    Case(id: "HC-08", grant: "2023-05-15T08:00:00Z", os: 14, permission: true, date: "2023-02-01", place: .readable),
    Case(id: "HC-10", grant: "2023-05-15T08:00:00Z", os: 14, own: true, date: "2022-01-01", place: .readable),
    Case(
      id: "HC-11", grant: "2023-05-15T08:00:00Z", os: 13, own: true, date: "2022-01-01", place: .before(.historyWindow)),
    Case(id: "leap year", grant: "2024-03-30T08:00:00Z", os: 14, date: "2024-02-29", place: .cut(by: .historyWindow)),
  ])
  func `what can be read depends on the first grant, the permission, the data and the system`(_ given: Case) throws {
    let access = HealthConnectAccess(
      firstGrantAt: try instant(given.grant), historyPermission: given.permission, osMajor: given.os)
    let window = QueryWindow(from: try instant("2020-01-01T00:00:00Z"), access: access, ownData: given.own)
    #expect(window.place(of: try localDay(given.date, in: "Europe/London")) == given.place, "\(given.id)")
  }

  // HC-13
  @Test func `a bulk read is asked for from the boundary on, because what is older is left out in silence`() throws {
    let grant = try instant("2023-05-15T08:00:00Z")
    let access = HealthConnectAccess(firstGrantAt: grant, historyPermission: false, osMajor: 14)
    let window = QueryWindow(from: try instant("2023-01-01T00:00:00Z"), access: access, ownData: false)
    #expect(window.start == (try instant("2023-04-15T08:00:00Z")))
    #expect(
      access.window(ownData: false)
        == ReadWindow(boundary: .history(firstGrantAt: grant, permission: false, ownData: false)))
  }
}

@Suite struct LocalDayTests {
  @Test(arguments: [
    ("America/New_York", "2026-03-08", 23.0), ("America/New_York", "2026-11-01", 25),
    ("Europe/London", "2026-10-25", 25),
    ("Australia/Lord_Howe", "2026-04-05", 24.5), ("Antarctica/Troll", "2026-03-29", 22),
    ("Africa/Casablanca", "2026-02-15", 25), ("America/Havana", "2026-03-08", 23), ("UTC", "2028-02-29", 24),
  ])
  func `a day is as long as its zone makes it`(_ zone: String, _ date: String, _ hours: Double) throws {
    let day = try localDay(date, in: zone)
    #expect(day.date.description == date)
    #expect(Double(day.end.microseconds - day.start.microseconds) / 3.6e9 == hours)
  }

  @Test func `a date that a zone has skipped is no day`() throws {
    let zone = try #require(TimeZone(identifier: "Pacific/Apia"))
    let days = LocalDay.days(
      from: try instant("2011-12-29T12:00:00Z"), through: try instant("2011-12-31T09:00:00Z"), in: zone)
    #expect(try #require(days).map(\.date.description) == ["2011-12-29", "2011-12-31"])
  }

  @Test func `days follow each other without a gap`() throws {
    let zone = try #require(TimeZone(identifier: "America/Santiago"))
    let days = try #require(
      LocalDay.days(from: try instant("2026-01-01T12:00:00Z"), through: try instant("2026-12-31T12:00:00Z"), in: zone))
    #expect(days.count == 365)
    for (one, next) in zip(days, days.dropFirst()) {
      #expect(one.end == next.start && one.date.adding(days: 1) == next.date)
    }
  }

  @Test func `what a calendar cannot name is nil`() throws {
    let year12000 = Instant(microseconds: 316_500_000_000_000_000)
    #expect(LocalDay(containing: year12000, in: .gmt) == nil)
    let now = try instant("2026-11-28T00:00:00Z")
    #expect(LocalDay(date: try date("2026-11-28"), start: now, end: now) == nil)
    #expect(LocalDay.days(from: now, through: Instant(microseconds: now.microseconds - 1), in: .gmt) == [])
  }

  @Test func `dates of frameworks become instants, and NaN none`() throws {
    #expect(Instant(Date(timeIntervalSince1970: 1.5)) == Instant(microseconds: 1_500_000))
    #expect(Instant(Date(timeIntervalSince1970: .nan)) == nil)
    #expect(Instant(Date(timeIntervalSince1970: .infinity)) == nil)
    #expect(Instant(Date(timeIntervalSince1970: 1e15)) == nil)
    for far in [Date.distantPast, .distantFuture] {
      let instant = try #require(Instant(far))
      #expect(Instant(instant.description, years: Instant.writableYears) == instant)
    }
    let moment = try instant("2026-11-28T07:05:03.123456Z")
    #expect(Instant(Date(moment)) == moment)
  }
}
