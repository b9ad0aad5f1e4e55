internal import Foundation
internal import Glibc

/// The server's own programs.
enum PostgresPrograms {
  /// The directory that `POSTGRES_BIN` names, else of the newest server from 15 to 18 that is installed, else that of `pg_config`.
  static func directory() async throws -> URL {
    if let named = ProcessInfo.processInfo.environment["POSTGRES_BIN"] { return URL(filePath: named) }
    let root = URL(filePath: "/usr/lib/postgresql")
    let newest = (15...18).reversed().lazy
      .map { root.appending(path: "\($0)/bin") }
      .first { FileManager.default.isExecutableFile(atPath: $0.appending(path: "initdb").path) }
    if let newest { return newest }
    let config = try await TestSupport.run("/usr/bin/env", ["pg_config", "--bindir"])
    guard config.status == 0 else {
      throw TestSupportError("no PostgreSQL server of version 15 to 18 found; install postgresql-15")
    }
    return URL(filePath: config.stdout.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// A new directory for a server: in memory if there is plenty, where copying a database takes a fifth of the time.
  static func serverDirectory() throws -> URL {
    var memory = statvfs()
    let isRoomy = statvfs("/dev/shm", &memory) == 0 && UInt64(memory.f_bavail) * UInt64(memory.f_frsize) > 4 << 30
    let directory = try TemporaryDirectory.make(in: isRoomy && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
    try handOver(directory)
    return directory
  }

  /// Gives a directory to the account that runs the server, which refuses to be root.
  static func handOver(_ directory: URL) throws {
    guard geteuid() == 0 else { return }
    guard let account = getpwnam("postgres")?.pointee, chown(directory.path, account.pw_uid, account.pw_gid) == 0 else {
      throw TestSupportError("cannot give \(directory.path) to the user postgres (errno \(errno))")
    }
  }

  /// Runs one of the programs as the account of the server.
  static func run(
    _ program: URL, _ arguments: [String], in directory: URL, environment: [String: String] = [:]
  ) async throws {
    let isRoot = geteuid() == 0
    let result = try await TestSupport.run(
      isRoot ? "/usr/sbin/runuser" : program.path,
      isRoot ? ["-u", "postgres", "--", program.path] + arguments : arguments,
      environment: environment.merging(["LC_ALL": "C"]) { $1 }, workingDirectory: directory)
    guard result.status == 0 else {
      throw TestSupportError("\(program.lastPathComponent) failed: \(result.stdout)\(result.stderr)")
    }
  }
}
