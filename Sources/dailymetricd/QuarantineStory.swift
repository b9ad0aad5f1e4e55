import FoundationEssentials
import HealthPayload
import MetricDaemon
import MetricStore

/// A quarantined entry as the commands print it. Its properties are the keys of --json; what there is none of is left out there.
struct QuarantineStory: Encodable {
  let userId: String
  let payloadId: String
  let pointer: String
  let code: String
  let platform: String
  let store: String?
  let readAt: String
  let quarantinedAt: String
  /// The entry as it was sent, where that was asked for.
  let entry: String?

  init(_ report: QuarantineReport, text: String? = nil) {
    userId = report.user.uuidString.lowercased()
    payloadId = report.payloadID.uuidString.lowercased()
    pointer = report.pointer
    code = report.code
    platform = report.platform
    store = report.store.isEmpty ? nil : report.store
    readAt = report.readAt.description
    quarantinedAt = report.quarantinedAt.description
    entry = text
  }

  /// For a list.
  var line: String {
    "\(quarantinedAt)  \(code)  \(platform)  \(userId)  \(payloadId)  \(pointer.onOneLine)"
  }

  /// For a look at one payload's.
  var text: String { line + (entry.map { "\n  \($0.onOneLine)" } ?? "") }
}

extension Call {
  /// All arguments as ids of payloads.
  func payloadIDs() throws(Failure) -> [UUID] {
    var ids: [UUID] = []
    for argument in arguments {
      guard let id = UUID(uuidString: argument) else {
        throw Failure(code: .usage, message: "PAYLOAD_ID is \"\(argument)\": a UUID as in quarantine list is needed")
      }
      ids.append(id)
    }
    return ids
  }

  /// Does something with each entry of the payloads that are meant, one payload in memory at a time. Returns of how many.
  func withEntries(
    _ ids: [UUID], _ filter: RefusalFilter, _ body: (QuarantineReport, String) -> Void
  ) async throws(Failure) -> Int {
    try await withSession { (session) async throws(StoreError) in
      var count = 0
      for payload in try await session.refusedPayloads(filter, ids: ids.isEmpty ? nil : ids) {
        for (entry, text) in try await session.quarantinedEntries(of: payload) {
          body(entry, text)
          count += 1
        }
      }
      return count
    }
  }

  /// Changes what is named or passes the filter: one of them there must be.
  func change(
    _ question: String, _ body: (StoreSession, [RefusedEntries]) async throws(StoreError) -> [RefusedEntries]
  ) async throws(Failure) -> (wanted: [UUID], changed: [RefusedEntries]) {
    let ids = try payloadIDs()
    let filter = try refusals()
    guard !ids.isEmpty || filter != RefusalFilter() else {
      throw Failure(code: .usage, message: "either payloads or a filter such as --code CODE are needed: \(question)")
    }
    let (found, changed) = try await withSession { (session) async throws(StoreError) in
      let found = try await session.refusedPayloads(filter, ids: ids.isEmpty ? nil : ids)
      return (found, try await body(session, found))
    }
    return (ids.isEmpty ? found.map(\.payloadID) : ids, changed)
  }

  /// Says of which payloads nothing came.
  func answer(_ found: [RefusedEntries], of wanted: [UUID], _ complaint: String) -> ExitCode {
    let others = Set(wanted).subtracting(found.map(\.payloadID)).map { $0.uuidString.lowercased() }.sorted()
    guard !others.isEmpty else { return .success }
    let named = others.prefix(5).joined(separator: ", ")
    Terminal.complain("\(complaint) \(named)\(others.count > 5 ? " and \(others.count - 5) others" : "")")
    return .negative
  }

  /// Says that nothing is there.
  func missing(_ ids: [UUID]) -> ExitCode { answer([], of: ids, "nothing is in quarantine of") }
}
