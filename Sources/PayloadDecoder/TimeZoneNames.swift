import FoundationEssentials
import Synchronization

/// Which names of time zones exist: those of the system's IANA database, which PostgreSQL reads too.
///
/// Abbreviations and POSIX rules such as `EST5EDT4` or `+05:00` are refused unless the database has a zone of that name.
final class TimeZoneNames: Sendable {
  static let system = TimeZoneNames(directory: "/usr/share/zoneinfo")

  private let directory: String
  /// Names that were found. There are some 600, so the cache is bounded; names that do not exist are looked up each time.
  private let known = Mutex<Set<String>>([])

  init(directory: String) { self.directory = directory }

  /// Whether the database has a zone of this name, in exactly this spelling.
  func contains(_ name: String) -> Bool {
    if known.withLock({ $0.contains(name) }) { return true }
    guard TimeZoneNames.isPlausible(name), hasFile(name) else { return false }
    known.withLock { _ = $0.insert(name) }
    return true
  }

  /// Whether the name may be looked up: it must not leave the database's directory, nor reach what lies in it without being
  /// a zone's name.
  private static func isPlausible(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard name.utf8.count <= 64, let first = parts.first, !["posix", "right"].contains(first),
      !["localtime", "posixrules", "Factory"].contains(name)
    else { return false }
    return parts.allSatisfy { part in
      !part.isEmpty
        && part.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"):
            true
          default: false
          }
        }
    }
  }

  /// Whether the file of that name holds a zone: such files begin with `TZif`, and are some kilobytes long.
  private func hasFile(_ name: String) -> Bool {
    do {
      return try Data(contentsOf: URL(filePath: "\(directory)/\(name)")).starts(with: "TZif".utf8)
    } catch {
      // There is none, or it is a directory, which can be opened and not read: `Europe` is no zone.
      return false
    }
  }
}
