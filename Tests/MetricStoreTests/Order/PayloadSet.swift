import Foundation
import TestSupport

/// What a few stores say about a few days of one or two persons, with every kind of contradiction. The same seed gives
/// the same set.
///
/// The laws promise that no order of arrival matters, with exceptions, which a set must not run into:
/// - A statement about a window, a permission or a zone judges only what is merged with it or after it. So in one set all
///   statements come first, and in another each payload states the whole of what it is to be judged by.
/// - Of a run of equal statements only the ends are kept, so that one which arrives late, and says otherwise in the middle
///   of a run, holds until its end. So what is stated changes for good.
/// - Of two payloads with one id, or one page number of a load, the first counts. Here ids and pages are used once.
/// - Deletions of many records at once wait for consent. A set has too few records for that.
struct PayloadSet: Sendable {
  struct Payload: Sendable {
    /// 0 or 1.
    let person: Int
    /// Whether it states what others are judged by, and so is delivered before them.
    let isFirst: Bool
    /// When it arrives, in minutes after `PayloadSet.arrival`; that stands in for a read time that is missing.
    let minute: Int
    /// The JSON text after the member `user_id`.
    let rest: String

    /// The text as it is sent on behalf of a person.
    func text(of user: UUID) -> String { "{\"user_id\": \"\(user)\", \(rest)" }
  }

  /// When the first payloads arrive.
  static let arrival = "2026-11-29T08:00:00Z"

  let seed: UInt64
  var payloads: [Payload]

  init(seed: UInt64) {
    self.seed = seed
    var writer = PayloadWriter(seed: seed)
    payloads = writer.prologue()
    for number in 1...writer.random.pick([2, 3, 3, 4, 6]) {
      if writer.random.chance(6) {
        payloads += writer.load("load \(number)")
      } else {
        payloads.append(writer.payload())
      }
    }
  }

  /// Numbers of the persons that it is about.
  var persons: Set<Int> { Set(payloads.map(\.person)) }
}

/// JSON as text: the writers below are many, and need nothing more.
enum JSON {
  static func text(_ text: String) -> String { "\"\(text)\"" }
  static func list(_ items: [String]) -> String { "[\(items.joined(separator: ", "))]" }
  static func members(_ members: [(String, String)]) -> String {
    members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
  }
  static func object(_ all: [(String, String)]) -> String { "{\(members(all))}" }
}
