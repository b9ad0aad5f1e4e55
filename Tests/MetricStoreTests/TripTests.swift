import Foundation
import HealthPayload
import PayloadDecoder
import Postgres
import TestSupport
import Testing

@testable import MetricStore

/// Statements whose answers nobody needs travel with the next one, and change nothing but the number of trips.
@Suite struct TripTests {
  private let session: StoreSession

  init() async throws {
    session = try await StoreSession.open(try await freshDatabase(from: .migrated).options)
    try await session.run("CREATE TEMPORARY TABLE mark (n integer CHECK (n > 0))", [], "preparing")
  }

  private func mark(_ number: Int64) {
    session.runLater("INSERT INTO mark VALUES ($1::integer)", [.int(number)], "marking \(number)")
  }

  private func marks() async throws -> Int {
    try await session.count("SELECT count(*) FROM mark", [], "counting")
  }

  @Test func `what waits runs before what is asked, in order`() async throws {
    mark(1)
    session.runLater("UPDATE mark SET n = 2", [], "changing")
    #expect(try await session.count("SELECT n FROM mark", [], "asking") == 2)
    #expect(session.outbox.isEmpty)
  }

  @Test func `an error says what was being done, not what was asked`() async throws {
    mark(1)
    mark(-1)
    let error = try await #require(throws: StoreError.self) { try await marks() }
    #expect(error.kind == .data)
    #expect(error.message.hasPrefix("marking -1: "))
    #expect(!error.message.contains("statement 2"))
    #expect(try await marks() == 0)
  }

  @Test func `a transaction that is given up takes what waits along`() async throws {
    _ = try await #require(throws: StoreError.self) {
      try await session.transaction { () async throws(StoreError) in
        try await session.run("INSERT INTO mark VALUES (1)", [], "marking")
        mark(2)
        throw StoreError(.usage, "enough")
      }
    }
    #expect(try await marks() == 0)
    try await session.transaction { () async throws(StoreError) in mark(3) }
    #expect(try await marks() == 1)
  }

  @Test func `a transaction that is given up before it began leaves what came before it`() async throws {
    mark(1)
    _ = try await #require(throws: StoreError.self) {
      try await session.transaction { () async throws(StoreError) in
        mark(2)
        throw StoreError(.usage, "enough")
      }
    }
    #expect(try await marks() == 1)
  }

  @Test func `a script runs behind what waits, the beginning of its transaction too`() async throws {
    _ = try await #require(throws: StoreError.self) {
      try await session.transaction { () async throws(StoreError) in
        try await session.script("INSERT INTO mark VALUES (1)", "marking")
        throw StoreError(.usage, "enough")
      }
    }
    #expect(try await marks() == 0)
  }

  @Test func `data that is refused is undone up to the savepoint, and what waits with it`() async throws {
    try await session.transaction { () async throws(StoreError) in
      mark(1)
      let refused = try await session.unlessRefused { () async throws(StoreError) in
        mark(2)
        mark(-2)
      }
      guard case .failure(let error) = refused else { throw StoreError(.usage, "nothing was refused") }
      guard error.message.hasPrefix("marking -2: ") else { throw error }
      let alsoRefused = try await session.unlessRefused { () async throws(StoreError) in
        try await session.run("INSERT INTO mark VALUES ($1::integer)", [.text("x\0")], "marking")
      }
      guard case .failure = alsoRefused else { throw StoreError(.usage, "nothing was refused") }
      let accepted = try await session.unlessRefused { () async throws(StoreError) in mark(3) }
      guard case .success = accepted else { throw StoreError(.usage, "something was refused") }
    }
    #expect(try await marks() == 2)
  }

  @Test func `data that is refused before anything is sent takes nothing of the part before along`() async throws {
    try await session.transaction { () async throws(StoreError) in
      _ = try await session.unlessRefused { () async throws(StoreError) in
        try await session.run("INSERT INTO mark VALUES (1)", [], "marking")
      }
      let refused = try await session.unlessRefused { () async throws(StoreError) in
        mark(2)
        throw StoreError(.data, "not that")
      }
      guard case .failure = refused else { throw StoreError(.usage, "nothing was refused") }
      mark(3)
    }
    #expect(try await marks() == 2)
  }

  @Test func `what is only tried is undone, also if nothing of it was sent, and what is refused of it is its part's`()
    async throws
  {
    try await session.transaction { () async throws(StoreError) in
      mark(1)
      try await session.trying { () async throws(StoreError) in mark(2) }
      _ = try await session.unlessRefused { () async throws(StoreError) in
        mark(3)
        try await session.trying { () async throws(StoreError) in _ = try await session.run("SELECT 1", [], "asking") }
        try await session.trying { () async throws(StoreError) in
          mark(-4)
          try await session.run("SELECT 1", [], "asking")
        }
      }
      mark(5)
    }
    #expect(try await marks() == 2)
    #expect(try await session.count("SELECT sum(n) FROM mark", [], "adding") == 6)
  }

  @Test func `a lost connection says what was being waited for`() async throws {
    mark(1)
    session.runLater("SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(60)", [], "ending it")
    let error = try await #require(throws: StoreError.self) { try await marks() }
    #expect(error.isConnectionLost)
    #expect(error.message.hasPrefix("ending it: "))
    #expect(error.sqlState == "57P01")
  }
}
