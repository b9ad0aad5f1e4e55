import Foundation
import HealthPayload
import Testing

@testable import PayloadDecoder

/// What the client library makes of a platform's answer, the decoder reads as that answer.
@Suite struct ClientAnswerTests {
  private let metrics = ["steps", "active_energy", "hydration"]

  /// A sum, or none, and an error, or none, with what has to be heard of them.
  private func answer(_ generator: inout PayloadGenerator) -> (sum: Double?, error: QueryError?) {
    let sums: [Double?] = [
      nil, 0, -0.0, 0.1 + 0.2, .random(in: 0...20_000), 8_123, .nan, .infinity, -.infinity, .leastNonzeroMagnitude,
    ]
    let errors: [QueryError?] = [
      nil, nil, nil, .healthKit(11), .healthKit(.random(in: 0...20)), QueryError(domain: "HKErrorDomain", code: 6),
      QueryError(domain: "NSCocoaErrorDomain", code: 4_097),
    ]
    return (generator.pick(sums), generator.pick(errors))
  }

  @Test func `errors, missing sums and sums arrive as what they were`() throws {
    let decoder = try decoder()
    for seed in 1...200 {
      var generator = PayloadGenerator(seed: UInt64(seed))
      var payload = SyncPayload(payloadID: UUID(), userID: UUID(), origin: Origin(platform: "healthkit"))
      let answers = (0..<20).map { _ in answer(&generator) }
      payload.days = answers.enumerated().map { index, answer in
        DayEntry(
          metric: generator.pick(metrics), localDate: LocalDate(daysSince1970: Int32(20_000 + index)),
          StatisticsAnswer(sum: answer.sum, error: answer.error), unit: "1")
      }
      // The unit must fit the metric; what is tested is the number.
      payload.days = payload.days.map { withUnitOfItsMetric($0) }
      let bytes = Array(try JSONEncoder().encode(payload))
      guard case .payload(let read) = decoder.decode(bytes, queueUser: nil, arrivedAt: try arrival()) else {
        Issue.record("seed \(seed) is a dead letter")
        continue
      }
      #expect(read.quarantined.isEmpty && read.payload == payload, "seed \(seed)")
      try #require(read.days.count == answers.count)
      for (day, answer) in zip(read.days, answers) { check(day, answer.sum, answer.error) }
    }
  }

  private func withUnitOfItsMetric(_ entry: DayEntry) -> DayEntry {
    var entry = entry
    if case .value(let number, _) = entry.outcome { entry.outcome = .value(number, unit: nil) }
    return entry
  }

  private func check(_ day: JudgedDay, _ sum: Double?, _ error: QueryError?) {
    if let error {
      #expect(day.kind == (error.platformCode == "HKError.11" ? .empty : .failed), "\(error)")
      #expect(day.kind == .empty || day.code == platformCode(error.platformCode), "\(error)")
    } else if let sum {
      let isNumber = sum.isFinite && (sum == 0 || abs(sum) > 1e-20)
      #expect(day.kind == (isNumber ? .value : .failed), "\(sum)")
      #expect(day.code == (isNumber ? nil : "client.invalid_reading"), "\(sum)")
      #expect((day.value?.isZero == true) == (sum == 0), "\(sum)")
    } else {
      #expect(day.kind == .empty)
    }
  }

  @Test func `a process that has never read sends nothing that counts`() throws {
    let guarded = PublishGuard<Int>()
    var payload = SyncPayload(
      payloadID: UUID(), userID: UUID(), origin: Origin(platform: "healthkit"),
      read: ReadContext(lastSuccess: guarded.lastSuccessStatement))
    payload.days = [DayEntry(metric: "steps", localDate: try date("2026-11-28"), .sum(0), unit: "1")]
    let read = try decoded(String(decoding: try JSONEncoder().encode(payload), as: UTF8.self))
    #expect(read.neverRead)
    #expect(read.quarantined.map(\.code) == [.neverRead])
  }

  @Test func `every page of a history load is read as a page of it`() throws {
    var load = HistoryLoad(
      id: "L-1", userID: UUID(), origin: Origin(platform: "healthkit"), readAt: try instant("2026-11-29T07:05:00Z"))
    load.readable = ["steps"]
    let first = try date("2026-08-01")
    for day in Int32(0)..<100 {
      load.add(DayEntry(metric: "steps", localDate: first.adding(days: day), .sum(Double(day)), unit: "1"))
    }
    let pages = try load.pages(ofAtMost: 30)
    #expect(pages.count == 4)
    for page in pages {
      let read = try decoded(String(decoding: try JSONEncoder().encode(page), as: UTF8.self))
      #expect(read.payload == page && read.quarantined.isEmpty && !read.abandoned && !read.neverRead)
      #expect(read.days.map(\.proven) == Array(repeating: true, count: read.days.count))
    }
  }
}
