import Foundation
import Postgres
import TestSupport
import Testing

@testable import MetricStore

/// What monitoring sees of other sessions, and what the service does for it beside its work.
@Suite struct MonitoringTests {
  @Test func `who holds the oldest snapshot is named, until it lets go`() async throws {
    let database = try await freshDatabase(from: .migrated)
    let (holder, reader) = (try await database.connect(), try await database.connect())
    let pid = try #require(try await holder.list("SELECT pg_backend_pid()")[0])
    let held = "SELECT kind FROM snapshot_holder WHERE name LIKE '\(pid), %' AND transactions >= 0 AND age >= '0'"
    #expect(try await reader.list(held) == [])
    try await holder.execute("BEGIN")
    try await holder.execute("SELECT pg_current_xact_id()")
    #expect(try await reader.list(held) == ["session"])
    // Other tests' sessions may hold older ones; whoever does, somebody is named.
    #expect(try await reader.list("SELECT oldest_snapshot IS NOT NULL FROM queue_health") == ["t"])
    try await holder.execute("COMMIT")
    #expect(try await reader.list(held) == [])
  }

  @Test func `coverage is summed step by step, by one session at a time, and then left alone for a while`() async throws
  {
    let database = try await freshDatabase(from: .migrated)
    let worker = try await Worker(database)
    let (other, reader) = (try await database.connect(), try await database.connect())
    let now = try instant("2026-11-29T09:00:00Z")
    // The database is a copy, whose feed begins anew.
    try await other.execute("SELECT evidence.forget_changes('2026-11-29 09:00Z', 1)")
    try await other.execute("BEGIN")
    #expect(try await other.list("SELECT evidence.summarize_due('2026-11-29 09:00Z')") == ["1"])
    #expect(try await worker.store.keepUp(asOf: now) == 0, "the other session is at it")
    try await other.execute("COMMIT")
    var steps = 0
    while try await worker.store.keepUp(asOf: now) > 0 { steps += 1 }
    #expect(steps == 35)
    #expect(try await reader.list("SELECT count(DISTINCT summed_at) || ' ' || count(*) FROM coverage_day") == ["1 36"])
    // An idle service writes nothing, however often it looks.
    try await other.execute("BEGIN")
    #expect(try await other.list("SELECT evidence.keep_up('2026-11-29 09:01Z')") == ["0"])
    #expect(try await other.list("SELECT pg_current_xact_id_if_assigned() IS NULL") == ["t"])
    try await other.execute("COMMIT")
  }
}
