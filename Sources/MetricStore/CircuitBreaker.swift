internal import FoundationEssentials
internal import PayloadDecoder

/// A payload that went to the dead letters, as far as the breaker wants to know it.
struct RefusedPayload: Sendable, Hashable {
  let user: UUID
  let id: Int
  let code: DeadLetterCode

  /// nil for what is no business of the breaker: pages of loads, and letters that an operator tries again.
  init?(_ letter: DeadLetter) {
    guard let id = letter.row.id, !letter.row.isRetry else { return nil }
    self.init(user: letter.row.userID, id: id, code: letter.code)
  }

  init(user: UUID, id: Int, code: DeadLetterCode) {
    self.user = user
    self.id = id
    self.code = code
  }
}

/// Tells many broken payloads from broken software: an update of the app, or of this service, that spoils all payloads
/// at once must not empty the queue into the dead letters.
enum CircuitBreaker {
  /// Half of a batch. A few percent are broken on any day; a faulty release breaks nearly all.
  static let leastShare = 0.5
  /// Persons among them. However much garbage one person's phone sends, it stops nobody else's payloads; ten phones do not
  /// break by chance in the same second.
  static let leastUsers = 10
  /// Codes that say that a payload was not understood. The others are about what had been received before.
  static let codes: Set<DeadLetterCode> = [
    .notJSON, .notAnObject, .tooLarge, .unsupportedSchema, .missingField, .invalidField, .unknownPlatform,
    .userMismatch,
    .rejectedByDatabase,
  ]

  /// Why intake should pause, and the newest payload that speaks for it.
  struct Breach: Sendable, Hashable {
    let because: String
    let newest: Int
  }

  /// Judges a batch of so many payloads by those of them that were refused; nil: it goes through.
  static func breach(_ refused: [RefusedPayload], among payloads: Int) -> Breach? {
    let counted = refused.filter { Self.codes.contains($0.code) }
    let users = Set(counted.map(\.user)).count
    guard Double(counted.count) >= leastShare * Double(payloads), users >= leastUsers,
      let newest = counted.map(\.id).max()
    else { return nil }
    let parts = Dictionary(grouping: counted, by: \.code).sorted { $0.key < $1.key }
    let list = parts.map { "\($0.value.count) \($0.key.rawValue)" }.joined(separator: ", ")
    return Breach(
      because: "\(counted.count) of a batch of \(payloads) payloads, of \(users) persons, cannot be used (\(list)); "
        + "they are still queued. Mend what broke them, or let them go to the dead letters: dailymetricd resume",
      newest: newest)
  }
}
