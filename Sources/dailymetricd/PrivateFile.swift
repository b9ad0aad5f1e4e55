import FoundationEssentials
import Glibc

/// A file that holds health values: whatever the umask, nobody but its owner may read it.
enum PrivateFile {
  /// Writes it anew beside its place and puts it there when it is whole. What is there and no file, such as /dev/null, is written to.
  static func write(_ bytes: Data, to path: String) throws(Failure) {
    var entry = stat()
    if stat(path, &entry) == 0, entry.st_mode & S_IFMT != S_IFREG, entry.st_mode & S_IFMT != S_IFDIR {
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw failure(path, errno) }
      defer { close(descriptor) }
      if let error = Output.write(bytes, to: descriptor) { throw failure(path, error) }
      return
    }
    // Where a link leads, so that it stays one.
    let place = URL(filePath: path).resolvingSymlinksInPath().path
    // mkstemp makes it with mode 0600.
    var name = Array("\(place).XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw failure(path, errno) }
    var error = Output.write(bytes, to: descriptor)
    if close(descriptor) != 0, error == nil { error = errno }
    if error == nil, rename(name, place) != 0 { error = errno }
    guard let error else { return }
    unlink(name)
    throw failure(path, error)
  }

  private static func failure(_ path: String, _ number: Int32) -> Failure {
    Failure(code: .cannotCreate, message: "\(path) cannot be written: \(String(cString: strerror(number)))")
  }
}

/// Whole texts to open files.
enum Output {
  /// Writes all of it; returns errno if that cannot be done.
  static func write(_ bytes: Data, to descriptor: Int32) -> Int32? {
    var rest = [UInt8](bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return errno }
      rest = rest.dropFirst(count)
    }
    return nil
  }
}
