import Foundation
import HealthPayload
import Testing

@Suite struct ReadingTests {
  private let day = LocalDate(daysSince1970: 20_785)

  @Test func `only a value is a number in a payload`() throws {
    let zero = ExactNumber(0)
    #expect(Reading.value(zero).outcome(unit: "1") == .value(zero, unit: "1"))
    #expect(Reading<ExactNumber>.unavailable.outcome(unit: "1") == .unavailable())
    #expect(Reading<ExactNumber>.notAuthorized.outcome(unit: "1") == .denied())
    #expect(Reading<ExactNumber>.notYet.outcome(unit: "1") == nil)
    #expect(Reading<ExactNumber>.invalid.outcome(unit: "1") == .failed(code: "client.invalid_reading"))
    #expect(Reading.value(8.25).outcome(unit: nil) == .value(try #require(ExactNumber("8.25")), unit: nil))
    #expect(Reading.value(3).outcome(unit: nil) == .value(ExactNumber(3), unit: nil))
    #expect(Reading(measured: .nan).outcome(unit: "1") == .failed(code: "client.invalid_reading"))
  }

  @Test func `what is missing stays missing for the same reason`() {
    let missing: [Reading<Int>] = [.unavailable, .notAuthorized, .notYet, .invalid]
    let mapped: [Reading<String>] = [.unavailable, .notAuthorized, .notYet, .invalid]
    #expect(missing.map { $0.map { "\($0)" } } == mapped)
    #expect(Reading.value(0).map { "\($0)" } == .value("0"))
    #expect(Reading.value(0).flatMap { _ in Reading<Int>.invalid } == .invalid)
  }

  @Test(arguments: [-1, 0.5, .nan, .infinity, 1e30])
  func `what cannot be a count is invalid`(_ number: Double) {
    #expect(Reading(counted: number) == .invalid)
  }

  @Test func `a count of zero is a count`() { #expect(Reading(counted: 0) == .value(0)) }

  @Test func `a reading that has not come makes no entry`() {
    #expect(DayEntry(metric: "flights_climbed", localDate: day, reading: .notYet) == nil)
    let entry = DayEntry(metric: "flights_climbed", localDate: day, reading: .value(ExactNumber(0)), sources: ["phone"])
    #expect(
      entry
        == DayEntry(
          metric: "flights_climbed", localDate: day, outcome: .value(ExactNumber(0), unit: nil), sources: ["phone"]))
  }
}

@Suite struct StatisticsAnswerTests {
  /// The HealthKit errors that the platform documents, and one that it does not yet have. AP-14, 16, 18, 20 to 24, 29.
  @Test(arguments: (0...15).map { $0 } + [99])
  func `every error but one is a failure with its number`(_ code: Int) {
    let outcome = DayEntry.Outcome(StatisticsAnswer(sum: nil, error: .healthKit(code)), unit: "1")
    #expect(outcome == (code == 11 ? .empty : .failed(code: "HKError.\(code)")))
  }

  // AP-19
  @Test func `no sum without an error is an empty day`() {
    #expect(StatisticsAnswer(sum: nil, error: nil) == .noSum)
    #expect(DayEntry.Outcome(.noSum, unit: "1") == .empty)
  }

  @Test func `a sum of zero is a number, and not an empty day`() {
    #expect(DayEntry.Outcome(StatisticsAnswer(sum: 0, error: nil), unit: "1") == .value(ExactNumber(0), unit: "1"))
  }

  @Test func `an error beside a sum wins`() {
    let answer = StatisticsAnswer(sum: 12, error: .healthKit(6))
    #expect(DayEntry.Outcome(answer, unit: "1") == .failed(code: "HKError.6"))
    #expect(StatisticsAnswer(sum: 12, error: .healthKit(11)) == .noSum)
    #expect(DayEntry.Outcome(.failed(.healthKit(11)), unit: "1") == .empty)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, .leastNonzeroMagnitude, 1e300])
  func `a sum that is no number, or that no payload can carry, is a failure`(_ sum: Double) {
    #expect(DayEntry.Outcome(.sum(sum), unit: "1") == .failed(code: "client.invalid_reading"))
  }

  @Test func `a sum keeps the shortest decimal that reads back`() throws {
    for sum in [0.1, 0.1 + 0.2, 8123, 1_564.5, 0.30000000000000004, 123_456.789_012_345_67, 1e15, 2.5e-7] {
      guard case .value(let number, unit: "kcal") = DayEntry.Outcome(.sum(sum), unit: "kcal") else {
        Issue.record("\(sum) is no value")
        continue
      }
      #expect(Double(number.text) == sum)
      #expect(try JSONEncoder().encode([number]).count == number.text.utf8.count + 2)
    }
    #expect(ExactNumber(measured: 0.1)?.text == "0.1")
  }

  @Test func `errors of other frameworks keep their domain and number`() {
    #expect(QueryError(domain: "NSCocoaErrorDomain", code: 4_099).platformCode == "NSCocoaErrorDomain.4099")
    #expect(QueryError(domain: "HKErrorDomain", code: 6) != .healthKit(6))
    #expect(QueryError(domain: "HKErrorDomain", code: 6).platformCode == QueryError.healthKit(6).platformCode)
    #expect(QueryError.coreMotion(105).platformCode == "CMError.105")
    let long = QueryError(domain: String(repeating: "d", count: 500), code: -1_001).platformCode
    #expect(long.count <= 128 && long.hasSuffix(".-1001"))
    #expect(!QueryError(domain: "NSCocoaErrorDomain", code: 11).isHealthKitNoData)
  }
}

@Suite struct AggregateAnswerTests {
  // HC-19, 20, 21
  @Test func `what Health Connect threw, left out or added up are different things`() {
    #expect(DayEntry.Outcome(.permissionMissing, unit: "1") == .denied(code: "SecurityException"))
    for code in 1...9 {
      #expect(DayEntry.Outcome(.exception(code), unit: "1") == .failed(code: "HealthConnectException.\(code)"))
    }
    let remote = DayEntry.Outcome(.otherException(name: "RemoteException"), unit: "1")
    #expect(remote == .failed(code: "RemoteException"))
    #expect(DayEntry.Outcome(.noTotal, unit: "1") == .empty)
    #expect(DayEntry.Outcome(.total(0), unit: "1") == .value(ExactNumber(0), unit: "1"))
    #expect(DayEntry.Outcome(.total(.nan), unit: "1") == .failed(code: "client.invalid_reading"))
  }

  // HC-23
  @Test func `a total without an origin names no source`() throws {
    let day = LocalDate(daysSince1970: 20_785)
    let entry = DayEntry(metric: "basal_energy", localDate: day, .total(1_564.5), unit: "kcal", dataOrigins: [])
    #expect(entry.sources == [])
    #expect(entry.outcome == .value(try #require(ExactNumber("1564.5")), unit: "kcal"))
  }
}
