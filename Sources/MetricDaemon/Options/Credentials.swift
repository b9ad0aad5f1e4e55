internal import FoundationEssentials

/// Secrets that the service manager hands over as files (systemd's LoadCredential=), in the directory that
/// CREDENTIALS_DIRECTORY names. They are read here and not by libpq, which refuses a password file with systemd's access list.
public struct Credentials: Sendable, Equatable {
  /// The name of the file with a connection string, which stands in for `dsn`.
  public static let dsnName = "dailymetricd.dsn"
  /// The name of the file with the password of the database role.
  public static let passwordName = "dailymetricd.password"

  /// A connection string, or nil if there is none.
  public let dsn: String?
  /// A password, or nil if there is none; then libpq looks for one in its own places.
  public let password: String?

  /// No secrets.
  public static let none = Credentials(dsn: nil, password: nil)

  private init(dsn: String?, password: String?) {
    self.dsn = dsn
    self.password = password
  }

  /// Reads what there is. A file that is not there, or is empty, says nothing; one that cannot be read is an error.
  public init(environment: [String: String]) throws(SettingError) {
    guard let folder = environment["CREDENTIALS_DIRECTORY"], !folder.isEmpty else {
      self = .none
      return
    }
    dsn = try Credentials.read("\(folder)/\(Credentials.dsnName)")
    password = try Credentials.read("\(folder)/\(Credentials.passwordName)")
  }

  /// The first line: editors end a file with a line feed, and no secret holds one. The content is never part of an error.
  private static func read(_ path: String) throws(SettingError) -> String? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    let bytes: Data
    do { bytes = try Data(contentsOf: URL(filePath: path)) } catch {
      throw SettingError(source: .environment, message: "the credential \(path) is there and cannot be read")
    }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard !line.isEmpty else { return nil }
    guard let text = String(validating: line, as: UTF8.self), !text.contains("\0") else {
      throw SettingError(source: .environment, message: "the credential \(path) is no text")
    }
    return text
  }
}
