internal import Foundation

/// Programs of Prometheus, installed or unpacked by `scripts/setup.sh`.
public enum PrometheusPrograms {
  /// The path of `promtool` or `prometheus`.
  ///
  /// - Throws: with the line to type, if it is not there.
  public static func path(_ program: String) throws -> String {
    let unpacked = BuiltProducts.packageRoot.appending(path: ".build/prometheus/usr/bin/\(program)").path
    for path in [unpacked, "/usr/bin/\(program)", "/usr/local/bin/\(program)"] {
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw TestSupportError(
      "\(program) is missing; run scripts/setup.sh, or: sudo apt-get install -y --no-install-recommends prometheus")
  }
}
