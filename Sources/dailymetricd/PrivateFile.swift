import Foundation
import Glibc

/// A file that holds health values: whatever the umask, nobody but its owner may read it.
enum PrivateFile {
  /// Writes it anew beside its place and puts it there when it is whole. What is there and no file, such as /dev/null, is written to.
  static func write(_ bytes: Data, to path: String) throws(Failure) {
    var entry = stat()
    if stat(path, &entry) == 0, entry.st_mode & S_IFMT != S_IFREG, entry.st_mode & S_IFMT != S_IFDIR {
      do { try FileHandle(forWritingTo: URL(filePath: path)).write(contentsOf: bytes) } catch {
        throw failure(path, error.localizedDescription)
      }
      return
    }
    // Where a link leads, so that it stays one.
    let place = URL(filePath: path).resolvingSymlinksInPath().path
    // mkstemp makes it with mode 0600.
    var name = Array("\(place).XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw failure(path, String(cString: strerror(errno))) }
    do {
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try file.write(contentsOf: bytes)
      try file.close()
    } catch {
      unlink(name)
      throw failure(path, error.localizedDescription)
    }
    guard rename(name, place) == 0 else {
      let reason = String(cString: strerror(errno))
      unlink(name)
      throw failure(path, reason)
    }
  }

  private static func failure(_ path: String, _ reason: String) -> Failure {
    Failure(code: .cannotCreate, message: "\(path) cannot be written: \(reason)")
  }
}
