public import Foundation
internal import Glibc

/// A disk of a few megabytes for a server, which a test fills and empties. Only root may have one.
public final class SmallDisk: Sendable {
  /// Where it is mounted. It belongs to the account of the server.
  public let directory: URL
  private var ballast: URL { directory.appending(path: "ballast") }

  /// Whether this process may mount one.
  public static let canBeHad: Bool = {
    guard geteuid() == 0 else { return false }
    do {
      _ = try SmallDisk(megabytes: 1)
      return true
    } catch {
      return false
    }
  }()

  /// An empty disk.
  public init(megabytes: Int) throws {
    directory = try PostgresPrograms.serverDirectory()
    try Watchdog.shared.get().atEnd("umount -l '\(directory.path)'")
    guard mount("none", directory.path, "tmpfs", 0, "size=\(megabytes)m,mode=0700") == 0 else {
      throw TestSupportError("no disk at \(directory.path) (errno \(errno)); only root may mount one")
    }
    try PostgresPrograms.handOver(directory)
  }

  deinit { umount2(directory.path, Int32(MNT_DETACH)) }

  /// Leaves no room.
  public func fill() throws {
    let file = open(ballast.path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    guard file >= 0 else { throw TestSupportError("cannot write \(ballast.path) (errno \(errno))") }
    defer { close(file) }
    for size in [1 << 20, 1 << 12] {
      let bytes = [UInt8](repeating: 0, count: size)
      while write(file, bytes, size) > 0 {}
    }
  }

  /// Gives the room back.
  public func relieve() throws { try FileManager.default.removeItem(at: ballast) }
}
