import Foundation
import HealthPayload
import Testing

@Suite struct PublishGuardTests {
  private let today = LocalDate(daysSince1970: 20_785)
  private let morning = Instant(microseconds: 1_795_849_200_000_000)
  private var noon: Instant { Instant(microseconds: morning.microseconds + 18_000_000_000) }

  @Test func `a process that has read nothing publishes nothing`() {
    let guarded = PublishGuard<Int>()
    #expect(throws: PublishRefusal.self) { try guarded.published() }
    #expect(guarded.lastSuccess == nil)
    #expect(guarded.lastSuccessStatement == .never)
  }

  @Test func `an empty day is a successful read that brings nothing to publish`() {
    var guarded = PublishGuard<Int>()
    guarded.readSucceeded(at: morning)
    #expect(guarded.lastSuccessStatement == .at(morning))
    #expect(throws: PublishRefusal.self) { try guarded.published() }
    #expect([DayEntry.Outcome.empty, .value(ExactNumber(0))].map(\.isLook) == [true, true])
    #expect([DayEntry.Outcome.failed(), .denied(), .unavailable()].map(\.isLook) == [false, false, false])
  }

  @Test func `what is published says which day it describes`() throws {
    var guarded = PublishGuard<Int>()
    guarded.readSucceeded(0, describing: today, at: morning)
    let published = try guarded.published()
    #expect(published.content == 0)
    #expect(published.isCurrent(on: today))
    #expect(!published.isCurrent(on: today.adding(days: 1)))
    #expect(guarded.lastSuccessStatement == .at(morning))
  }

  @Test func `after midnight yesterday's numbers are yesterday's, however lately they were read`() throws {
    var guarded = PublishGuard<Int>()
    guarded.readSucceeded(412, describing: today, at: morning)
    // A read after midnight failed: nothing is told to the guard, and nothing changes.
    let published = try guarded.published()
    #expect(published.describes == today)
    #expect(!published.isCurrent(on: today.adding(days: 1)))
  }

  @Test func `the later day wins, and within a day the later read`() throws {
    var guarded = PublishGuard<String>()
    guarded.readSucceeded("today", describing: today, at: morning)
    guarded.readSucceeded("yesterday, read later", describing: today.adding(days: -1), at: noon)
    #expect(try guarded.published().content == "today")
    #expect(guarded.lastSuccess == noon)
    guarded.readSucceeded("today, read again", describing: today, at: noon)
    guarded.readSucceeded("today, arrived late", describing: today, at: morning)
    #expect(try guarded.published().content == "today, read again")
    #expect(guarded.lastSuccess == noon)
  }

  @Test func `what one build wrote another one reads`() throws {
    var guarded = PublishGuard<Int>()
    guarded.readSucceeded(412, describing: today, at: morning)
    let published = try guarded.published()
    let stored = try JSONEncoder().encode(published)
    #expect(try JSONDecoder().decode(Published<Int>.self, from: stored) == published)
  }

  @Test(arguments: [
    #"{"content":412}"#, #"{"content":412,"describes":null}"#,
    #"{"content":412,"read_at":"today","describes":"28.11."}"#,
    #"{"content":412,"shade":"green"}"#,
  ])
  func `what an earlier or a later build wrote is nobody's day unless it says one`(_ json: String) throws {
    let published = try JSONDecoder().decode(Published<Int>.self, from: Data(json.utf8))
    #expect(published.content == 412)
    #expect(published.describes == nil && !published.isCurrent(on: today))
    var guarded = PublishGuard<Int>()
    guarded.readSucceeded(0, describing: today, at: morning)
    #expect(try guarded.published().supersedes(published))
    #expect(!published.supersedes(try guarded.published()))
  }
}

@Suite struct HistoryLoadTests {
  private let first = LocalDate(daysSince1970: 20_700)
  private let readAt = Instant(microseconds: 1_795_849_200_000_000)

  private func load(days: Int32, metrics: [String] = ["steps", "active_energy"]) -> HistoryLoad {
    var load = HistoryLoad(id: "L-1", userID: UUID(), origin: Origin(platform: "healthkit"), readAt: readAt)
    load.readable = ["steps"]
    load.timeZones = [TimeZoneStatement(iana: "Europe/Berlin")]
    for day in 0..<days {
      for metric in metrics {
        load.add(DayEntry(metric: metric, localDate: first.adding(days: day), .sum(Double(day)), unit: "1"))
      }
      load.add(Presence(localDate: first.adding(days: day), source: "watch", kind: .wear))
    }
    return load
  }

  @Test func `pages are numbered, joined, and the last one says so`() throws {
    let pages = try load(days: 10).pages(ofAtMost: 9)
    #expect(pages.count == 4)
    #expect(pages.map(\.read.page) == [1, 2, 3, 4])
    #expect(pages.map(\.read.finalPage) == [false, false, false, true])
    #expect(Set(pages.map(\.payloadID)).count == 4)
    #expect(
      pages.allSatisfy { $0.read.loadID == "L-1" && $0.read.mode == .historyLoad && $0.read.allOrNothing == true })
    #expect(pages.allSatisfy { $0.read.readAt == readAt && $0.read.lastSuccess == .at(readAt) })
    #expect(pages.flatMap(\.days).count == 20 && pages.flatMap(\.presence).count == 10)
  }

  @Test func `a date is never torn apart, and statements stand on each page`() throws {
    for size in 1...40 {
      let pages = try load(days: 10).pages(ofAtMost: size)
      let dates = pages.map { Set($0.days.map(\.localDate) + $0.presence.map(\.localDate)) }
      #expect(dates.map(\.count).reduce(0, +) == 10, "\(size)")
      #expect(pages.allSatisfy { $0.readable == ["steps"] && $0.timeZones.count == 1 })
      #expect(pages.allSatisfy { $0.days.count + $0.presence.count <= max(size, 3) }, "\(size)")
    }
  }

  @Test func `one failed day abandons the load, and says which`() throws {
    var load = load(days: 30)
    let date = first.adding(days: 7)
    load.add(DayEntry(metric: "hydration", localDate: date, StatisticsAnswer(error: .healthKit(6)), unit: "mL"))
    let abandoned = #expect(throws: LoadAbandoned.self) { try load.pages() }
    #expect(abandoned?.failures.map(\.localDate) == [date])
    let description = try #require(abandoned?.description)
    #expect(description.contains("L-1") && description.contains("hydration") && description.contains("HKError.6"))
    #expect(description.contains("1 of its 61 day entries"))
  }

  @Test func `a locked phone fails every day, and nothing of it is a load`() {
    var load = HistoryLoad(userID: UUID(), origin: Origin(platform: "healthkit"), readAt: readAt)
    for day in Int32(0)..<30 {
      let error = StatisticsAnswer(sum: nil, error: .healthKit(6))
      load.add(DayEntry(metric: "steps", localDate: first.adding(days: day), error, unit: "1"))
    }
    #expect(throws: LoadAbandoned.self) { try load.pages() }
  }

  @Test func `an error that says no data is no failed day`() throws {
    var load = load(days: 1)
    load.add(DayEntry(metric: "hydration", localDate: first, StatisticsAnswer(error: .healthKit(11)), unit: "mL"))
    #expect(try load.pages().flatMap(\.days).last?.outcome == .empty)
  }

  @Test func `a load without days is one last page`() throws {
    let pages = try load(days: 0).pages()
    #expect(pages.count == 1 && pages.first?.read.finalPage == true && pages.first?.days == [])
  }
}
