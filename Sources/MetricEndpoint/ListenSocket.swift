// Whichever of the two modules is built first owns the names of sockets.
internal import CMicroHTTPD
internal import Glibc
internal import MetricDaemon

/// Why nobody can be answered.
public struct EndpointError: Error, Sendable, Equatable {
  /// What happened, where, and what to do.
  public let message: String
}

/// A socket that listens.
struct ListenSocket {
  let descriptor: Int32
  /// Where it listens; the port is never 0.
  let address: ListenAddress

  /// Clients that wait to be accepted.
  private static let backlog: Int32 = 64

  init(_ wanted: ListenAddress) throws(EndpointError) {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = socket(wanted.isVersion6 ? AF_INET6 : AF_INET, Int32(kind), 0)
    guard descriptor >= 0 else { throw EndpointError(wanted, "no socket can be had", errno) }
    var yes: Int32 = 1
    // Connections of a process before this one may still be closing.
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    if wanted.isVersion6 {
      // Without it [::] would take IPv4 too, which nobody asked for.
      setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
    guard ListenSocket.bind(descriptor, to: wanted) == 0, listen(descriptor, ListenSocket.backlog) == 0,
      let port = ListenSocket.port(of: descriptor)
    else {
      let reason = errno
      close(descriptor)
      throw EndpointError(wanted, "it cannot be listened at", reason)
    }
    self.descriptor = descriptor
    address = ListenAddress(bytes: wanted.bytes, port: port)
  }

  private static func bind(_ descriptor: Int32, to wanted: ListenAddress) -> Int32 {
    if wanted.isVersion6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = wanted.port.bigEndian
      withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: wanted.bytes) }
      return bind(descriptor, &address)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = wanted.port.bigEndian
    withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: wanted.bytes) }
    return bind(descriptor, &address)
  }

  private static func bind<Address>(_ descriptor: Int32, _ address: UnsafePointer<Address>) -> Int32 {
    address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
    }
  }

  /// The port stands at the same place in the addresses of both kinds.
  private static func port(of descriptor: Int32) -> UInt16? {
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return status == 0 ? UInt16(bigEndian: address.sin6_port) : nil
  }
}

extension EndpointError {
  init(_ address: ListenAddress, _ what: String, _ reason: Int32) {
    let words = String(cString: strerror(reason))
    self.init(message: "--metrics-listen \(address): \(what): \(words); choose another address or port, or none")
  }
}
