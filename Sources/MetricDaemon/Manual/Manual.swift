/// The documentation that is made from the tables of settings and commands, so that it cannot say anything else than they do.
public struct Manual: Sendable {
  /// Every command, in order.
  private let commands: [CommandPage]
  /// Exit codes of all commands.
  private let exitCodes: [(code: Int32, meaning: String)]
  private let version: String

  /// Documentation of this build.
  public init(commands: [CommandPage], exitCodes: [(code: Int32, meaning: String)], version: String) {
    self.commands = commands
    self.exitCodes = exitCodes
    self.version = version
  }

  /// The names of what can be made.
  public static let parts = ["dailymetricd.8", "dailymetricd.conf.5", "dailymetricd.conf", "settings.md"]

  /// A part by its name; ends with a line feed. nil if there is none.
  public func part(_ name: String) -> String? {
    switch name {
    case "dailymetricd.8": programPage
    case "dailymetricd.conf.5": filePage
    case "dailymetricd.conf": Manual.file
    case "settings.md": Manual.table
    default: nil
    }
  }

  /// The table of the README.
  static let table: String = {
    let rows = Setting.documented.map { setting in
      let fallback = setting.fallback ?? ""
      let cells = ["`\(setting.flag)`", setting.environment.map { "`\($0)`" } ?? "", fallback, setting.meaning]
      return "| " + cells.map { $0.isEmpty ? "" : $0 + " " }.joined(separator: "| ") + "|"
    }
    return (["| Flag | Variable | Default | Meaning |", "|---|---|---|---|"] + rows).joined(separator: "\n") + "\n"
  }()

  /// The file of settings as it is installed: everything is there, and nothing is set.
  static let file: String = {
    let head = """
      # Settings of dailymetricd, see dailymetricd.conf(5): NAME = VALUE, one on a line, no quotes. Each line that is
      # commented out shows what holds without it. After a change: systemctl reload dailymetricd; what a reload does not
      # take over holds from the next start on. A password does not belong here, but into
      # /etc/credstore/dailymetricd.password.

      """
    let entries = Setting.inFile.map { setting in
      let wanted = setting.kind.wanted.map { " \($0.prefix(1).uppercased())\($0.dropFirst())." } ?? ""
      let unset = setting.fallback == nil ? " Not set." : ""
      let text = setting.sentence + wanted + unset + " " + setting.onset
      let comment = Columns.wrap(text, to: 118).map { "# \($0)" }
      return (comment + ["#\(setting.name) = \(setting.specimen)"]).joined(separator: "\n") + "\n"
    }
    return ([head] + entries).joined(separator: "\n")
  }()

  private var filePage: String {
    var page = Roff(title: "DAILYMETRICD.CONF", section: 5, version: version)
    page.section("NAME")
    page.text("dailymetricd.conf - settings of the service dailymetricd")
    page.section("SYNOPSIS")
    page.text("/etc/dailymetricd/dailymetricd.conf")
    page.section("DESCRIPTION")
    page.text(Manual.form)
    page.section("SETTINGS")
    for setting in Setting.inFile {
      page.item("\(setting.name) = \(setting.placeholder)")
      let fallback = setting.fallback.map { "Default: \($0)." } ?? "Not set by default."
      let wanted = setting.kind.wanted.map { " Wanted: \($0)." } ?? ""
      let variable = setting.environment.map { " Variable: \($0)." } ?? ""
      page.text("\(setting.sentence) \(fallback)\(wanted)\(variable) \(setting.onset)")
    }
    page.section("CREDENTIALS")
    page.text(Manual.secrets)
    page.section("SEE ALSO")
    page.text("dailymetricd(8), systemd.exec(5)")
    return page.finished
  }

  private var programPage: String {
    var page = Roff(title: "DAILYMETRICD", section: 8, version: version)
    page.section("NAME")
    page.text("dailymetricd - keep measured, measured zero and unknown apart in daily health metrics")
    page.section("SYNOPSIS")
    page.text("dailymetricd COMMAND [options]")
    page.section("DESCRIPTION")
    page.text(Manual.purpose)
    page.section("COMMANDS")
    for command in commands {
      page.subsection(String(command.usage.dropFirst("usage: ".count)))
      page.text(command.text)
      for argument in command.arguments + (command.repeated.map { [$0] } ?? []) {
        page.item(argument.name)
        page.text(argument.help)
      }
      for setting in command.settings {
        page.item(setting.takesValue ? "\(setting.flag) \(setting.placeholder)" : setting.flag)
        page.text(setting.help + (setting.fallback.map { " (default \($0))" } ?? ""))
      }
    }
    page.section("EXIT STATUS")
    for row in exitCodes {
      page.item(String(row.code))
      page.text(row.meaning)
    }
    page.section("SIGNALS")
    page.text(Manual.signals)
    page.section("ENVIRONMENT")
    page.text(Manual.environment)
    page.section("FILES")
    page.item("/etc/dailymetricd/dailymetricd.conf")
    page.text("what the service of the package is told with --config; see dailymetricd.conf(5)")
    page.section("SEE ALSO")
    page.text("dailymetricd.conf(5), psql(1), systemctl(1)")
    return page.finished
  }
}

extension Manual {
  private static let purpose = """
    Producers put JSON payloads into a queue in PostgreSQL. dailymetricd derives the table daily_metric from them: each \
    user, metric and local day becomes measured, measured zero, or unknown with a reason. A zero is stored only when a \
    device is known to have been there, unknown never overwrites measured, and nothing is ever interpolated.
    """
  private static let form = """
    The service of the Debian package reads this file, because its unit calls dailymetricd run --config with it. Other \
    commands read a file only if --config or DAILYMETRICD_CONFIG names it, so that nothing on this machine meets the \
    service's database by accident.

    A line is NAME = VALUE; a name is that of a flag without its dashes. A value goes to the end of its line, without \
    quotes. Empty lines and lines that begin with # are not read. A name that is not known, a value that cannot be used \
    and a name that is set twice are errors with the number of the line: at the start the service ends with status 78, \
    at a reload it logs the error and goes on as before.

    The command line wins over the environment, that over credentials, and these over this file.
    """
  private static let secrets = """
    The service takes two secrets from files in the directory that CREDENTIALS_DIRECTORY names, as systemd's \
    LoadCredential= makes it: dailymetricd.dsn, a connection string, and dailymetricd.password, the password of the \
    database role. The unit of the package loads both from /etc/credstore, if they are there. They are read at the start.
    """
  private static let signals = """
    SIGTERM and SIGINT let run, drain and recheck finish or roll back what they have in hand; a second one ends the \
    process at once. SIGHUP has run read its settings and the tables of the catalogue again.
    """
  private static let environment = """
    Every setting of dailymetricd.conf(5) has a variable that is named there. libpq's own variables, such as PGHOST, \
    PGDATABASE, PGUSER, PGSERVICE and PGPASSFILE, say where the database is if nothing else does. NOTIFY_SOCKET, \
    WATCHDOG_USEC, JOURNAL_STREAM and CREDENTIALS_DIRECTORY are systemd's.
    """
}
