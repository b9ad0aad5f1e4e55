internal import FoundationEssentials

/// Cuts an export of Apple Health, one XML file of any size, into JSON documents of bounded size.
///
/// Nothing is interpreted: attributes become members, metadata entries a member of their element. What the documents mean is said
/// by the table of the format `apple_export`. Memory does not grow with the file.
public final class ExportSplitter {
  /// Elements of which kinds were read so far.
  public private(set) var taken = 0
  /// How many elements of which types were passed over because the format does not take them.
  public private(set) var passedOver: [String: Int] = [:]

  private let types: Set<String>
  private let largest: Int
  private var reader: XMLReader?
  private var listener: Collector

  /// - Parameters:
  ///   - types: which types of records are wanted.
  ///   - largest: the most elements of one document.
  /// - Throws: if there is no memory.
  public init(types: Set<String>, largest: Int = 2_000) throws(ExportError) {
    self.types = types
    self.largest = largest
    listener = Collector(types)
    reader = try XMLReader(listener)
  }

  /// Reads on; returns the documents that are full by now.
  ///
  /// - Throws: where the file is no XML, or no export.
  public func feed(_ bytes: [UInt8]) throws(ExportError) -> [[UInt8]] {
    try reader?.read(bytes, isLast: false)
    count()
    guard listener.elements.count >= largest else { return [] }
    return try [document()]
  }

  /// Says that the file is over; returns the last document, if it has anything.
  ///
  /// - Throws: where the file is cut off.
  public func finish() throws(ExportError) -> [UInt8]? {
    try reader?.read([], isLast: true)
    count()
    guard listener.isExport else {
      throw ExportError(message: "this is no export of Apple Health: HealthData is missing")
    }
    return listener.elements.isEmpty ? nil : try document()
  }

  private func count() {
    taken += listener.elements.count - listener.counted
    listener.counted = listener.elements.count
    passedOver = listener.passedOver
  }

  private func document() throws(ExportError) -> [UInt8] {
    defer { listener.startOver() }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return Array(try encoder.encode(Document(exported: listener.exported, elements: listener.elements))) } catch {
      throw ExportError(message: "an element cannot be written as JSON")
    }
  }
}

/// A document of the format.
private struct Document: Encodable {
  /// When the person exported it, as written.
  let exported: String?
  let elements: [Element]
}

/// An element of the export that stands for itself.
private struct Element: Encodable {
  let kind: String
  var attributes: [String: String]
  var metadata: [String: String] = [:]
}

/// Gathers elements until somebody takes them.
private final class Collector: XMLListener {
  var elements: [Element] = []
  var counted = 0
  var exported: String?
  var isExport = false
  var passedOver: [String: Int] = [:]
  private let types: Set<String>
  private var open: Element?

  init(_ types: Set<String>) { self.types = types }

  func startOver() {
    elements = []
    counted = 0
  }

  func began(_ name: String, _ attributes: [String: String]) {
    switch name {
    case "HealthData": isExport = true
    case "ExportDate": exported = attributes["value"]
    case "Record":
      guard open == nil, let type = attributes["type"] else { return }
      guard types.contains(type) else {
        passedOver[type, default: 0] += 1
        return
      }
      open = Element(kind: name, attributes: attributes)
    case "Workout", "ActivitySummary":
      if open == nil { open = Element(kind: name, attributes: attributes) }
    case "MetadataEntry":
      if let key = attributes["key"] { open?.metadata[key] = attributes["value"] }
    default: break
    }
  }

  func ended(_ name: String) {
    guard let element = open, element.kind == name else { return }
    elements.append(element)
    open = nil
  }
}
