/// One thing that can be set: how it is written on the command line and in the environment, and what holds when nobody sets it.
///
/// The command line parser, `--help` and the documentation all read this definition; there is no second list.
public struct Setting: Sendable, Equatable {
  /// What a value must look like.
  public enum Kind: Sendable, Equatable {
    /// Present or not; takes no value.
    case toggle
    /// A whole number within the range.
    case number(ClosedRange<Int>)
    /// Seconds within the range, fractions allowed.
    case seconds(ClosedRange<Double>)
    /// Anything but nothing.
    case text
    /// An instant as in RFC 3339, such as 2026-03-01T07:00:00Z.
    case instant
    /// A calendar day, such as 2026-03-01.
    case date
    /// A UUID.
    case uuid
    /// One of these words.
    case word([String])
    /// A numeric address with its port, such as 127.0.0.1:14711 or [::1]:14711.
    case address
  }

  /// As written on the command line, such as `--workers`.
  public let flag: String
  /// The environment variable, or nil for what only makes sense for one call.
  public let environment: String?
  /// What a value must look like.
  public let kind: Kind
  /// What a value is called in help pages, such as `N`.
  public let placeholder: String
  /// What holds when nobody sets it, or nil if then something else decides; `help` says what.
  public let fallback: String?
  /// The unit of the value, or nil for a pure number, a word or a text.
  public let unit: String?
  /// One line: what it does.
  public let help: String

  init(
    _ flag: String, _ placeholder: String = "", environment: String? = nil, kind: Kind = .toggle,
    fallback: String? = nil,
    unit: String? = nil, help: String
  ) {
    self.flag = flag
    self.placeholder = placeholder
    self.environment = environment
    self.kind = kind
    self.fallback = fallback
    self.unit = unit
    self.help = help
  }

  /// As written in a file of settings, such as `workers`.
  public var name: String { String(flag.drop { $0 == "-" }) }

  /// Whether the flag is followed by a value.
  public var takesValue: Bool { kind != .toggle }
}

extension Setting {
  /// The page of a command.
  public static let help = Setting("--help", help: "print this page")

  /// The file of settings.
  public static let config = Setting(
    "--config", "FILE", environment: "DAILYMETRICD_CONFIG", kind: .text,
    help: "read settings from this file too, see dailymetricd.conf(5); else from none")
  /// Where the database is.
  public static let dsn = Setting(
    "--dsn", "TEXT", environment: "DAILYMETRICD_DSN", kind: .text,
    help: "libpq connection string or URI; else libpq's own PGHOST, PGSERVICE, ...")
  /// How long one host may take to answer.
  public static let connectTimeout = Setting(
    "--connect-timeout", "SECONDS", environment: "DAILYMETRICD_CONNECT_TIMEOUT", kind: .number(1...600), fallback: "5",
    unit: "seconds", help: "longest wait for an answer of one host")

  /// How long one statement may take.
  public static let statementDeadline = Setting(
    "--statement-deadline", "SECONDS", environment: "DAILYMETRICD_STATEMENT_DEADLINE", kind: .seconds(0.1...3600),
    fallback: "65", unit: "seconds", help: "a server that is silent for so long is given up")

  /// Connections and loops of one process.
  public static let workers = Setting(
    "--workers", "N", environment: "DAILYMETRICD_WORKERS", kind: .number(1...64), fallback: "2",
    help: "workers of this process, each with its own connection")
  /// Payloads of one transaction.
  public static let batchPayloads = Setting(
    "--batch", "N", environment: "DAILYMETRICD_BATCH", kind: .number(1...10_000), fallback: "200",
    unit: "payloads", help: "most payloads of one transaction; halved by itself on timeouts")
  /// Longest sleep without a look at the queue.
  public static let pollInterval = Setting(
    "--poll-interval", "SECONDS", environment: "DAILYMETRICD_POLL_INTERVAL", kind: .seconds(0.01...3600), fallback: "1",
    unit: "seconds", help: "longest sleep without a look at the queue")
  /// Longest step of a worker that counts as alive.
  public static let stepDeadline = Setting(
    "--step-deadline", "SECONDS", environment: "DAILYMETRICD_STEP_DEADLINE", kind: .seconds(1...3600), fallback: "300",
    unit: "seconds", help: "a step that takes longer stops the messages to systemd's watchdog")
  /// How much a service logs.
  public static let logLevel = logLevel(fallback: .info)
  /// How much a command logs that prints its result: what went wrong, and no progress.
  public static let quietLogLevel = logLevel(fallback: .warning)

  private static func logLevel(fallback: LogLevel) -> Setting {
    let words = LogLevel.allCases.map(\.name)
    return Setting(
      "--log-level", "LEVEL", environment: "DAILYMETRICD_LOG_LEVEL", kind: .word(words), fallback: fallback.name,
      help: "least important line that is written: \(words.joined(separator: ", "))")
  }

  /// Where monitors are answered.
  public static let metricsListen = Setting(
    "--metrics-listen", "ADDRESS", environment: "DAILYMETRICD_METRICS_LISTEN", kind: .address,
    help: "answer /metrics, /healthz and /readyz there, such as 127.0.0.1:14711; else nowhere")
  /// Who may reach that address.
  public static let metricsFrom = Setting(
    "--metrics-from", "WHO", environment: "DAILYMETRICD_METRICS_FROM", kind: .word(["loopback", "anywhere"]),
    fallback: "loopback", help: "loopback: refuse any other address there; anywhere: take it, unencrypted")

  /// Longest payload.
  public static let maximumBytes = Setting(
    "--max-bytes", "N", environment: "DAILYMETRICD_MAX_BYTES", kind: .number(1...1_073_741_824), fallback: "33554432",
    unit: "bytes", help: "longest payload; a longer one becomes a dead letter, too_large")
  /// Deepest nesting.
  public static let maximumDepth = Setting(
    "--max-depth", "N", environment: "DAILYMETRICD_MAX_DEPTH", kind: .number(4...512), fallback: "32",
    unit: "levels", help: "deepest nesting of a payload")
  /// Most entries.
  public static let maximumEntries = Setting(
    "--max-entries", "N", environment: "DAILYMETRICD_MAX_ENTRIES", kind: .number(1...10_000_000), fallback: "200000",
    unit: "entries", help: "most entries of a payload")
  /// Longest number.
  public static let maximumDigits = Setting(
    "--max-digits", "N", environment: "DAILYMETRICD_MAX_DIGITS", kind: .number(1...1_000), fallback: "40",
    unit: "digits", help: "most digits of a number")

  /// Share of a person's measured cells.
  public static let massDeletionShare = Setting(
    "--mass-deletion-share", "PERCENT", environment: "DAILYMETRICD_MASS_DELETION_SHARE", kind: .number(0...100),
    fallback: "20", unit: "percent",
    help: "a payload that deletes more of a person's days, hours or workouts is parked; 100: none is")
  /// Records of a mass deletion.
  public static let massDeletionRecords = Setting(
    "--mass-deletion-records", "N", environment: "DAILYMETRICD_MASS_DELETION_RECORDS", kind: .number(1...10_000_000),
    fallback: "500", unit: "records", help: "and only if it deletes at least so many records")
  /// Cells of a mass deletion.
  public static let massDeletionCells = Setting(
    "--mass-deletion-cells", "N", environment: "DAILYMETRICD_MASS_DELETION_CELLS", kind: .number(1...10_000_000),
    fallback: "50", unit: "cells", help: "or at least so many cells; a day of hours weighs 1, a workout 5")

  /// The instant that is taken for now.
  public static let asOf = Setting(
    "--as-of", "TIME", kind: .instant, help: "the instant taken for now, such as 2026-03-01T07:00:00Z; else the clock's"
  )
  /// The person of lines that name none.
  public static let user = Setting(
    "--user", "UUID", kind: .uuid, help: "put all lines under this user, whatever they say")
  /// Why somebody pauses the intake.
  public static let because = Setting(
    "--because", "TEXT", kind: .text, help: "why, for whoever reads status; else that an operator asked for it")
  /// Only dead letters of this code.
  public static let code = Setting(
    "--code", "CODE", kind: .text, help: "only those with this code, such as unknown_platform")
  /// Only what names this platform.
  public static let platform = Setting(
    "--platform", "NAME", kind: .text, help: "only those whose payload names this platform, or a format of it")
  /// Only what was refused from then on.
  public static let since = Setting(
    "--since", "TIME", kind: .instant, help: "only those refused then or later, such as 2026-03-01T07:00:00Z")
  /// Only what was refused before.
  public static let until = Setting("--until", "TIME", kind: .instant, help: "only those refused before then")
  /// Look and change nothing.
  public static let check = Setting("--check", help: "report what differs and change nothing")
  /// Only this person.
  public static let owner = Setting("--user", "UUID", kind: .uuid, help: "only this user")
  /// Whose days a picture shows.
  public static let person = Setting("--user", "UUID", kind: .uuid, help: "whose days")
  /// What a picture shows.
  public static let metric = Setting("--metric", "NAME", kind: .text, help: "what, such as steps")
  /// The first day of a picture.
  public static let from = Setting(
    "--from", "DATE", kind: .date, help: "the first day, such as 2026-03-01; else the last 90 days")
  /// The last day of a picture.
  public static let to = Setting(
    "--to", "DATE", kind: .date, help: "the last day; else the last one of which anything is held")
  /// What a picture is drawn in.
  public static let format = Setting(
    "--format", "FORMAT", kind: .word(["text", "svg", "png"]), fallback: "text",
    help: "text for terminals, svg, or png (by gnuplot)")
  /// Where a picture goes.
  public static let output = Setting("--output", "FILE", kind: .text, help: "write to this file; else standard output")
  /// Rows of a list.
  public static let limit = Setting(
    "--limit", "N", kind: .number(1...1_000_000), fallback: "50", help: "the newest N of them")
  /// The payload's own text.
  public static let payloadText = Setting(
    "--payload", help: "print the payload as it was sent, and nothing else; it holds health values")
  /// The texts beside what is known of them.
  public static let withTexts = Setting(
    "--payload", help: "with the texts as they were sent, which hold health values")
  /// Consent to a deletion.
  public static let yes = Setting("--yes", help: "really: what is deleted cannot be had again")
  /// Consent to a mass deletion.
  public static let consent = Setting(
    "--consent", help: "let them delete as much as they say, however much that is")
  /// Somebody who was forgotten comes back.
  public static let allowAgain = Setting("--allow-again", help: "take payloads about the user again; erases nothing")
  /// How much of a person one transaction erases.
  public static let rowsAtOnce = Setting(
    "--rows-at-once", "N", kind: .number(1...1_000_000), fallback: "5000", unit: "rows",
    help: "most rows of one transaction")
  /// Output for programs.
  public static let json = Setting("--json", help: "print one JSON object instead of text")

  /// Longest wait of the oldest payload that still is healthy.
  public static let oldestAgeLimit = Setting(
    "--oldest-age", "SECONDS", environment: "DAILYMETRICD_OLDEST_AGE", kind: .seconds(1...31_536_000), fallback: "900",
    unit: "seconds", help: "unhealthy if the oldest queued payload waits for longer")
  /// Largest share of dead letters that still is healthy.
  public static let deadLetterShare = Setting(
    "--dead-letter-share", "PERCENT", environment: "DAILYMETRICD_DEAD_LETTER_SHARE", kind: .number(0...100),
    fallback: "5",
    unit: "percent", help: "unhealthy if a larger share of the last day's payloads died")

  /// Everything that the environment can set, in the order of the documentation.
  public static let documented: [Setting] = [
    config, dsn, connectTimeout, statementDeadline, workers, batchPayloads, pollInterval, stepDeadline, logLevel,
    metricsListen, metricsFrom, maximumBytes, maximumDepth, maximumEntries, maximumDigits, massDeletionShare,
    massDeletionRecords,
    massDeletionCells, oldestAgeLimit, deadLetterShare,
  ]

  /// What a file of settings may say.
  public static let inFile: [Setting] = documented.filter { $0 != config }
  /// What a running service takes over when it is told to read its settings again; the others hold from its next start on.
  public static let reloaded: [Setting] = [batchPayloads, pollInterval, stepDeadline, logLevel] + intakeLimits

  /// Which dead letters or quarantined entries are meant.
  public static let refusals: [Setting] = [code, owner, platform, since, until]
  /// How to reach the database, for commands that take as long as they take.
  public static let address: [Setting] = [config, dsn, connectTimeout]
  /// How to reach the database, and how long to wait for it.
  public static let connection: [Setting] = address + [statementDeadline]
  /// What a payload may be at most.
  public static let limits: [Setting] = [maximumBytes, maximumDepth, maximumEntries, maximumDigits]
  /// What a payload may be and delete at most.
  public static let intakeLimits: [Setting] = limits + [massDeletionShare, massDeletionRecords, massDeletionCells]
}
