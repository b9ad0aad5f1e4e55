public import Foundation
internal import Glibc

/// A control group whose processes may have so much memory together; who wants more is killed by the kernel. Only root may make one.
public final class MemoryLimit: Sendable {
  private let directory: URL
  private let isOfFirstVersion: Bool

  /// Whether this process may make one.
  public static let canBeHad: Bool = {
    guard geteuid() == 0 else { return false }
    do {
      _ = try MemoryLimit(megabytes: 100)
      return true
    } catch {
      return false
    }
  }()

  /// A group without processes. Nothing is swapped out.
  public init(megabytes: Int) throws {
    let first = URL(filePath: "/sys/fs/cgroup/memory")
    isOfFirstVersion = FileManager.default.fileExists(atPath: first.path)
    directory = (isOfFirstVersion ? first : URL(filePath: "/sys/fs/cgroup"))
      .appending(path: "dailymetricd-test-\(getpid())-\(UInt32.random(in: 0 ... .max))")
    guard mkdir(directory.path, 0o755) == 0 else {
      throw TestSupportError("no group at \(directory.path) (errno \(errno)); only root may make one")
    }
    try Watchdog.shared.get().atEnd("rmdir '\(directory.path)' 2>/dev/null || true")
    try write(to: isOfFirstVersion ? "memory.swappiness" : "memory.swap.max", "0")
    try set(megabytes: megabytes)
  }

  deinit { rmdir(directory.path) }

  /// How much the processes may have together from now on.
  public func set(megabytes: Int) throws {
    let bytes = String(megabytes << 20)
    try write(to: isOfFirstVersion ? "memory.limit_in_bytes" : "memory.max", bytes)
  }

  /// Puts a process into the group. What it starts from then on is in it too.
  public func admit(_ process: pid_t) throws { try write(to: "cgroup.procs", String(process)) }

  /// A program and its first arguments, which starts another one within the group.
  public var launcher: [String] {
    ["/bin/sh", "-c", "echo $$ > '\(directory.appending(path: "cgroup.procs").path)' && exec \"$0\" \"$@\""]
  }

  /// How many megabytes the group has now.
  public func megabytesUsed() throws -> Int {
    let name = isOfFirstVersion ? "memory.usage_in_bytes" : "memory.current"
    guard let bytes = Int(try read(name).split(separator: "\n").joined()) else {
      throw TestSupportError("\(name) holds no number")
    }
    return bytes >> 20
  }

  /// How many processes the kernel has killed for want of memory.
  public func kills() throws -> Int {
    let lines = try read(isOfFirstVersion ? "memory.oom_control" : "memory.events").split(separator: "\n")
    guard let number = lines.first(where: { $0.hasPrefix("oom_kill ") }).flatMap({ Int($0.dropFirst(9)) }) else {
      throw TestSupportError("the kernel does not count whom it kills")
    }
    return number
  }

  private func read(_ name: String) throws -> String {
    try String(contentsOf: directory.appending(path: name), encoding: .utf8)
  }

  private func write(to name: String, _ text: String) throws {
    let file = open(directory.appending(path: name).path, O_WRONLY)
    guard file >= 0 else { throw TestSupportError("no \(name) in the group (errno \(errno))") }
    defer { close(file) }
    guard Glibc.write(file, text, text.utf8.count) == text.utf8.count else {
      throw TestSupportError("\(name) does not take \(text) (errno \(errno))")
    }
  }
}
