import Foundation
import HealthPayload
import PayloadDecoder

/// libFuzzer's own entry; scripts/fuzz.sh links it. SwiftPM names main itself, so that the driver is called by hand.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The decoder under test, with small limits so that each of them is met.
let decoder: PayloadDecoder = {
  do {
    func file(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: "catalogue/\(name)"))) }
    let catalogue = try Catalogue(metricsCSV: file("metrics.csv"), unitsCSV: file("units.csv"))
    return PayloadDecoder(catalogue: catalogue, limits: DecoderLimits(maximumBytes: 1 << 16, depth: 8, entries: 100))
  } catch {
    fatalError("The fuzzer starts in a folder with the catalogue: \(error)")
  }
}()

let arrivedAt = Instant(microseconds: 1_795_000_000_000_000)

/// What must hold for any bytes: an answer, places inside the text, and findings exactly where something is wrong.
func check(_ bytes: [UInt8]) {
  let findings = decoder.validate(bytes, arrivedAt: arrivedAt)
  switch decoder.decode(bytes, queueUser: nil, arrivedAt: arrivedAt) {
  case .payload(let payload):
    precondition(findings.isEmpty == payload.quarantined.isEmpty, "findings and quarantine disagree")
    precondition(
      payload.quarantined.allSatisfy { (0...bytes.count).contains($0.byteRange.upperBound) }, "a place outside")
    precondition(payload.days.allSatisfy { ($0.kind == .value) == ($0.value != nil) }, "a value without a number")
  case .dead: precondition(!findings.isEmpty, "a dead letter without a finding")
  }
  precondition(ContentHash.of(bytes).count == 16, "a fingerprint of another length")
}

var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(
  withUnsafeMutablePointer(to: &arguments) { pointer in
    runFuzzer(&count, pointer) { bytes, count in
      check(Array(UnsafeBufferPointer(start: bytes, count: count)))
      return 0
    }
  })
