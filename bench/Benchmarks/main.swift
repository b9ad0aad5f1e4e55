import Foundation

/// Benchmarks by name; each prints a table. Build them with optimisation: `swift run -c release Benchmarks decode`.
let benchmarks: [String: () throws -> Void] = [
  "decode": DecodeBenchmark.run
]

let names = CommandLine.arguments.dropFirst()
guard let name = names.first, names.count == 1, let benchmark = benchmarks[name] else {
  print("usage: Benchmarks \(benchmarks.keys.sorted().joined(separator: " | "))")
  exit(64)
}
try benchmark()
