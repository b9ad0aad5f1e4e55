import Foundation
import Glibc
import Postgres
import Synchronization
import TestSupport
import Testing

/// A connection waits on its own thread, and does one thing at a time.
@Suite struct ConcurrencyTests {
  let database: TestDatabase

  init() async throws {
    database = try await sharedDatabase()
  }

  @Test func `more statements wait at once than the cooperative pool has threads`() async throws {
    let count = ProcessInfo.processInfo.activeProcessorCount * 3
    // Each session returns once all of them are there: if some had to wait for a thread, none ever would.
    let meet = """
      DO $$ BEGIN
        PERFORM pg_advisory_lock_shared(4711);
        WHILE (SELECT count(*) FROM pg_locks JOIN pg_database ON oid = database
            WHERE datname = current_database() AND locktype = 'advisory' AND objid = 4711) < \(count)
        LOOP PERFORM pg_sleep(0.01); END LOOP;
      END $$
      """
    let connections = try await (1...count).asyncMap { _ in try await database.connect() }
    try await withThrowingTaskGroup { group in
      for connection in connections {
        group.addTask { try await connection.execute(meet, deadline: .seconds(60)) }
      }
      for try await rows in group { #expect(rows.isEmpty) }
    }
    // They hold their locks to the end: one that left early would be missing for the others.
    #expect(connections.allSatisfy { $0.isOpen })
  }

  @Test func `each connection has a thread of its own and stays on it`() async throws {
    let connections = try await (1...3).asyncMap { _ in try await database.connect() }
    let rounds = try await (1...5).asyncMap { _ in
      try await connections.asyncMap { await $0.currentThread() }
    }
    #expect(rounds.allSatisfy { $0 == rounds[0] })
    #expect(Set(rounds[0]).count == 3)
  }

  @Test func `the server's notices come on the thread of the connection`() async throws {
    let noticed = Mutex<[UInt]>([])
    let connection = try await Connection.connect(database.options) { _ in
      noticed.withLock { $0.append(pthread_self()) }
    }
    try await connection.script("DO $$ BEGIN RAISE NOTICE 'here'; END $$")
    let thread = await connection.currentThread()
    #expect(noticed.withLock { $0 } == [thread])
  }

  @Test func `a thousand statements at once run one after the other`() async throws {
    let connection = try await database.connect()
    try await connection.script("CREATE TEMP TABLE counter (n int); INSERT INTO counter VALUES (0)")
    let numbers = try await withThrowingTaskGroup { group in
      for number in 1...1000 {
        group.addTask {
          let row = try await connection.execute(
            "UPDATE counter SET n = n + 1 RETURNING n, $1::int AS echo", [.int(Int64(number))]
          ).one()
          #expect(try row.int("echo") == number)
          return try row.int("n")
        }
      }
      return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(numbers == Set(1...1000))
  }

  @Test func `a connection may be dropped while it works`() async throws {
    for _ in 1...20 {
      var connection: Connection? = try await database.connect()
      let task = Task { [connection] in try await connection?.execute("SELECT pg_sleep(0.001)").count }
      connection = nil
      #expect(try await task.value == 1)
    }
  }
}

extension Connection {
  /// Ends the process if the connection's isolation does not hold on this thread.
  fileprivate func currentThread() -> UInt {
    preconditionIsolated()
    return pthread_self()
  }
}

extension Sequence {
  /// The elements transformed one after the other.
  fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async throws -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
