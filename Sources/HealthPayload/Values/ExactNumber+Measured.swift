extension ExactNumber {
  /// The most digits that are encoded exactly.
  static let encodableDigits = 38

  /// The number that a framework measured: the shortest decimal that reads back as the same `Double`.
  ///
  /// Nil for NaN and the infinities, and for magnitudes beyond 10³⁸ or with more than 38 digits in all, which no body has
  /// and the wire form cannot carry: they would make the whole payload fail instead of the one number.
  public init?(measured number: Double) {
    guard number.isFinite else { return nil }
    self.init(number.description, maximumDigits: ExactNumber.encodableDigits)
  }
}
