internal import Foundation
internal import Glibc

/// Starts a program, and hands over exactly three files to it.
///
/// Foundation's `Process` does not notice the end of a program whose own children live on, as those of `pg_ctl` do.
/// The corresponding C function is `posix_spawn`.
struct Spawn {
  var executable: String
  var arguments: [String] = []
  var environment: [String: String] = ProcessInfo.processInfo.environment
  var directory: String = "/"
  var stdin: Int32
  var stdout: Int32
  var stderr: Int32

  /// The number of the new process.
  func start() throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, file) in [stdin, stdout, stderr].enumerated() {
      posix_spawn_file_actions_adddup2(&actions, file, Int32(number))
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    try setSignals(&attributes)
    guard access(executable, X_OK) == 0 else { throw TestSupportError("\(executable) is no program") }
    var pid: pid_t = 0
    // The C library's own way to begin elsewhere is not visible to Swift; env becomes the program.
    let command = ["/usr/bin/env", "-C", directory, executable] + arguments
    let variables = environment.map { "\($0)=\($1)" }
    let error = withCStrings(command) { arguments in
      withCStrings(variables) { posix_spawn(&pid, command[0], &actions, &attributes, arguments, $0) }
    }
    guard error == 0 else { throw TestSupportError("cannot start \(executable): \(String(cString: strerror(error)))") }
    return pid
  }

  /// The program begins with no signal blocked or ignored, whatever the test runner does.
  private func setSignals(_ attributes: inout posix_spawnattr_t) throws {
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    posix_spawnattr_setflags(&attributes, Int16(flags))
  }

  private func withCStrings(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Int32
  ) -> Int32 {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
