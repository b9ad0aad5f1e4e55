extension Setting {
  /// Which format a file has.
  public static let documentFormat = Setting(
    "--format", "NAME", kind: .text, help: "the documents are in this format, see dailymetricd formats; else ours")
  /// The provider's account.
  public static let account = Setting(
    "--account", "TEXT", kind: .text, help: "the provider's account, where a person may have several")
  /// When the documents were read.
  public static let readAt = Setting(
    "--read-at", "TIME", kind: .instant, help: "when the provider was asked; else now")
  /// The person's time zone.
  public static let timeZone = Setting(
    "--time-zone", "ZONE", kind: .text, help: "the person's IANA time zone, such as Europe/Berlin")
  /// The first day that was asked for.
  public static let firstDay = Setting(
    "--from", "DATE", kind: .date, help: "first day that was asked for: a day without data was looked at")
  /// The last day that was asked for.
  public static let lastDay = Setting("--to", "DATE", kind: .date, help: "last day that was asked for")
  /// Which resource was asked for.
  public static let resource = Setting(
    "--resource", "NAME", kind: .text, help: "what was asked for, where the document does not show it")
  /// Which page of the answer the document is.
  public static let page = Setting(
    "--page", "NUMBER", kind: .number(1...1_000_000), help: "which page of the answer it is; else the first")
  /// Status of the provider's answer.
  public static let httpStatus = Setting(
    "--http-status", "NUMBER", kind: .number(100...599), help: "status of the answer; from 400 on it is a failed read")
  /// Major version of the person's operating system.
  public static let osMajor = Setting(
    "--os-major", "NUMBER", kind: .number(0...1000), help: "major version of the person's operating system")

  /// Where an old table's numbers came from.
  public static let importPlatform = Setting(
    "--platform", "NAME", kind: .text, help: "where the numbers came from, such as health_connect")
  /// Which of several different numbers for one cell counts.
  public static let duplicates = Setting(
    "--duplicates", "WHICH", kind: .word(["refuse", "first", "last"]), fallback: "refuse",
    help: "which of different numbers for one cell counts: refuse takes none")
  /// Where doubted cells are listed.
  public static let doubts = Setting(
    "--doubts", "FILE", kind: .text, help: "list the doubted cells there, readable by its owner only")

  /// What a document in another format does not say about itself.
  public static let delivery: [Setting] = [
    documentFormat, account, readAt, timeZone, firstDay, lastDay, resource, page, httpStatus, osMajor,
  ]
}
