import Foundation

/// Benchmarks by name; each prints a table. Build them with optimisation: `swift run -c release Benchmarks decode`.
let benchmarks: [String: @Sendable (_ json: String?) async throws -> Void] = [
  "bound": { _ = try await BoundBenchmark.run(json: $0) },
  "decode": { _ in try DecodeBenchmark.run() },
  "drain": { _ in try await DrainBenchmark.run() },
  "goals": { try await GoalsBenchmark.run(json: $0) },
  "grid": { try await GridBenchmark.run(json: $0) },
  "recheck": { _ in try await RecheckBenchmark.run() },
  "readers": { _ in try await ReadersBenchmark.run() },
]

var names = Array(CommandLine.arguments.dropFirst())
var json: String?
if let option = names.firstIndex(of: "--json"), option + 1 < names.count {
  json = names[option + 1]
  names.removeSubrange(option...option + 1)
}
let known = benchmarks.keys + GoalsBenchmark.parts.map(\.name)
guard names.allSatisfy(known.contains) else {
  print("usage: Benchmarks [--json FILE] [\(Set(known).sorted().joined(separator: " | "))]...")
  exit(64)
}
let asked = names.isEmpty ? ["decode", "drain", "fairness", "claim", "readers"] : names
do {
  for name in asked { try await benchmarks[name]?(json) }
  // Together, so that they end in one table and one file.
  let parts = asked.filter { benchmarks[$0] == nil }
  if !parts.isEmpty { try await GoalsBenchmark.run(parts, json: json) }
} catch {
  FileHandle.standardError.write(Data("Benchmarks: \(error)\n".utf8))
  exit(1)
}
