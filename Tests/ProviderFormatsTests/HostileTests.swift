import Foundation
import HealthPayload
import PayloadDecoder
import ProviderFormats
import Testing

struct HostileTests {
  /// What no provider sends, and somebody may.
  private static let values = [
    "null", "true", #""""#, #""NaN""#, #""-9223372036854775808""#, #""99999999999999999999""#, #""1e-400""#,
    #""2026-11-28T09:00:00+99:99""#, #""9999-12-31T23:59:59Z""#, #""1900-01-01T00:00:00-14:00""#,
    "-9223372036854775808",
    "9223372036854775807", "-1", "[]", "{}",
  ]

  @Test(arguments: Fixture.all)
  func `no value at any place of a document brings the process down`(_ fixture: Fixture) throws {
    let root = try JSONSerialization.jsonObject(with: fixture.delivery)
    let count = places(in: root)
    // One value at each place: over all places of all documents each has its turn at every kind of field.
    for place in 0..<count {
      let text = Self.values[(place + fixture.name.utf8.count) % Self.values.count]
      let value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: [.fragmentsAllowed])
      var number = place
      let hostile = replace(root, at: &number, by: value)
      _ = decode(try JSONSerialization.data(withJSONObject: hostile, options: [.sortedKeys]))
    }
    #expect(count > 3)
  }

  @Test
  func `what is said of presence is not looked through again for each element`() throws {
    // With the square of their number this would take minutes.
    let first = try #require(LocalDate("1900-01-01"))
    let days = (Int32(0)..<100_000).map { (offset: Int32) in first.adding(days: offset) }
    let elements = days.map { #"{"dateTime":"\#($0)","value":{"restingHeartRate":60}}"# }.joined(separator: ",")
    let text = """
      {"format":"fitbit","user_id":"00000000-0000-4000-8000-000000000001","body":{"activities-heart":[\(elements)]}}
      """
    let payload = try FormatCatalogue.builtIn().translate(
      Array(text.utf8), queueUser: nil, arrivedAt: Instant(microseconds: 0), limits: DecoderLimits())
    #expect(payload?.refused.isEmpty == true)
  }

  /// How many values a tree has that contain no others.
  private func places(in node: Any) -> Int {
    if let object = node as? [String: Any] { return object.values.reduce(into: 0) { $0 += places(in: $1) } }
    if let array = node as? [Any] { return array.reduce(into: 0) { $0 += places(in: $1) } }
    return 1
  }

  /// The tree with another value at the place of a number, in the order of the keys.
  private func replace(_ node: Any, at number: inout Int, by value: Any) -> Any {
    if let object = node as? [String: Any] {
      var changed = object
      for key in object.keys.sorted() { changed[key] = object[key].map { replace($0, at: &number, by: value) } }
      return changed
    }
    if let array = node as? [Any] { return array.map { replace($0, at: &number, by: value) } }
    number -= 1
    return number == -1 ? value : node
  }
}
