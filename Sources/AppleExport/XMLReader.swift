internal import CExpat

/// An XML text that cannot be read to its end.
public struct ExportError: Error, Sendable, Hashable {
  /// What is wrong, and at which line.
  public let message: String
}

/// What a reader of XML is told of.
protocol XMLListener: AnyObject {
  /// An element begins.
  func began(_ name: String, _ attributes: [String: String])
  /// An element ends.
  func ended(_ name: String)
}

/// Reads XML in pieces of any size through expat, which loads no external entities and bounds those of the text itself.
final class XMLReader {
  private let parser: OpaquePointer
  private let listener: any XMLListener

  /// - Throws: if there is no memory.
  init(_ listener: any XMLListener) throws(ExportError) {
    guard let parser = XML_ParserCreate("UTF-8") else { throw ExportError(message: "there is no memory for a parser") }
    self.parser = parser
    self.listener = listener
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser,
      { context, name, attributes in
        guard let reader = XMLReader.of(context), let name, let attributes else { return }
        reader.listener.began(String(cString: name), XMLReader.pairs(attributes))
      },
      { context, name in
        guard let reader = XMLReader.of(context), let name else { return }
        reader.listener.ended(String(cString: name))
      })
  }

  deinit { XML_ParserFree(parser) }

  /// Reads on. The last piece may be empty.
  ///
  /// - Throws: where the text is no XML.
  func read(_ bytes: [UInt8], isLast: Bool) throws(ExportError) {
    let status = bytes.withUnsafeBytes { buffer in
      XML_Parse(parser, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), isLast ? 1 : 0)
    }
    guard status == XML_STATUS_OK else {
      let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "not XML"
      throw ExportError(message: "line \(XML_GetCurrentLineNumber(parser)): \(reason)")
    }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> XMLReader? {
    context.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func pairs(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>) -> [String: String] {
    var pairs: [String: String] = [:]
    var index = 0
    while let name = attributes[index], let value = attributes[index + 1] {
      pairs[String(cString: name)] = String(cString: value)
      index += 2
    }
    return pairs
  }
}
