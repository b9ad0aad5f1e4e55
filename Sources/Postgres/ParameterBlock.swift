/// The bytes of one parameter as libpq takes them, at a place that does not change.
///
/// Unchecked: written by who makes it, and only read after that.
final class ParameterBlock: @unchecked Sendable {
  private let storage: UnsafeMutableRawBufferPointer
  private(set) var count = 0

  /// Room for so many bytes, which must be enough.
  init(room: Int) { storage = .allocate(byteCount: room, alignment: 16) }

  deinit { storage.deallocate() }

  /// The first byte, as C wants it.
  var start: UnsafePointer<CChar>? {
    UnsafeRawPointer(storage.baseAddress)?.assumingMemoryBound(to: CChar.self)
  }

  func append(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) } }

  func append(contentsOf bytes: some Collection<UInt8>) {
    let end = count + bytes.count
    precondition(end <= storage.count, "a parameter is larger than what was reckoned for it")
    UnsafeMutableRawBufferPointer(rebasing: storage[count..<end]).copyBytes(from: bytes)
    count = end
  }

  /// Writes a length that was left open.
  func put(_ length: Int32, at offset: Int) {
    storage.storeBytes(of: length.bigEndian, toByteOffset: offset, as: Int32.self)
  }
}
