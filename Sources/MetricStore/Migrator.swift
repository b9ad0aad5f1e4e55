public import HealthPayload
public import Postgres

/// Brings a database to the schema that this build works with. Any number of processes may do it at once.
public enum Migrator {
  /// Applies what is missing: tables once each, functions as a whole, catalogue files that have changed, and partitions.
  ///
  /// - Parameters:
  ///   - now: the instant at which it happens; partitions are made up to three months after it.
  ///   - warn: receives what could not be done and what to do about it, where the schema is right without it.
  /// - Returns: the files that were applied; empty: the database was up to date.
  /// - Throws: `schema` if the database holds tables of somebody else, was altered by hand, or is newer than this build;
  ///   `systemic` with file and line if a file cannot be applied. What was applied before stays.
  @discardableResult
  public static func migrate(
    _ options: ConnectionOptions, now: Instant, warn: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws(StoreError) -> [String] {
    let session = try await StoreSession.open(options) { notice in
      if notice.severity == "WARNING" { warn(notice.message) }
    }
    do throws(StoreError) {
      try await session.script(Statements.prepareMigration, "preparing to migrate")
      try await session.run(Statements.actAsOwner, [], "taking the owner's role")
      try await session.run(Statements.lockMigrations, [], "waiting for other migrators")
      let applied = try await session.migrate(now: now)
      try await session.run(Statements.unlockMigrations, [], "letting other migrators go on")
      await session.close()
      return applied
    } catch {
      await session.close()
      throw error
    }
  }
}

extension StoreSession {
  fileprivate func migrate(now: Instant) async throws(StoreError) -> [String] {
    try await createJournal()
    let state = try await journalState()
    guard try state.mayMigrate() else { return [] }
    if !state.files.isEmpty { try await refuseAlterations(includingFunctions: false) }
    var applied: [String] = []
    for file in EmbeddedFile.migrations where state.files[file.name] == nil {
      try await transaction { () async throws(StoreError) in
        try await script(file.text, "applying \(file.name)")
        try await record(file, now)
        try await recordParts()
      }
      applied.append(file.name)
    }
    applied += try await applyLogic(state, now)
    applied += try await shipCatalogue(state, now)
    try await run(Statements.noticeChanges, [.timestamp(now.microseconds)], "comparing the catalogues")
    try await ensurePartitions(asOf: now)
    return applied
  }

  /// Functions are made anew as a whole at every migrate, so that none is left over from before or edited by hand.
  private func applyLogic(_ state: JournalState, _ now: Instant) async throws(StoreError) -> [String] {
    try await transaction { () async throws(StoreError) in
      var changed: [String] = []
      for file in EmbeddedFile.logic {
        try await script(file.text, "applying \(file.name)")
        if state.files[file.name]?.checksum != (try await checksum(of: file)) {
          changed.append(file.name)
          try await record(file, now)
        }
      }
      try await recordParts()
      return changed
    }
  }

  private func shipCatalogue(_ state: JournalState, _ now: Instant) async throws(StoreError) -> [String] {
    try await transaction { () async throws(StoreError) in
      var changed: [String] = []
      for (name, statement) in CatalogueFile.statements {
        let file = try EmbeddedFile.named(name)
        guard state.files[name]?.checksum != (try await checksum(of: file)) else { continue }
        try await run(
          statement, CatalogueFile(file).columns.map { .textArray($0) }, "filling the catalogue from \(name)")
        try await record(file, now)
        changed.append(name)
      }
      if !changed.isEmpty { try await script(Statements.sealCatalogue, "sealing the catalogue") }
      return changed
    }
  }

  private func createJournal() async throws(StoreError) {
    let rows = try await run(Statements.hasJournal, [], "looking for the schema")
    let exists = try await storing("looking for the schema") { () throws(PostgresError) in try rows.one().bool(0) }
    guard !exists else { return }
    try await refuseOtherEncoding()
    let taken = try await run(Statements.collisions, [], "looking for other people's tables")
    let names = try await storing("looking for other people's tables") { () throws(PostgresError) in
      try taken.one().optionalText("names")
    }
    if let names {
      throw StoreError(
        .schema,
        "This database already has \(names), which dailymetricd did not make. Give it a database of its own: createdb dailymetric"
      )
    }
    try await transaction { () async throws(StoreError) in
      try await script(Statements.createJournal, "creating the journal of migrations")
    }
  }

  /// Names of sources that the encoding does not have could not be stored, and a queue without one would take anything.
  private func refuseOtherEncoding() async throws(StoreError) {
    let encoding = try await storing("asking for the encoding") { () async throws(PostgresError) in
      try await connection.parameterStatus("server_encoding")
    }
    guard let encoding, encoding != "UTF8" else { return }
    throw StoreError(
      .schema,
      "This database is encoded in \(encoding), but payloads are UTF-8. Give it another one: "
        + "createdb --encoding=UTF8 --template=template0 dailymetric")
  }

  private func record(_ file: EmbeddedFile, _ now: Instant) async throws(StoreError) {
    try await run(
      Statements.recordFile,
      [.text(file.name), .bytes(file.bytes), .bool(file.isCompatible), .timestamp(now.microseconds)],
      "recording \(file.name)")
  }

  private func recordParts() async throws(StoreError) {
    try await run(Statements.forgetParts, [], "recording the schema")
    try await run(Statements.recordParts, [], "recording the schema")
  }

  func checksum(of file: EmbeddedFile) async throws(StoreError) -> String {
    let rows = try await run(Statements.checksum, [.bytes(file.bytes)], "computing a checksum")
    return try await storing("computing a checksum") { () throws(PostgresError) in try rows.one().text(0) }
  }

  func script(_ sql: String, _ doing: String) async throws(StoreError) {
    try await sendWaiting()
    do {
      try await connection.script(sql)
    } catch {
      let place = error.line.map { ", line \($0)" }
      throw StoreError(error, while: doing + (place ?? ""))
    }
  }
}
