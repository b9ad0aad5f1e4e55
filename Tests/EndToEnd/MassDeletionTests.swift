import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct MassDeletionTests {
  private static let days = 1...60

  private static func date(_ day: Int) -> String {
    let number = day > 31 ? day - 31 : day
    return "\(day > 31 ? "2025-12" : "2026-01")-\(number < 10 ? "0" : "")\(number)"
  }

  private static func payload(_ number: Int, _ block: String, _ entries: [String]) -> String {
    Sample.payload(user: 1, number: number, steps: [])
      .replacing(#""days":[]"#, with: #""\#(block)":[\#(entries.joined(separator: ","))]"#)
  }

  private static let records = days.map {
    #"{"record_id":"r\#($0)","metric":"steps","local_date":"\#(date($0))","source":"watch","value":31337}"#
  }
  private static let deletions = days.map { #"{"record_id":"r\#($0)"}"# }

  private static let cells =
    "SELECT string_agg(DISTINCT COALESCE(unknown_reason, status), ' ') || ' ' || count(*) FROM daily_metric"
    + " WHERE unknown_reason IS DISTINCT FROM 'not_yet_synced'"

  @Test func `a mass deletion is parked until somebody consents`() async throws {
    let program = try await Program.prepared()
    try await program("enqueue", "-", stdin: Self.payload(1, "records", Self.records) + "\n")
    try await program("drain")
    #expect(try await program.value(Self.cells) == "measured 60")
    try await program("enqueue", "-", stdin: Self.payload(2, "deletions", Self.deletions) + "\n")
    #expect(try await program("drain").stdout.contains("1 to dead letters"))

    let id = try await program.value("SELECT id FROM intake.dead_letter")
    let shown = try await program("dead", "show", id)
    #expect(shown.stdout.contains(": mass_deletion") && shown.stdout.contains("/deletions"))
    #expect(shown.stdout.contains("60 of 60 measured cells") && shown.stdout.contains("dead retry --consent"))
    #expect(!shown.stdout.contains("31337"))
    #expect(try await program("payload", Sample.id(1), Sample.id(2)).stdout.contains("parked (mass_deletion)"))

    try await program("dead", "retry", id)
    #expect(try await program("drain").stdout.contains("1 to dead letters"))
    #expect(try await program.value(Self.cells) == "measured 60")
    #expect(try await program("dead", "retry", "--code", "mass_deletion", "--consent").status == 0)
    #expect(try await program("drain").stdout.contains("0 to dead letters"))
    #expect(try await program.value(Self.cells) == "deleted_at_source 60")
    #expect(try await program("dead", "list").stdout == "0 dead letters\n")
  }

  /// The deletions of these days as page `page` of three, on its own too few to be looked at.
  private static func page(_ page: Int) -> String {
    let deletions = (1...20).map { #"{"record_id":"r\#((page - 1) * 20 + $0)"}"# }
    let load = #""mode":"history_load","load_id":"L","page":\#(page),"final_page":\#(page == 3),"read_at""#
    return payload(10 + page, "deletions", deletions).replacing(#""read_at""#, with: load)
  }

  @Test(arguments: [SIGTERM, SIGKILL])
  func `a load that deletes too much in all is parked, retried and applied as a whole across restarts`(
    _ signal: Int32
  ) async throws {
    let program = try await Program.prepared()
    try await program("enqueue", "-", stdin: Self.payload(1, "records", Self.records) + "\n")
    try await program("drain")
    let letters = "SELECT count(*)::text FROM intake.dead_letter"
    for page in 1...3 {
      let service = try program.start("run")
      try await program("enqueue", "-", stdin: Self.page(page) + "\n")
      #expect(try await program.eventually(Sample.queueDepth, is: "0") == "0")
      service.send(signal)
      _ = try await service.wait()
    }
    #expect(try await program.value(letters) == "3")
    #expect(try await program.value(Self.cells) == "measured 60")
    let id = try await program.value("SELECT max(id) FROM intake.dead_letter")
    let shown = try await program("dead", "show", id).stdout
    #expect(shown.contains("load of 3 pages would delete 60 records"))
    #expect(shown.contains("load           L: its pages are retried and dropped together"))
    #expect(try await program("dead", "list", "--json").stdout.components(separatedBy: #"load_id":"L""#).count == 4)
    #expect(
      try await program("dead", "retry", id, "--consent").stdout
        == "3 payloads back in the queue, 2 of them as other pages of the same load\n")
    let service = try program.start("run")
    #expect(try await program.eventually(Self.cells, is: "deleted_at_source 60") == "deleted_at_source 60")
    try await service.end()
    #expect(try await program.value(letters) == "0")
  }

  @Test func `one that was dropped is not said to be parked`() async throws {
    let program = try await Program.prepared()
    try await program("enqueue", "-", stdin: Self.payload(1, "records", Self.records) + "\n")
    try await program("drain")
    try await program("enqueue", "-", stdin: Self.payload(2, "deletions", Self.deletions) + "\n")
    try await program("drain")
    let id = try await program.value("SELECT id FROM intake.dead_letter")
    #expect(try await program("dead", "drop", id, "--yes").stdout == "1 payload deleted\n")
    let story = try await program("payload", Sample.id(1), Sample.id(2)).stdout
    #expect(story.hasPrefix("dropped for good; it was parked (mass_deletion) at "))
    #expect(try await program("payload", Sample.id(1), Sample.id(1)).stdout.hasPrefix("merged at "))
  }

  @Test(arguments: [
    ["--mass-deletion-share", "100"], ["--mass-deletion-cells", "61"], ["--mass-deletion-records", "60"],
  ])
  func `the limits can be set`(_ options: [String]) async throws {
    let program = try await Program.prepared()
    try await program("enqueue", "-", stdin: Self.payload(1, "records", Self.records) + "\n")
    try await program("drain")
    try await program("enqueue", "-", stdin: Self.payload(2, "deletions", Self.deletions) + "\n")
    try await program("drain", options[0], options[1])
    let isParked = options[0].hasSuffix("records")
    #expect(try await program.value("SELECT count(*) FROM intake.dead_letter") == (isParked ? "1" : "0"))
  }
}
