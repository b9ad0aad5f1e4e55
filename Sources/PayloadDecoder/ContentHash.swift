/// A fingerprint of a payload's content.
public enum ContentHash {
  /// 16 bytes that are equal for the same JSON content, whatever its white space, the order of the keys of its objects,
  /// the escapes in its strings and the notation of its numbers. A text that is not JSON has the fingerprint of its bytes.
  ///
  /// It finds out whether a payload id was used twice; it is no protection against forgery.
  public static func of(_ bytes: Span<UInt8>) -> [UInt8] {
    []
  }
}
