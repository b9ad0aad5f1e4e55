internal import FoundationEssentials
internal import HealthPayload
internal import PayloadDecoder

/// A batch by what is to become of its payloads.
struct SortedBatch {
  /// New payloads that stand alone, abandoned ones among them: their refused entries are kept too.
  var singles: [(ClaimedPayload, DecodedPayload)] = []
  /// New pages of loads.
  var pages: [(ClaimedPayload, DecodedPayload)] = []
  /// What is merged.
  var merged: [DecodedPayload] = []
  /// What is parked, and of which the deletions count all the same.
  var abandoned: [DecodedPayload] = []
  /// What is parked instead of merged.
  var letters: [DeadLetter] = []
  /// How many had been taken before.
  var repeated = 0

  /// Nothing.
  init() {}

  init(_ batch: [ClaimedPayload], _ verdicts: some Sequence<(ClaimedPayload, StoreSession.Verdict)>) {
    for claimed in batch {
      if case .dead(let fault) = claimed.result { letters.append(DeadLetter(claimed.row, fault: fault)) }
    }
    for (claimed, verdict) in verdicts {
      guard let decoded = claimed.decoded else { continue }
      switch verdict {
      case .repeated: repeated += 1
      case .reused:
        letters.append(
          DeadLetter(
            claimed.row, payloadID: decoded.payload.payloadID, .payloadIDReused, "/payload_id",
            "Another payload came with this payload_id before; give each payload an id of its own."))
      case .new: accept(claimed, decoded)
      }
    }
  }

  private mutating func accept(_ claimed: ClaimedPayload, _ decoded: DecodedPayload) {
    if decoded.isPage { return pages.append((claimed, decoded)) }
    singles.append((claimed, decoded))
    guard decoded.abandoned else { return merged.append(decoded) }
    abandon(
      DeadLetter(
        claimed.row, payloadID: decoded.payload.payloadID, .loadAbandoned, "/days",
        "A day of this all-or-nothing payload failed, so none of it counts; load it again as a whole."
      ),
      decoded)
  }

  /// Parks a payload; its deletions still apply.
  mutating func abandon(_ letter: DeadLetter, _ decoded: DecodedPayload) {
    letters.append(letter)
    abandoned.append(decoded)
  }

  /// Parks the only payload of the batch as it is, its deletions with it.
  mutating func park(_ letter: DeadLetter) {
    letters = [letter]
    merged = []
    abandoned = []
  }

  mutating func add(_ load: DecidedLoad) {
    if load.isApplied {
      merged += load.payloads.map(\.1)
    } else {
      letters += load.letters("A day of this load failed, so none of its pages counts; load it again as a whole.")
      abandoned += load.payloads.map(\.1)
    }
  }
}
