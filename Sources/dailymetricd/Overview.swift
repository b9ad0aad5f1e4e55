import MetricDaemon

/// The page of the program as a whole.
enum Overview {
  static var text: String {
    """
    usage: dailymetricd COMMAND [options]

    Turns what phones and providers said about a person's days into one row per
    user, metric and day that is measured, measured zero, or unknown with a reason.
    Payloads wait in a queue in Postgres; the service merges them into daily_metric.

    Commands
    \(rows)

    The database is the one that libpq's environment or service file names
    (PGHOST, PGDATABASE, PGSERVICE, ...), or the one given with --dsn.

      dailymetricd COMMAND --help    what a command does, its options and exit codes
    """
  }

  private static var rows: String {
    let width = Program.commands.map { $0.page.name.count }.reduce(0, max)
    return Program.commands.map { command in
      let name = command.page.name
      return "  " + name + String(repeating: " ", count: width - name.count + 2) + command.page.summary
    }.joined(separator: "\n")
  }
}
