internal import Glibc

/// A numeric address of this machine and a port. No names: what a name means may change behind the check.
public struct ListenAddress: Sendable, Equatable {
  /// The four or sixteen bytes of the address, most significant first.
  public let bytes: [UInt8]
  /// 0: the system chooses one.
  public let port: UInt16

  /// Reads `127.0.0.1:14711` or `[::1]:14711`; nil if it is neither.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
    let host = text[..<colon]
    let bytes =
      host.hasPrefix("[") && host.hasSuffix("]")
      ? ListenAddress.parse(String(host.dropFirst().dropLast()), AF_INET6, count: 16)
      : ListenAddress.parse(String(host), AF_INET, count: 4)
    guard let bytes else { return nil }
    self.init(bytes: bytes, port: port)
  }

  /// An address of four or sixteen bytes.
  public init(bytes: [UInt8], port: UInt16) {
    self.bytes = bytes
    self.port = port
  }

  /// Whether it is an address of IPv6.
  public var isVersion6: Bool { bytes.count == 16 }

  /// Whether only this machine can reach it: 127.0.0.0/8 or ::1.
  public var isLoopback: Bool { isVersion6 ? bytes == Array(repeating: 0, count: 15) + [1] : bytes.first == 127 }

  private static func parse(_ text: String, _ family: Int32, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }
}

extension ListenAddress: CustomStringConvertible {
  /// As it is written in the setting.
  public var description: String {
    var bytes = bytes
    var text = [CChar](repeating: 0, count: 64)
    inet_ntop(isVersion6 ? AF_INET6 : AF_INET, &bytes, &text, socklen_t(text.count))
    let host = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return isVersion6 ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
