/// One kind of entries of all payloads of a statement, column by column. The entries stay where they are: one payload may
/// have 200,000.
struct NumberedEntries<Entry> {
  private let blocks: [[Entry]]
  let count: Int

  /// - Parameter blocks: the entries of each payload.
  init(_ blocks: [[Entry]]) {
    self.blocks = blocks
    count = blocks.reduce(0) { $0 + $1.count }
  }

  var isEmpty: Bool { count == 0 }

  /// The number of each entry's payload, from 1.
  var numbers: [Int32?] {
    var numbers: [Int32?] = []
    numbers.reserveCapacity(count)
    for (index, block) in blocks.enumerated() {
      numbers.append(contentsOf: repeatElement(Int32?(Int32(index + 1)), count: block.count))
    }
    return numbers
  }

  /// A value of each entry.
  func column<Value, Failure>(_ value: (Entry) throws(Failure) -> Value) throws(Failure) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    for block in blocks {
      // By span, which lends each entry where it is: a loop over the array would copy all of it for each column.
      let entries = block.span
      for index in entries.indices { values.append(try value(entries[index])) }
    }
    return values
  }
}
