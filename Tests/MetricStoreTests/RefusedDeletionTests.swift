import Foundation
import Postgres
import TestSupport
import Testing

@testable import MetricStore

/// What the database refuses while it is only tried what a deletion would cost has not happened either.
@Suite struct RefusedDeletionTests {
  private static let limits = MassDeletionLimits(share: 20, records: 5, cells: 3)
  private static let weight = #"{"metric": "weight", "local_date": "2026-11-02", "outcome": "value", "value": 70}"#

  /// Ten days are known, and nothing that this payload reads is let in.
  private static func stage(refusing number: Int) async throws -> DeletionStage {
    let stage = try await DeletionStage(days: 10)
    try await stage.connection.script(
      "ALTER TABLE evidence.reading ADD CONSTRAINT moon CHECK (payload_id <> '\(DeletionStage.id(number))')")
    return stage
  }

  private static func receipts(_ stage: DeletionStage) async throws -> [String?] {
    try await stage.connection.list("SELECT right(payload_id::text, 1) FROM intake.receipt ORDER BY 1")
  }

  @Test func `a payload leaves no receipt`() async throws {
    let stage = try await Self.stage(refusing: 2)
    let payload = DeletionStage.payload(
      2, at: "2026-11-21T08:00:00Z", days: [Self.weight], deletions: DeletionStage.records(of: 1...3))
    #expect(try await stage.take(payload, limits: Self.limits).deadLetters == 1)
    #expect(try await stage.connection.list("SELECT code FROM intake.dead_letter") == ["rejected_by_database"])
    #expect(try await Self.receipts(stage) == ["1"])
    #expect(try await stage.tombstones() == ["0"])
    #expect(try await stage.steps() == Array(repeating: "200", count: 10))
  }

  @Test func `the last page of a load is parked, and its neighbours pass`() async throws {
    let stage = try await Self.stage(refusing: 3)
    func page(_ number: Int, _ read: String, _ days: [String]) -> String {
      DeletionStage.payload(
        number, at: "2026-11-21T08:00:00Z", days: days,
        deletions: DeletionStage.records(of: number == 2 ? 1...2 : 3...3), read: #", "load_id": "l", \#(read)"#)
    }
    #expect(try await stage.take(page(2, #""page": 1"#, []), limits: Self.limits).merged == 0)
    let neighbour = DeletionStage.payload(4, at: "2026-11-21T09:00:00Z", days: [Self.weight])
    let last = page(3, #""page": 2, "final_page": true"#, [Self.weight])
    let report = try await stage.take(neighbour, last, limits: Self.limits)
    #expect(report.merged == 1 && report.deadLetters == 1 && report.repeated == 0)
    #expect(
      try await stage.connection.table("SELECT code, right(payload_id::text, 1) FROM intake.dead_letter")
        == [["rejected_by_database", "3"]])
    #expect(try await Self.receipts(stage) == ["1", "2", "4"])
    #expect(try await stage.steps() == Array(repeating: "200", count: 10))
  }
}
