internal import FoundationEssentials
public import HealthPayload
public import PayloadDecoder
internal import Postgres

extension DecodedPayload {
  /// Whether it is a page of a history load, which waits for the other pages.
  var isPage: Bool { payload.read.loadID != nil }

  /// Its number in the load. A load of one page need not say it.
  var pageNumber: Int32 {
    guard let page = payload.read.page else { return 1 }
    return Int32(clamping: page)
  }
}

/// A history load that is about to be decided: all its pages, or all that ever came.
struct DecidedLoad: Sendable {
  let user: UUID
  let platform: Int16
  let store: String
  let loadID: String
  let pages: [ClaimedPayload]
  let isApplied: Bool

  /// What was decoded of its pages. Pages were held because they could be decoded.
  var payloads: [(ClaimedPayload, DecodedPayload)] { pages.compactMap { page in page.decoded.map { (page, $0) } } }

  /// Its pages as dead letters.
  func letters(
    _ detail: String, _ pointer: String = "/days", _ code: DeadLetterCode = .loadAbandoned
  ) -> [DeadLetter] {
    pages.map { DeadLetter($0.row, payloadID: $0.decoded?.payload.payloadID, code, pointer, detail) }
  }
}

extension StoreSession {
  /// Holds pages of loads. Returns the letters of those that come too late, and the loads that are now complete.
  func hold(
    _ pages: [(ClaimedPayload, DecodedPayload)], _ decoder: PayloadDecoder, _ asOf: Instant
  ) async throws(StoreError) -> (late: [(letter: DeadLetter, decoded: DecodedPayload)], complete: [DecidedLoad]) {
    guard !pages.isEmpty else { return ([], []) }
    let doing = "holding pages of a load"
    let names = Dictionary(uniqueKeysWithValues: decoder.catalogue.platforms.map { ($0.name, $0.id) })
    let rows = try await run(
      Statements.holdPages,
      [
        .uuidArray(pages.map(\.1.payload.userID)), .int2Array(pages.map { names[$0.1.payload.origin.platform] }),
        .textArray(pages.map(\.1.payload.origin.store)), .textArray(pages.map(\.1.payload.read.loadID)),
        .int4Array(pages.map(\.1.pageNumber)),
        .boolArray(pages.map { $0.1.payload.read.finalPage == true }), .uuidArray(pages.map(\.1.payload.payloadID)),
        .textArray(pages.map { String(decoding: $0.0.row.text, as: UTF8.self) }),
        .timestampArray(pages.map(\.0.row.receivedAt.microseconds)), .boolArray(pages.map(\.0.row.isConsented)),
      ], doing)
    var late: [(letter: DeadLetter, decoded: DecodedPayload)] = []
    try await storing(doing) { () throws(PostgresError) in
      for (row, page) in zip(rows, pages) where !(try row.bool("is_held")) {
        let letter = DeadLetter(
          page.0.row, payloadID: page.1.payload.payloadID, .loadAbandoned, "/read/page",
          "Its load was decided before it came, or another payload had its page number; load again under a new load_id."
        )
        late.append((letter, page.1))
      }
    }
    let complete = try await run(Statements.completePages, [.uuidArray(pages.map(\.1.payload.userID))], doing)
    return (late, try await decide(complete, decoder) { loads in !loads.contains { $0.decoded?.abandoned ?? true } })
  }

  /// Gives up loads that have been incomplete for a week: their pages become dead letters, their deletions apply. One
  /// transaction for each load.
  /// A load whose deletions are too many to be believed is parked as a whole instead.
  ///
  /// - Returns: the number of loads.
  public func giveUpExpiredLoads(
    decoder: PayloadDecoder, massDeletion: MassDeletionLimits = MassDeletionLimits(), asOf: Instant
  ) async throws(StoreError) -> Int {
    let rows = try await run(Statements.hasExpiredLoad, [.timestamp(asOf.microseconds)], "looking for expired loads")
    guard try await storing("looking for expired loads", { () throws(PostgresError) in try rows.one().bool(0) }) else {
      return 0
    }
    let rules = BatchRules(decoder: decoder, limits: BatchLimits(massDeletion: massDeletion), asOf: asOf)
    var given = 0
    while try await transaction({ () async throws(StoreError) in try await giveUpExpiredLoad(rules) }) {
      given += 1
    }
    return given
  }

  /// False: there is none, or other sessions work on their persons.
  private func giveUpExpiredLoad(_ rules: BatchRules) async throws(StoreError) -> Bool {
    let doing = "giving up a load that stayed incomplete"
    let pages = try await run(Statements.expiredPages, [.timestamp(rules.asOf.microseconds)], doing)
    let loads = try await decide(pages, rules.decoder) { _ in false }
    for load in loads {
      let outcome = try await unlessRefused { () async throws(StoreError) in
        if try await parkMassDeletion(load, rules) != nil { return }
        let letters = load.letters(
          "Its load stayed incomplete for a week, so none of its pages counts; load it again as a whole.",
          "/read/load_id")
        try await bury(letters, rules.asOf)
        _ = try await rules.writer(self).write([], deletionsOf: load.payloads.map(\.1))
      }
      if case .failure(let error) = outcome {
        try await bury(load.letters(error.message, "", .rejectedByDatabase), rules.asOf)
      }
    }
    // Of one that was parked nothing is left to be decided.
    try await end(loads, rules.asOf)
    return !loads.isEmpty
  }

  /// Applies or abandons a load that deletes, or parks it as a whole if it deletes too much.
  func settle(_ load: DecidedLoad, _ rules: BatchRules) async throws(StoreError) -> BatchReport {
    if let parked = try await parkMassDeletion(load, rules) { return parked }
    var sorted = SortedBatch()
    sorted.add(load)
    return try await write(sorted, ending: [load], rules)
  }

  /// Writes down what became of loads and lets their pages go.
  func end(_ loads: [DecidedLoad], _ asOf: Instant) async throws(StoreError) {
    guard !loads.isEmpty else { return }
    try await run(
      Statements.endLoads,
      [
        .uuidArray(loads.map(\.user)), .int2Array(loads.map(\.platform)), .textArray(loads.map(\.store)),
        .textArray(loads.map(\.loadID)), .textArray(loads.map { $0.isApplied ? "applied" : "abandoned" }),
        .timestamp(asOf.microseconds),
      ], "deciding loads")
  }

  /// Groups the rows of pages, ordered by load, and decodes them as they were when they arrived.
  private func decide(
    _ rows: Rows, _ decoder: PayloadDecoder, _ isApplied: ([ClaimedPayload]) -> Bool
  ) async throws(StoreError) -> [DecidedLoad] {
    var keys: [LoadKey] = []
    var pages: [LoadKey: [ClaimedPayload]] = [:]
    do throws(PostgresError) {
      for row in rows {
        let key = LoadKey(
          user: try row.uuid("user_id"), platform: try row.int("platform_id", as: Int16.self),
          store: try row.text("store"),
          loadID: try row.text("load_id"))
        if pages[key] == nil { keys.append(key) }
        pages[key, default: []].append(ClaimedPayload(try QueueRow(page: row), decoder: decoder))
      }
    } catch {
      throw StoreError(error, while: "reading pages of a load")
    }
    return keys.compactMap { key in
      pages[key].map {
        DecidedLoad(
          user: key.user, platform: key.platform, store: key.store, loadID: key.loadID, pages: $0,
          isApplied: isApplied($0))
      }
    }
  }
}

/// What a load is called: its id is its own for each person and origin.
private struct LoadKey: Hashable {
  let user: UUID
  let platform: Int16
  let store: String
  let loadID: String
}
