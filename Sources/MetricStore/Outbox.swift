internal import Postgres
internal import Synchronization

/// Statements whose answers nobody needs. They wait until one comes whose answer is needed, and travel with it: one round trip
/// for all of them.
///
/// Order and effect are those of sending each at once, as long as nothing that waits outlives the savepoint or the transaction
/// that it belongs to.
final class Outbox: Sendable {
  /// What waits, and what each does, for the error that it may end in.
  typealias Waiting = (statements: [Statement], doing: [String])

  private let waiting = Mutex<Waiting>(([], []))

  var isEmpty: Bool { waiting.withLock { $0.statements.isEmpty } }

  func append(_ statement: Statement, _ doing: String) {
    waiting.withLock { waiting in
      waiting.statements.append(statement)
      waiting.doing.append(doing)
    }
  }

  /// Hands over what waits. After that nothing waits, whatever becomes of it.
  func take() -> Waiting {
    waiting.withLock { waiting in
      defer { waiting = ([], []) }
      return waiting
    }
  }

  /// Drops what waits from the last statement with this text on, or all, if none that waits has it. Whether one had.
  func drop(from sql: String) -> Bool {
    waiting.withLock { waiting in
      guard let place = waiting.statements.lastIndex(where: { $0.sql == sql }) else {
        waiting = ([], [])
        return false
      }
      waiting.statements.removeSubrange(place...)
      waiting.doing.removeSubrange(place...)
      return true
    }
  }
}
