import Foundation

/// Benchmarks by name; each prints a table. Build them with optimisation: `swift run -c release Benchmarks decode`.
let benchmarks: [String: @Sendable () async throws -> Void] = [
  "claim": { try await ClaimBenchmark.run() },
  "decode": { try DecodeBenchmark.run() },
  "drain": { try await DrainBenchmark.run() },
  "recheck": { try await RecheckBenchmark.run() },
  "fairness": { try await FairnessBenchmark.run() },
  "readers": { try await ReadersBenchmark.run() },
]

let names = CommandLine.arguments.dropFirst()
guard names.allSatisfy({ benchmarks[$0] != nil }) else {
  print("usage: Benchmarks [\(benchmarks.keys.sorted().joined(separator: " | "))]...")
  exit(64)
}
for name in names.isEmpty ? ["decode", "drain", "fairness", "claim", "readers"] : Array(names) {
  try await benchmarks[name]?()
}
