extension ExactNumber: Comparable {
  /// Orders numbers by size, exactly.
  public static func < (left: ExactNumber, right: ExactNumber) -> Bool {
    let isLeftNegative = left.text.utf8.first == UInt8(ascii: "-")
    let isRightNegative = right.text.utf8.first == UInt8(ascii: "-")
    switch (isLeftNegative, isRightNegative) {
    case (true, false): return true
    case (false, true): return false
    case (false, false): return isSmaller(left.text.utf8[...], right.text.utf8[...])
    case (true, true): return isSmaller(right.text.utf8.dropFirst(), left.text.utf8.dropFirst())
    }
  }

  /// How many digits it has before the point.
  package var wholeDigits: Int { text.utf8.prefix { $0 != UInt8(ascii: ".") }.count { $0 != UInt8(ascii: "-") } }

  /// Orders magnitudes. Texts have no needless zeros: more digits before the point mean more, and after that, with the
  /// point as the least character, the texts are ordered as words are.
  private static func isSmaller(_ left: Substring.UTF8View, _ right: Substring.UTF8View) -> Bool {
    let leftWhole = left.prefix { $0 != UInt8(ascii: ".") }.count
    let rightWhole = right.prefix { $0 != UInt8(ascii: ".") }.count
    return leftWhole == rightWhole ? left.lexicographicallyPrecedes(right) : leftWhole < rightWhole
  }
}
