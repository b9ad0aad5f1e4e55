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

/// The reaction to each kind of error, by SQLSTATE and by the state of the connection.
///
/// No row of it touches a payload: an error that is a payload's fault (classes 22 and 23) is found and set aside by the store,
/// inside its batch. One that still arrives here is a fault of ours, and must not empty the queue into the dead letters.
enum ErrorPolicy {
  static func reaction(to failure: StoreFailure) -> Reaction {
    switch failure.kind {
    case .connectionLost: return .reconnect
    case .schema: return .refuse
    case .server: break
    }
    guard let state = failure.sqlState else { return .pause }
    switch state {
    // serialization failure, deadlock, lock not available
    case "40001", "40P01", "55P03": return .retry
    // cancelled, by a timeout or by hand
    case "57014": return .shrink
    // shut down, crashed, starting up, idle for too long in a transaction or a session
    case "57P01", "57P02", "57P03", "57P05", "25P03": return .reconnect
    // A standby: the connection looks healthy and will never take a write. Another host may.
    case "25006": return .reconnect
    default: return state.hasPrefix("08") ? .reconnect : .pause
    }
  }
}
