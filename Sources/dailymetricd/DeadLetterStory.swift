import FoundationEssentials
import HealthPayload
import MetricStore

/// A dead letter as the commands print it. Its properties are the keys of --json; what there is none of is left out there.
struct DeadLetterStory: Encodable {
  let id: Int
  let code: String
  let format: String?
  let platform: String?
  let userId: String
  let payloadId: String?
  let pointer: String
  let byteOffset: Int?
  let detail: String?
  let receivedAt: String
  let diedAt: String
  let loadId: String?
  let bytes: Int
  /// The payload as it was sent, where that was asked for.
  let payload: String?

  init(_ letter: DeadLetterReport, text: String? = nil) {
    id = letter.id
    code = letter.code
    format = letter.format
    platform = letter.platform
    userId = letter.user.uuidString.lowercased()
    payloadId = letter.payloadID?.uuidString.lowercased()
    pointer = letter.pointer
    byteOffset = letter.byteOffset
    detail = letter.detail
    receivedAt = letter.receivedAt.description
    diedAt = letter.diedAt.description
    loadId = letter.loadID
    bytes = letter.bytes
    payload = text
  }

  private var place: String {
    let pointer = pointer.isEmpty ? "the whole text" : pointer.onOneLine
    return byteOffset.map { "\(pointer), byte \($0)" } ?? pointer
  }

  /// For a list.
  var line: String { "\(id)  \(diedAt)  \(code)  \(userId)  \(place)" }

  /// For a look at one.
  var text: String {
    let delivery = format.map { [("format", $0.onOneLine)] } ?? []
    let load = loadId.map { [("load", "\($0.onOneLine): its pages are retried and dropped together")] } ?? []
    let rows =
      [
        ("dead letter", "\(id): \(code)"), ("place", place), ("detail", detail?.onOneLine ?? "none"), ("user", userId),
      ] + delivery + [
        ("platform", platform?.onOneLine ?? "none was found"),
        ("payload", "\(payloadId ?? "its id could not be read"); \(Text.count(bytes, "byte"))"),
        ("first arrived", receivedAt), ("parked", diedAt),
      ] + load
    return rows.map { name, value in name + String(repeating: " ", count: 15 - name.count) + value }
      .joined(separator: "\n")
  }
}
