import Foundation
import HealthPayload
import Testing

@testable import PayloadDecoder

/// The small parts of the decoder.
@Suite struct PartTests {
  @Test func `a UUID is read as a naive parser reads it, with every byte in every place`() throws {
    let base = Array("7b0C2f5e-1D2a-4e0b-9a51-2f6d0c9E11aa".utf8)
    for place in base.indices {
      for byte in UInt8.min...UInt8.max {
        var text = base
        text[place] = byte
        #expect(uuid(text) == naive(text), "byte \(byte) at \(place)")
      }
    }
    #expect(uuid(base.dropLast()) == nil && uuid(base + [0x30]) == nil)
  }

  private func uuid(_ text: [UInt8]) -> UUID? { UUID(ascii: text.span) }

  private func naive(_ text: [UInt8]) -> UUID? {
    let hexadecimal = "0123456789abcdefABCDEF".utf8
    let isWellFormed = text.enumerated().allSatisfy { place, byte in
      [8, 13, 18, 23].contains(place) ? byte == UInt8(ascii: "-") : hexadecimal.contains(byte)
    }
    return isWellFormed ? UUID(uuidString: String(decoding: text, as: UTF8.self)) : nil
  }

  @Test(arguments: [
    ("HKError.6", "HKError.6"), ("hkerror 6", "HKError.6"), ("HKErrorDomain Code=6", "HKError.6"),
    ("HKError(6)", "HKError.6"),
    ("HKError.errorDatabaseInaccessible", "HKError.6"), ("HKError.databaseInaccessible", "HKError.6"),
    (" HK_Error:06 ", "HKError.6"),
    ("HKError.errorNoData", "HKError.11"), ("HKError.99", "HKError.99"), ("HKError", "HKError"),
    ("HKError.6a", "HKError.6a"),
    ("HKError.6.7", "HKError.6.7"), ("HealthConnectException.7", "HealthConnectException.7"),
    ("health_connect_exception(8)", "HealthConnectException.8"),
    ("HealthConnectException.ERROR_SECURITY", "HealthConnectException.5"),
    ("http.429", "http.429"), ("HTTP 429", "http.429"), ("http.401.revoked", "http.401.revoked"),
    ("HTTP 401: Revoked", "http.401.revoked"),
    ("http.4290", "http.4290"), ("http.42", "http.42"), ("SecurityException", "SecurityException"), ("", ""),
    ("no_barometer", "no_barometer"),
    ("HKError.99999999999999999999", "HKError.99999999999999999999"), ("HKErrorX 6", "HKErrorX 6"),
  ])
  func `codes are lenient in spelling and strict in meaning`(_ raw: String, _ canonical: String) {
    #expect(platformCode(raw) == canonical)
    #expect(platformCode(canonical) == canonical)
  }

  @Test func `every symbol of HKError has its number`() {
    let symbols = [
      "errorHealthDataUnavailable", "errorHealthDataRestricted", "errorInvalidArgument", "errorAuthorizationDenied",
      "errorAuthorizationNotDetermined", "errorDatabaseInaccessible", "errorUserCanceled",
      "errorAnotherWorkoutSessionStarted",
      "errorUserExitedWorkoutSession", "errorRequiredAuthorizationDenied", "errorNoData",
      "errorWorkoutActivityNotAllowed",
      "errorDataSizeExceeded", "errorBackgroundWorkoutSessionNotAllowed", "errorNotPermissibleForGuestUserMode",
    ]
    for (index, symbol) in symbols.enumerated() { #expect(platformCode("HKError.\(symbol)") == "HKError.\(index + 1)") }
  }

  @Test(arguments: [
    "UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "EST5EDT", "Etc/GMT+5", "Asia/Kathmandu", "GB-Eire",
  ])
  func `zones of the database are known`(_ name: String) { #expect(TimeZoneNames.system.contains(name)) }

  @Test(arguments: [
    "EST5EDT4", "+05:00", "UTC+3", "CEST", "PST", "europe/berlin", "posix/Europe/Berlin", "right/UTC", "localtime",
    "posixrules",
    "Factory", "Europe", "Europe/", "/Europe/Berlin", "../zoneinfo/UTC", "Europe/../UTC", "zone.tab", "leapseconds", "",
    "UTC\u{0}",
    "Mars/Olympus", "./UTC", "Europe//Berlin", String(repeating: "A", count: 300),
  ])
  func `abbreviations, rules and paths are no zones`(_ name: String) {
    #expect(!TimeZoneNames.system.contains(name))
    #expect(!TimeZoneNames.system.contains(name), "asked again")
  }

  @Test func `names of a table are told apart, however alike`() {
    let names =
      Key.allCases.map(\.name) + [
        "", "a", "b", "ab", "history_permission_", "history-permission", "history_permissioN",
      ]
    let table = NameTable(names)
    func find(_ bytes: [UInt8], _ range: Range<Int>) -> Int? { table.index(of: range, in: bytes.span) }
    for (index, name) in names.enumerated() {
      for padding in ["", "\"", "\", 12345678"] {
        let bytes = Array((padding + name + padding).utf8)
        let range = padding.utf8.count..<padding.utf8.count + name.utf8.count
        #expect(find(bytes, range) == index, "\(name)")
        #expect(find(bytes + [0, 0, 0, 0, 0, 0, 0, 0], range) == index)
      }
      #expect(find(Array((name + "~").utf8), 0..<name.utf8.count + 1) == nil)
    }
  }

  @Test func `the decoder knows the keys of the schema`() throws {
    let schema = String(decoding: try file("schema/payload.schema.json"), as: UTF8.self)
    for key in Key.allCases { #expect(schema.contains("\"\(key.name)\":"), "\(key.name)") }
  }

  @Test func `a fingerprint sees content and nothing else`() {
    func print(_ text: String) -> [UInt8] { ContentHash.of(Array(text.utf8)) }
    let same = [
      #"{"a":[1,2.50,-0],"b":"é"}"#, #" { "b" : "\u00e9" , "a" : [ 1.0 , 25e-1 , 0.0 ] } "#,
      #"{"\u0061":[10e-1,2.5,0e7],"b":"é"}"#,
    ]
    #expect(Set(same.map(print)).count == 1)
    let others = [
      #"{"a":[2.5,1,0],"b":"é"}"#, #"{"a":[1,2.5,0],"b":"e\u0301"}"#, #"{"a":[1,2.5,0]}"#, #"{"b":[1,2.5,0],"a":"é"}"#,
      #"{"a":[1,2.5,null],"b":"é"}"#, #"{"a":["1",2.5,0],"b":"é"}"#, #"{"a":[1,-2.5,0],"b":"é"}"#, "[]", "{}", "null",
      "\"\"", "0",
      "true", "false", "[[]]", "[[],[]]", "[0]", "", "{", "1e9", "1e99999999999999999999", "1e88888888888888888888",
      same[0] + "x",
    ]
    let prints = ([same[0]] + others).map(print)
    #expect(Set(prints).count == prints.count)
    #expect(prints.allSatisfy { $0.count == 16 })
    let deep = String(repeating: "[", count: 100_000)
    #expect(print(deep) != print(deep + "]"))
  }

  @Test func `a fingerprint is the same in every build, because receipts keep it`() {
    let text =
      #"{"schema":"dailymetricd.sync/1","n":[0,-0.0,1.50,-12.5,100,0.001,123456789.5,1e3,25e-1,7],"o":{"b":null,"#
      + #""a":true,"\u0061b":"x\n","long":"abcdefghijklmnopqrstuvwxyz0123456789"}}"#
    let print = ContentHash.of(Array(text.utf8)).map { String($0, radix: 16) }.joined(separator: " ")
    #expect(print == "8f e7 be fc 91 cf 85 34 4c 64 2f 75 3a 2c ad d2")
  }

  @Test func `a fingerprint changes with every byte of a text`() {
    let text = Array(#"{"source":"abcdefghijklmnopqrstuvwxyz0123456789","more":"x"}"#.utf8)
    var prints: Set<[UInt8]> = [ContentHash.of(text)]
    for place in 11..<47 {
      var changed = text
      changed[place] = UInt8(ascii: "_")
      prints.insert(ContentHash.of(changed))
    }
    #expect(prints.count == 37)
  }

  @Test func `nowhere in the decoder does a default number stand in for what is missing`() throws {
    let defaults = /\?\?\s*(-?\d|\"\d|\.zero|\.init\(\)|0x|Double|Decimal|Int\()/
    for room in ["Sources/PayloadDecoder", "Sources/HealthPayload"] {
      let folder = repository.appending(path: room)
      let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path()).filter { $0.hasSuffix(".swift") }
        .map { folder.appending(path: $0) }
      #expect(files.count > 5)
      for file in files {
        for (index, line) in try String(contentsOf: file, encoding: .utf8).split(
          separator: "\n", omittingEmptySubsequences: false
        ).enumerated() {
          #expect(line.firstMatch(of: defaults) == nil, "\(file.lastPathComponent) line \(index + 1)")
        }
      }
    }
    #expect("value ?? 0".firstMatch(of: defaults) != nil && "value ?? \"0\"".firstMatch(of: defaults) != nil)
  }
}
