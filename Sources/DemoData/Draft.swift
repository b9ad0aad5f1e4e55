/// What a read found out about one metric on one day.
struct Entry {
  enum Outcome {
    case value(Amount)
    case empty
    case failed(String)
    case denied(String)
    case unavailable(String)
    /// An entry that no decoder may believe.
    case garbled(Garble, Amount)
  }

  var metric: Metric
  var day: Day
  var outcome: Outcome
  var sources: [String] = []
  /// nil: the client does not say.
  var isComplete: Bool? = true
}

/// The ways in which one entry is damaged while its siblings are fine.
enum Garble: CaseIterable {
  case valueAsText, unknownUnit, nullValue, noOutcome, unknownOutcome, valueBesideEmpty, repeatedKey, unknownMetric
  case impossibleDate, farFuture
}

/// Evidence that a device was worn or carried.
struct Presence {
  enum Kind: String { case wear, carry }

  let day: Day
  let source: String
  let kind: Kind
  let minutes: Int
}

/// A boundary of what can be read.
struct Window {
  enum Kind {
    case authorizedFrom(Moment)
    case platformFloor(Moment)
    case countingSince(Moment)
    case history(firstGrant: Moment, permission: Bool, ownData: Bool)
  }

  /// nil: all metrics.
  let metric: Metric?
  let kind: Kind
}

/// What a platform says about the right to read; metric nil: all of them.
struct Permission {
  enum State: String {
    case granted, denied
    case notConnected = "not_connected"
  }

  let metric: Metric?
  let state: State
}

/// One payload while the demo is being made up.
struct Draft {
  enum Mode: String {
    case incremental, reread
    case historyLoad = "history_load"
  }

  /// What the reading process says about its last success.
  enum LastSuccess { case at(Moment), never, unsaid }

  /// What is wrong with the payload as a whole.
  enum Flaw {
    /// The connection broke after this share of the bytes.
    case halfSent(percent: Int)
    case foreignSchema, missingPlatform
    /// An adapter from before the read block and the zones existed. Not an error.
    case oldBuild
  }

  /// A later delivery of the same payload, byte for byte or written anew with its keys in another order.
  struct Echo {
    let arrival: Moment
    let isWrittenAnew: Bool
  }

  let personID: String
  var payloadID: String
  var origin: Origin
  var readAt: Moment
  var arrival: Moment
  var lastSuccess = LastSuccess.unsaid
  var mode = Mode.incremental
  var zones: [(from: Moment, zone: Zone)] = []
  /// An invalid zone beside the true ones, refused alone.
  var strayZone: String?
  var windows: [Window] = []
  var permissions: [Permission] = []
  var presence: [Presence] = []
  var entries: [Entry] = []
  var readable: [Metric] = []
  var flaw: Flaw?
  var echoes: [Echo] = []
  /// false: the read never happened.
  var isSent = true
}

extension Draft {
  /// Changes the entries of one metric.
  mutating func change(_ metric: Metric, _ change: (inout Entry) -> Void) {
    for position in entries.indices where entries[position].metric == metric { change(&entries[position]) }
  }

  /// The same payload telling more of everything that has a value: what must not be believed.
  mutating func inflate() {
    for position in entries.indices {
      guard case .value(let amount) = entries[position].outcome, amount > .zero,
        entries[position].metric.accumulates
      else { continue }
      entries[position].outcome = .value(amount.inflated)
    }
  }
}
