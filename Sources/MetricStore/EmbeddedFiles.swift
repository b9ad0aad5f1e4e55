internal import CMigrations

/// A file of the repository that travels inside the binary.
public struct EmbeddedFile: Sendable {
  /// Path below the repository's root, such as `migrations/0001_catalogue.sql`.
  public let name: String
  /// The file's bytes.
  public let bytes: [UInt8]

  /// The bytes as text. The files are UTF-8; a test compares them with the folder.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Every embedded file, in the order in which the migrator applies them.
  public static let all: [EmbeddedFile] = {
    var files: [EmbeddedFile] = []
    while let file = embedded_file(files.count) {
      let bytes = UnsafeBufferPointer(start: file.pointee.bytes, count: file.pointee.length)
      files.append(EmbeddedFile(name: String(cString: file.pointee.name), bytes: Array(bytes)))
    }
    return files
  }()

  /// The file of that name.
  ///
  /// - Throws: `schema` if this build has no such file.
  public static func named(_ name: String) throws(StoreError) -> EmbeddedFile {
    guard let file = all.first(where: { $0.name == name }) else {
      throw StoreError(.schema, "This build has no file \(name); build it again from a complete checkout.")
    }
    return file
  }

  /// Tables: applied once each, never changed after a release.
  static var migrations: [EmbeddedFile] {
    all.filter { $0.name.hasPrefix("migrations/0") }
  }

  /// Functions and views: applied as a whole at each migrate.
  static var logic: [EmbeddedFile] {
    all.filter { $0.name.hasPrefix("migrations/logic/") }
  }

  /// Whether daemons of the schema before may go on working with it: the file's first line says so.
  var isCompatible: Bool { text.hasPrefix("-- compatible: yes") }
}
