/// A libpq connection string, as far as it matters where it stands.
public enum ConnectionText {
  /// Whether a secret stands in the string itself: `password` or `sslpassword` as keyword or as a URI's parameter, or behind a
  /// URI's user. Says yes rather too often: a value that looks like such a keyword counts as one.
  public static func holdsPassword(_ text: String) -> Bool {
    if let address = text.split(separator: "://", maxSplits: 1).dropFirst().first,
      text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    {
      let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      // A password may hold a sign that nobody has escaped, so everything before the last @ is looked at.
      if let end = parts[0].lastIndex(of: "@"), parts[0][..<end].contains(":") { return true }
      return parts.count > 1 && parts[1].split(separator: "&").contains { isSecret($0.prefix { $0 != "=" }) }
    }
    // Blanks may stand around the sign.
    return text.split(separator: "=", omittingEmptySubsequences: false).dropLast().contains { before in
      before.split(whereSeparator: \.isWhitespace).last.map(isSecret) == true
    }
  }

  private static func isSecret(_ keyword: Substring) -> Bool { ["password", "sslpassword"].contains(keyword) }
}
