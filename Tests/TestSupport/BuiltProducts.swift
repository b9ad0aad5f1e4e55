public import Foundation

/// The programs that were built together with the tests.
public enum BuiltProducts {
  /// The folder that the running tests were built into.
  public static var directory: URL {
    URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
  }

  /// The path of a program of this package, such as `dailymetricd`.
  ///
  /// - Throws: if it was not built.
  public static func path(_ program: String) throws -> String {
    let debug = packageRoot.appending(path: ".build/debug")
    for folder in [directory, debug] {
      let path = folder.appending(path: program).path
      if FileManager.default.isExecutableFile(atPath: path) { return path }
    }
    throw TestSupportError("\(program) is not built; run swift build first")
  }

  /// The folder of `Package.swift`.
  public static var packageRoot: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  }
}
