/// Lists of sources that were read before. Most entries of a payload name the same few, so that they can share one list.
struct SourceLists {
  private var recent: [(range: Range<Int>, sources: [String])] = []
  private var next = 0

  /// The list whose text is the same, byte by byte, or nil.
  func find(_ range: Range<Int>, in bytes: Span<UInt8>) -> [String]? {
    // By index, because a loop over the elements would copy each list.
    for index in recent.indices where isEqual(recent[index].range, range, in: bytes) { return recent[index].sources }
    return nil
  }

  /// Which of these lists stands at a place, and where it ends: JSON that begins with the same bytes ends where they end. The
  /// text before has shown that they are an array, at the same depth.
  func list(at place: Int, in bytes: Span<UInt8>) -> (index: Int, end: Int)? {
    for index in recent.indices {
      let other = recent[index].range
      let end = place &+ other.count
      if end <= bytes.count, isEqual(other, place..<end, in: bytes) { return (index, end) }
    }
    return nil
  }

  /// A list by its index.
  subscript(index: Int) -> [String] { recent[index].sources }

  /// Keeps a list, in place of the oldest if there are many.
  mutating func keep(_ sources: [String], at range: Range<Int>) {
    if recent.count < 4 {
      recent.reserveCapacity(4)
      recent.append((range, sources))
    } else {
      recent[next] = (range, sources)
      next = (next + 1) % recent.count
    }
  }

  private func isEqual(_ left: Range<Int>, _ right: Range<Int>, in bytes: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    let raw = bytes.bytes
    var offset = 0
    while offset + 8 <= left.count {
      let leftWord = raw.unsafeLoadUnaligned(fromByteOffset: left.lowerBound + offset, as: UInt64.self)
      let rightWord = raw.unsafeLoadUnaligned(fromByteOffset: right.lowerBound + offset, as: UInt64.self)
      if leftWord != rightWord { return false }
      offset += 8
    }
    while offset < left.count {
      if bytes[left.lowerBound + offset] != bytes[right.lowerBound + offset] { return false }
      offset += 1
    }
    return true
  }
}
