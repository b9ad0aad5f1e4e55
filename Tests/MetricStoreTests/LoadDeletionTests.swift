import Foundation
import HealthPayload
import Postgres
import TestSupport
import Testing

@testable import MetricStore

/// What a history load deletes is judged as a whole, however it is cut into pages.
@Suite struct LoadDeletionTests {
  /// Ten days are known: more than two of them must not go at once.
  private static let limits = MassDeletionLimits(share: 20, records: 5, cells: 3)
  private static let now = "2026-11-29T08:00:00Z"
  private static let week = "2026-12-06T08:00:00Z"
  private static let whole = Array(repeating: Optional("200"), count: 10)
  private static let failure = #"{"metric": "weight", "local_date": "2026-11-02", "outcome": "failed"}"#

  /// Page `page` of three, which deletes one day: on its own too little to be looked at.
  private static func page(_ page: Int, days: [String] = [], adding: [String] = []) -> String {
    DeletionStage.payload(
      100 + page, at: "2026-11-21T08:00:00Z", days: days, records: adding,
      deletions: DeletionStage.records(of: page...page),
      read: #", "mode": "history_load", "load_id": "L", "page": \#(page), "final_page": \#(page == 3)"#)
  }

  private static func take(_ stage: DeletionStage, _ payloads: String...) async throws -> BatchReport {
    var sum = BatchReport()
    for payload in payloads { sum = sum + (try await stage.take(payload, limits: limits)) }
    return sum
  }

  private static func letters(_ stage: DeletionStage) async throws -> [Int] {
    try await stage.worker.store.deadLetters(RefusalFilter(code: "mass_deletion"), limit: 10).letters.map(\.id).sorted()
  }

  /// Tries the second of three letters again and takes what comes of it.
  private static func retryOne(_ stage: DeletionStage, consent: Bool) async throws -> BatchReport {
    let letters = try await letters(stage)
    try #require(letters.count >= 2)
    let retried = try await stage.worker.store.retryDeadLetters(
      [letters[1]], consent: consent, asOf: instant(now))
    #expect(retried == letters, "the pages of a load go together")
    return try await stage.take(limits: limits)
  }

  private static func states(_ stage: DeletionStage) async throws -> [String?] {
    try await stage.connection.list(
      """
      SELECT (SELECT state FROM intake.load) || ': ' || string_agg(outcome, ' ' ORDER BY payload_id)
      FROM intake.receipt WHERE payload_id > '\(DeletionStage.id(100))'
      """)
  }

  private static func giveUp(_ stage: DeletionStage) async throws -> Int {
    try await stage.worker.store.giveUpExpiredLoads(
      decoder: stage.worker.decoder, massDeletion: limits, asOf: instant(week))
  }

  private static func expectParked(_ stage: DeletionStage, pages: Int) async throws {
    #expect(try await letters(stage).count == pages)
    #expect(try await stage.steps() == whole)
    #expect(try await stage.tombstones() == ["0"])
    #expect(try await stage.connection.list("SELECT count(*) FROM intake.load_page") == ["0"])
    #expect(
      try await states(stage) == ["parked: " + Array(repeating: "mass_deletion", count: pages).joined(separator: " ")])
  }

  private static func expectDeleted(_ stage: DeletionStage, days: Int) async throws {
    let gone = Array(repeating: "deleted_at_source", count: days)
    #expect(try await stage.steps() == gone + Array(repeating: "200", count: 10 - days))
    #expect(try await stage.tombstones() == [String(2 * days)])
  }

  @Test func `pages that delete little each are parked together if they delete too much in all`() async throws {
    let stage = try await DeletionStage(days: 10)
    let report = try await Self.take(stage, Self.page(1), Self.page(2), Self.page(3))
    #expect(report.deadLetters == 3 && report.cells == 0)
    try await Self.expectParked(stage, pages: 3)
    let details = try await stage.connection.list("SELECT DISTINCT detail FROM intake.dead_letter")
    #expect(details.count == 1)
    let detail = try #require(details.first ?? nil)
    #expect(detail.contains("load of 3 pages would delete 6 records and 3 of 10 measured cells"))
    #expect(try await stage.take(Self.page(2), limits: Self.limits).repeated == 1)
    try await Self.expectParked(stage, pages: 3)
  }

  @Test func `whoever retries one page retries the load, and it is applied as a whole by consent`() async throws {
    let stage = try await DeletionStage(days: 10)
    _ = try await Self.take(stage, Self.page(1), Self.page(2), Self.page(3))
    #expect(try await Self.retryOne(stage, consent: false).deadLetters == 3)
    try await Self.expectParked(stage, pages: 3)
    #expect(try await Self.retryOne(stage, consent: true).deadLetters == 0)
    try await Self.expectDeleted(stage, days: 3)
    #expect(try await Self.letters(stage) == [])
    #expect(try await Self.states(stage) == ["applied: merged merged merged"])
  }

  @Test func `pages that come back in several batches wait for each other, however old their load is`() async throws {
    let stage = try await DeletionStage(days: 10)
    _ = try await Self.take(stage, Self.page(1), Self.page(2), Self.page(3))
    let letters = try await Self.letters(stage)
    let store = stage.worker.store
    _ = try await store.retryDeadLetters(letters, consent: true, asOf: instant(Self.week))
    for left in (0..<3).reversed() {
      #expect(try await Self.giveUp(stage) == 0)
      #expect(try await stage.steps() == Self.whole)
      var cursor: UUID?
      let report = try await store.ingestBatch(
        decoder: stage.worker.decoder, limits: BatchLimits(payloads: 1, massDeletion: Self.limits), cursor: &cursor,
        asOf: instant(Self.week))
      #expect(report.payloads == 1 && report.deadLetters == 0)
      #expect(try await stage.connection.list("SELECT count(*) FROM intake.sync_payload") == [String(left)])
    }
    try await Self.expectDeleted(stage, days: 3)
  }

  @Test func `a load that is dropped is dropped as a whole, and its receipts say so`() async throws {
    let stage = try await DeletionStage(days: 10)
    _ = try await Self.take(stage, Self.page(1), Self.page(2), Self.page(3))
    let letters = try await Self.letters(stage)
    #expect(try await stage.worker.store.dropDeadLetters([letters[0]]) == letters)
    #expect(try await stage.steps() == Self.whole)
    #expect(try await Self.states(stage) == ["abandoned: dropped dropped dropped"])
    // What comes again is a repetition, and what comes late is too late.
    #expect(try await stage.take(Self.page(2), limits: Self.limits).repeated == 1)
    #expect(try await stage.connection.list("SELECT count(*) FROM intake.load_page") == ["0"])
  }

  @Test func `what a load adds again on another page is no loss`() async throws {
    let stage = try await DeletionStage(days: 10)
    let again = (1...3).map { DeletionStage.record("\($0)c", on: $0) }
    let report = try await Self.take(stage, Self.page(1), Self.page(2), Self.page(3, adding: again))
    #expect(report.deadLetters == 0)
    #expect(try await stage.steps().prefix(4) == ["100", "100", "100", "200"])
  }

  @Test func `a load is judged by what the payloads of its last batch leave`() async throws {
    let stage = try await DeletionStage(days: 10)
    _ = try await Self.take(stage, Self.page(1), Self.page(2))
    let more = (11...15).map { DeletionStage.record("\($0)a", on: $0) }
    let beside = DeletionStage.payload(50, at: "2026-11-21T08:00:00Z", records: more)
    #expect(try await stage.take(beside, Self.page(3), limits: Self.limits).deadLetters == 0)
    #expect(try await stage.steps().count { $0 == "deleted_at_source" } == 3)
  }

  @Test func `an abandoned load that deletes too much waits with its deletions`() async throws {
    let stage = try await DeletionStage(days: 10)
    _ = try await Self.take(stage, Self.page(1), Self.page(2, days: [Self.failure]), Self.page(3))
    try await Self.expectParked(stage, pages: 3)
    #expect(try await Self.retryOne(stage, consent: true).deadLetters == 3)
    #expect(try await stage.connection.list("SELECT DISTINCT code FROM intake.dead_letter") == ["load_abandoned"])
    try await Self.expectDeleted(stage, days: 3)
  }

  @Test func `a load that stayed incomplete waits too, and consent to it counts at once`() async throws {
    let stage = try await DeletionStage(days: 10)
    // Two pages of three, and more on one of them: three days in all.
    let long = Self.page(2).replacing(
      #"{"record_id": "2a"}"#, with: DeletionStage.records(of: 3...3).joined(separator: ",") + #",{"record_id": "2a"}"#)
    _ = try await Self.take(stage, Self.page(1), long)
    #expect(try await Self.giveUp(stage) == 1)
    try await Self.expectParked(stage, pages: 2)
    #expect(try await Self.retryOne(stage, consent: false).deadLetters == 0)
    #expect(try await Self.giveUp(stage) == 1)
    try await Self.expectParked(stage, pages: 2)
    #expect(try await Self.retryOne(stage, consent: true).deadLetters == 0)
    #expect(try await Self.giveUp(stage) == 1)
    #expect(try await stage.connection.list("SELECT DISTINCT code FROM intake.dead_letter") == ["load_abandoned"])
    try await Self.expectDeleted(stage, days: 3)
  }

  @Test func `a page that comes after the decision is judged alone`() async throws {
    let stage = try await DeletionStage(days: 10)
    _ = try await Self.take(
      stage, Self.page(1), Self.page(2, adding: (1...3).map { DeletionStage.record("\($0)c", on: $0) }), Self.page(3))
    let late = DeletionStage.payload(
      4, at: "2026-11-22T08:00:00Z", deletions: DeletionStage.records(of: 4...6),
      read: #", "mode": "history_load", "load_id": "L", "page": 4"#)
    #expect(try await stage.take(late, limits: Self.limits).deadLetters == 1)
    #expect(try await Self.letters(stage).count == 1)
    #expect(try await stage.steps().suffix(7) == Array(repeating: Optional("200"), count: 7)[...])
    let parked = try await stage.worker.store.deadLetterNumbers(RefusalFilter(code: "mass_deletion"))
    let retried = try await stage.worker.store.retryDeadLetters(parked, consent: true, asOf: instant(Self.now))
    #expect(retried.count == 1)
    #expect(try await stage.take(limits: Self.limits).deadLetters == 1)
    #expect(try await stage.connection.list("SELECT code FROM intake.dead_letter") == ["load_abandoned"])
    #expect(try await stage.steps().count { $0 == "deleted_at_source" } == 3)
  }
}
