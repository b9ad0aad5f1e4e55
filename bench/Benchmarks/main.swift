import Foundation

/// Benchmarks by name; each prints a table. Build them with optimisation: `swift run -c release Benchmarks decode`.
let benchmarks: [String: @Sendable (_ json: String?) async throws -> Void] = [
  "bound": { try await BoundBenchmark.run(json: $0) },
  "claim": { _ in try await ClaimBenchmark.run() },
  "decode": { _ in try DecodeBenchmark.run() },
  "drain": { _ in try await DrainBenchmark.run() },
  "recheck": { _ in try await RecheckBenchmark.run() },
  "fairness": { _ in try await FairnessBenchmark.run() },
  "readers": { _ in try await ReadersBenchmark.run() },
]

var names = Array(CommandLine.arguments.dropFirst())
var json: String?
if let option = names.firstIndex(of: "--json"), option + 1 < names.count {
  json = names[option + 1]
  names.removeSubrange(option...option + 1)
}
guard names.allSatisfy({ benchmarks[$0] != nil }) else {
  print("usage: Benchmarks [--json FILE] [\(benchmarks.keys.sorted().joined(separator: " | "))]...")
  exit(64)
}
for name in names.isEmpty ? ["decode", "drain", "fairness", "claim", "readers"] : names {
  try await benchmarks[name]?(json)
}
