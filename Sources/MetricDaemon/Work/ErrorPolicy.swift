internal import MetricStore

/// What a worker does about an error of the database.
enum Reaction: Sendable, Equatable {
  /// Somebody else was in the way: the same again in a moment.
  case retry
  /// It took too long: the same with fewer payloads.
  case shrink
  /// The connection is gone, or of no use: a new one, for as long as it takes.
  case reconnect
  /// Neither the payload nor the moment is to blame: say so, wait, and look again whether somebody has mended it.
  case pause
  /// The schema is not the one that this build works with.
  case refuse
}

/// The reaction to each kind of error; which SQLSTATE is of which kind is said in StoreError.
///
/// No row of it touches a payload. An error that is a payload's fault is found and set aside by the store, inside its batch;
/// one that still arrives here is a fault of ours, and must not empty the queue into the dead letters.
enum ErrorPolicy {
  static func reaction(to error: StoreError) -> Reaction {
    switch error.kind {
    case .unavailable: .reconnect
    case .transient: error.isTimeout ? .shrink : .retry
    case .schema, .usage: .refuse
    case .data, .systemic: .pause
    }
  }
}
