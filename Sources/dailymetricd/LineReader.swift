import Glibc

/// Reads a file or standard input piece by piece, however large it is.
///
/// The reads block their thread. That is fine in a command that has nothing else to do until the bytes are there; the service
/// reads no files.
struct ChunkReader: ~Copyable {
  private static let size = 1 << 18
  private let name: String
  private let descriptor: Int32
  /// How many bytes were read so far.
  private(set) var count = 0

  /// Opens the file; `-` is standard input.
  init(_ name: String) throws(Failure) {
    self.name = name == "-" ? "standard input" : name
    descriptor = name == "-" ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ChunkReader.failure(self.name) }
  }

  deinit { if descriptor > STDIN_FILENO { close(descriptor) } }

  /// The next bytes; none at the end.
  mutating func next() throws(Failure) -> [UInt8] {
    var length = -1
    let bytes = [UInt8](unsafeUninitializedCapacity: ChunkReader.size) { buffer, filled in
      repeat { length = read(descriptor, buffer.baseAddress, ChunkReader.size) } while length < 0 && errno == EINTR
      filled = max(length, 0)
    }
    guard length >= 0 else { throw ChunkReader.failure(name) }
    count += length
    return bytes
  }

  private static func failure(_ name: String) -> Failure {
    Failure(code: .noInput, message: "cannot read \(name): \(String(cString: strerror(errno)))")
  }
}

/// Reads a file or standard input line by line, however large it is.
struct LineReader: ~Copyable {
  struct Line {
    /// From 1.
    let number: Int
    /// Without the line feed, and without a carriage return before it.
    let bytes: [UInt8]

    /// Whether there is nothing but white space.
    var isEmpty: Bool { bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
  }

  private var reader: ChunkReader
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  private var number = 0

  /// Opens the file; `-` is standard input.
  init(_ name: String) throws(Failure) { reader = try ChunkReader(name) }

  /// The next line, or nil at the end. A last line without a line feed is a line.
  mutating func next() throws(Failure) -> Line? {
    var searched = position
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) { return line(upTo: end, skipping: 1) }
      searched = buffer.count
      if isAtEnd { return position < buffer.count ? line(upTo: buffer.count, skipping: 0) : nil }
      searched -= try fill()
    }
  }

  private mutating func line(upTo end: Int, skipping feed: Int) -> Line {
    var bytes = buffer[position..<end]
    if bytes.last == 0x0D { bytes.removeLast() }
    position = end + feed
    number += 1
    return Line(number: number, bytes: Array(bytes))
  }

  /// Reads on; returns by how much the unread bytes moved to the front.
  private mutating func fill() throws(Failure) -> Int {
    let moved = position
    buffer.removeFirst(moved)
    position = 0
    let bytes = try reader.next()
    buffer += bytes
    isAtEnd = bytes.isEmpty
    return moved
  }
}
