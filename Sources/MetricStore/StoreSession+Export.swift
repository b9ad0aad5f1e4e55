public import FoundationEssentials
internal import Postgres

/// A section of an export: rows of one table.
public struct ExportSection: Sendable, Hashable {
  /// Its name, that of its table.
  public var name: String
  /// Whether its rows may hold whole payloads, and are fetched one by one.
  let isHeavy: Bool
}

/// What happens to the parts of an export, in their order.
public protocol ExportReceiver: Sendable {
  /// A section begins.
  mutating func begin(_ section: ExportSection)
  /// A row of it, as one JSON object. It holds health values.
  mutating func add(_ item: String)
}

extension StoreSession {
  /// Reads all that is held of a person, in one snapshot, some rows at a time.
  ///
  /// - Returns: false: nothing is held, and nothing was given to the receiver.
  public func export(_ user: UUID, to receiver: inout some ExportReceiver) async throws(StoreError) -> Bool {
    try await run(Statements.beginSnapshot, [], "beginning an export")
    do throws(StoreError) {
      let isHeld = try await export(user, into: &receiver)
      try await run(Statements.commit, [], "ending an export")
      return isHeld
    } catch {
      await connection.close()
      throw error
    }
  }

  private func export(_ user: UUID, into receiver: inout some ExportReceiver) async throws(StoreError) -> Bool {
    let doing = "reading what is held of a user"
    try await run(Statements.allowPauses, [], doing)
    let held = try await run(Statements.isHeld, [.uuid(user)], doing)
    guard try await storing(doing, { () throws(PostgresError) in try held.one().bool(0) }) else { return false }
    let rows = try await run(Statements.exportSections, [], doing)
    let sections = try await storing(doing) { () throws(PostgresError) in
      var sections: [ExportSection] = []
      for row in rows { sections.append(.init(name: try row.text("section"), isHeavy: try row.int("at_once") == 1)) }
      return sections
    }
    for section in sections {
      receiver.begin(section)
      try await run(Statements.openExport, [.uuid(user), .text(section.name)], doing)
      while true {
        let items = try await run(section.isHeavy ? Statements.fetchItem : Statements.fetchItems, [], doing)
        guard !items.isEmpty else { break }
        for item in items {
          receiver.add(try await storing(doing) { () throws(PostgresError) in try item.text(0) })
        }
      }
      try await run(Statements.closeExport, [], doing)
    }
    return true
  }
}
