import MetricDaemon
import MetricStore

/// Brings the schema up to date.
enum MigrateCommand: Command {
  static let page = CommandPage(
    name: "migrate",
    summary: "bring the database to the schema of this build",
    text: """
      Creates the tables, functions and catalogues that this build works with, or
      brings them up to date, and prints what it applied. Running it again changes
      nothing. Any number of processes may run it at once; one of them does the
      work.

      The database should be the product's own: a database that holds tables of the
      same names is refused, and so is one whose tables were altered by hand or that
      a newer, breaking build has migrated. The role must own the database or be
      allowed to create schemas in it. If it may also create roles it makes
      dailymetric_analyst, which reads the schema public and nothing else; if not,
      it says what to do.
      """,
    settings: Setting.address,
    exitCodes: ExitCode.rows(
      .success, .usage, .unavailable, .internalError, .configuration,
      replacing: [.success: "the schema is that of this build, or newer and compatible"]),
    examples: [
      .init("a new database", "createdb health && dailymetricd migrate --dsn dbname=health"),
      .init("by a service file, as another role", "PGSERVICE=health PGUSER=owner dailymetricd migrate"),
    ])

  static func run(_ call: Call) async throws(Failure) -> ExitCode {
    let address = try call.setting { (values) throws(SettingError) in try Configuration.address(values) }
    let applied = try await storing { () async throws(StoreError) in
      try await Migrator.migrate(address, now: WallClock.now()) { Terminal.complain("warning: \($0)") }
    }
    for name in applied { Terminal.out("applied \(name)") }
    Terminal.out(applied.isEmpty ? "nothing to do, the schema is up to date" : "the schema is up to date")
    return .success
  }
}
