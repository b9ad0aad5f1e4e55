public import Foundation
internal import Glibc
internal import Synchronization

/// A new directory with a short path, as sockets need one. It is removed when this process ends, if not before.
public func temporaryDirectory() throws -> URL {
  let number = TemporaryDirectory.count.add(1, ordering: .relaxed).newValue
  let directory = try TemporaryDirectory.ofProcess.get().appending(path: String(number))
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
  return directory
}

enum TemporaryDirectory {
  /// One for all that this process writes, so that one command removes it.
  fileprivate static let ofProcess = Result { try make(in: "/tmp") }
  fileprivate static let count = Atomic(0)

  /// A new directory directly in `root`, removed when this process ends.
  static func make(in root: String) throws -> URL {
    var template = Array("\(root)/dm-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TestSupportError("no directory in \(root) (errno \(errno))") }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    try Watchdog.shared.get().atEnd("rm -rf '\(path)'")
    return URL(filePath: path)
  }
}
