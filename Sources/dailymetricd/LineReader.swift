import Glibc

/// Reads a file or standard input line by line, however large it is.
///
/// The reads block their thread. That is fine in a command that has nothing else to do until the line is there; the service
/// reads no files.
struct LineReader: ~Copyable {
  struct Line {
    /// From 1.
    let number: Int
    /// Without the line feed, and without a carriage return before it.
    let bytes: [UInt8]

    /// Whether there is nothing but white space.
    var isEmpty: Bool { bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
  }

  private static let chunk = 1 << 18
  private let name: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  private var number = 0

  /// Opens the file; `-` is standard input.
  init(_ name: String) throws(Failure) {
    self.name = name == "-" ? "standard input" : name
    descriptor = name == "-" ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw LineReader.failure(self.name) }
  }

  deinit { if descriptor > STDIN_FILENO { close(descriptor) } }

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
    let old = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: LineReader.chunk))
    var count = -1
    repeat {
      count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress.map { $0 + old }, LineReader.chunk) }
    } while count < 0 && errno == EINTR
    guard count >= 0 else { throw LineReader.failure(name) }
    buffer.removeLast(LineReader.chunk - count)
    isAtEnd = count == 0
    return moved
  }

  private static func failure(_ name: String) -> Failure {
    Failure(code: .noInput, message: "cannot read \(name): \(String(cString: strerror(errno)))")
  }
}
