internal import Postgres

/// Whether the database has the schema that this build works with.
public enum SchemaCheck: Sendable, Hashable {
  /// It has.
  case current
  /// A newer build has migrated it, in a way that this one can work with. The text says what it is.
  case newerCompatible(String)
}

/// The files that have been applied to a database.
struct JournalState: Sendable {
  struct Applied: Sendable {
    let checksum: String
    let isCompatible: Bool
  }

  var files: [String: Applied] = [:]
  /// Applied files whose checksum is another than in this build.
  var altered: [String] = []

  /// Migrations that this build does not know.
  private var unknown: [(name: String, isCompatible: Bool)] {
    let known = Set(EmbeddedFile.all.map(\.name))
    return files.filter { $0.key.hasPrefix("migrations/0") && !known.contains($0.key) }
      .map { ($0.key, $0.value.isCompatible) }.sorted { $0.0 < $1.0 }
  }

  /// Whether this build may change the schema; false if it must leave it to a newer one.
  func mayMigrate() throws(StoreError) -> Bool {
    try refuseAltered()
    return try newerFiles() == nil
  }

  /// The compatible migrations of a newer build; nil: there are none.
  func newerFiles() throws(StoreError) -> String? {
    if let breaking = unknown.first(where: { !$0.isCompatible }) {
      throw StoreError(
        .schema,
        "The database has been migrated by a newer build (\(breaking.name)), which this one cannot work with. Install that build."
      )
    }
    return unknown.isEmpty ? nil : unknown.map(\.name).joined(separator: ", ")
  }

  func refuseAltered() throws(StoreError) {
    guard altered.isEmpty else {
      throw StoreError(
        .schema,
        "\(altered.joined(separator: ", ")) was applied to this database with other content than this build has. "
          + "Applied migrations never change: use the build that made the database, or a new database.")
    }
  }
}

extension StoreSession {
  /// Compares the database with what this build was made for: files, columns, constraints and functions.
  ///
  /// - Throws: `schema` with a sentence that says what is missing, older, altered or too new, and what to do.
  public func checkSchema() async throws(StoreError) -> SchemaCheck {
    let rows = try await run(Statements.hasJournal, [], "checking the schema")
    guard try await storing("checking the schema", { () throws(PostgresError) in try rows.one().bool(0) }) else {
      throw StoreError(.schema, "The database has no dailymetricd schema yet; run: dailymetricd migrate")
    }
    let state = try await journalState()
    try state.refuseAltered()
    if let newer = try state.newerFiles() {
      return .newerCompatible("The database has newer, compatible migrations: \(newer).")
    }
    for file in EmbeddedFile.migrations + EmbeddedFile.logic where state.files[file.name] == nil {
      throw StoreError(
        .schema, "The database is older than this build: \(file.name) is missing; run: dailymetricd migrate")
    }
    for file in EmbeddedFile.logic where state.files[file.name]?.checksum != (try await checksum(of: file)) {
      throw StoreError(
        .schema, "The database has other functions than this build (\(file.name)); run: dailymetricd migrate")
    }
    try await refuseAlterations(includingFunctions: true)
    return .current
  }

  func refuseAlterations(includingFunctions: Bool) async throws(StoreError) {
    let rows = try await run(Statements.alteredParts, [.bool(includingFunctions)], "checking the schema")
    let findings = try await storing("checking the schema") { () throws(PostgresError) in
      var findings: [String] = []
      for row in rows { findings.append("\(try row.text("part")) \(try row.text("finding"))") }
      return findings
    }
    guard !findings.isEmpty else { return }
    throw StoreError(
      .schema,
      "The schema was altered by hand, and numbers may not be safe: \(findings.prefix(5).joined(separator: "; ")). "
        + "Put it back as migrations/ has it (functions: run dailymetricd migrate).")
  }

  func journalState() async throws(StoreError) -> JournalState {
    let rows = try await run(Statements.journal, [], "reading the journal of migrations")
    var state = JournalState()
    try await storing("reading the journal of migrations") { () throws(PostgresError) in
      for row in rows {
        state.files[try row.text("file")] = JournalState.Applied(
          checksum: try row.text("checksum"), isCompatible: try row.bool("is_compatible"))
      }
    }
    for file in EmbeddedFile.migrations {
      guard let applied = state.files[file.name] else { continue }
      if applied.checksum != (try await checksum(of: file)) { state.altered.append(file.name) }
    }
    return state
  }
}
