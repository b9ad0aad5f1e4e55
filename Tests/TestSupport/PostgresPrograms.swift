internal import Foundation
internal import Glibc

/// The server's own programs.
enum PostgresPrograms {
  /// The directory of the newest server from 15 to 17 that is installed, else that of `pg_config`.
  static func directory() async throws -> URL {
    let root = URL(filePath: "/usr/lib/postgresql")
    let newest = (15...17).reversed().lazy
      .map { root.appending(path: "\($0)/bin") }
      .first { FileManager.default.isExecutableFile(atPath: $0.appending(path: "initdb").path) }
    if let newest { return newest }
    let config = try await TestSupport.run("/usr/bin/env", ["pg_config", "--bindir"])
    guard config.status == 0 else {
      throw TestSupportError("no PostgreSQL server of version 15 to 17 found; install postgresql-15")
    }
    return URL(filePath: config.stdout.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// Gives a directory to the account that runs the server, which refuses to be root.
  static func handOver(_ directory: URL) throws {
    guard geteuid() == 0 else { return }
    guard let account = getpwnam("postgres")?.pointee, chown(directory.path, account.pw_uid, account.pw_gid) == 0 else {
      throw TestSupportError("cannot give \(directory.path) to the user postgres (errno \(errno))")
    }
  }

  /// Foundation takes a program for ended when nobody holds the socket any more that it leaves open in its child. A server
  /// that `pg_ctl` starts would inherit and hold it for as long as it runs.
  private static let closingDescriptors = """
    for descriptor in /proc/self/fd/*; do
      ((${descriptor##*/} > 2)) && eval "exec ${descriptor##*/}>&-"
    done
    exec "$@"
    """

  /// Runs one of the programs as the account of the server.
  static func run(_ program: URL, _ arguments: [String], in directory: URL) async throws {
    let command = (geteuid() == 0 ? ["/usr/sbin/runuser", "-u", "postgres", "--"] : []) + [program.path] + arguments
    let result = try await TestSupport.run(
      "/bin/bash", ["-c", closingDescriptors, "bash"] + command,
      environment: ["LC_ALL": "C"], workingDirectory: directory)
    guard result.status == 0 else {
      throw TestSupportError("\(program.lastPathComponent) failed: \(result.stdout)\(result.stderr)")
    }
  }
}
