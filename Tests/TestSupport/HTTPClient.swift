internal import Foundation
internal import Glibc
internal import Synchronization

/// What a server said.
public struct HTTPReply: Sendable {
  /// Such as 200; 0: it said nothing and closed the connection.
  public let status: Int
  /// By name in small letters.
  public let headers: [String: String]
  /// What follows the headers.
  public let body: String

  init(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let lines = parts[0].split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    status = words.count > 1 ? Int(words[1]) ?? -1 : 0
    headers = lines.dropFirst().reduce(into: [:]) { headers, line in
      let pair = line.split(separator: ":", maxSplits: 1)
      guard pair.count == 2 else { return }
      headers[pair[0].lowercased()] = pair[1].trimmingCharacters(in: .whitespaces)
    }
    body = parts.count > 1 ? String(parts[1]) : ""
  }
}

/// A client that says exactly what it is told to, on 127.0.0.1.
public struct HTTPClient: Sendable {
  /// Where the server listens.
  public let port: UInt16

  /// A client of the server at this port.
  public init(port: UInt16) { self.port = port }

  /// Asks for a path.
  public func get(_ path: String, method: String = "GET", headers: [String] = []) throws -> HTTPReply {
    try say(([method + " \(path) HTTP/1.1", "Host: localhost"] + headers).joined(separator: "\r\n") + "\r\n\r\n")
  }

  /// Sends these bytes and reads until the server closes the connection, for at most a minute.
  public func say(_ text: String) throws -> HTTPReply {
    let descriptor = try connect()
    defer { close(descriptor) }
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let bytes = Array(text.utf8)
    // A server that has heard enough may close before the end.
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    var heard: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0 && errno == EAGAIN { throw TestSupportError("the server was silent for a minute") }
      guard count > 0 else { return HTTPReply(heard) }
      heard += buffer[..<count]
    }
  }

  fileprivate func connect() throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      let reason = errno
      close(descriptor)
      throw TestSupportError("nobody listens at port \(port) (errno \(reason))")
    }
    return descriptor
  }
}

/// A client that is never done: it sends its head one letter at a time, and comes back when it is thrown out.
public final class TricklingClient: Sendable {
  private let isOver = Atomic(false)
  private let cuts = Atomic(0)
  private let letters = Atomic(0)

  /// Begins at once.
  public init(port: UInt16) {
    let client = HTTPClient(port: port)
    Thread.detachNewThread { [self] in
      while !isOver.load(ordering: .relaxed) {
        do { try trickle(client) } catch { return }
      }
    }
  }

  /// How often the server has cut it off.
  public var timesCutOff: Int { cuts.load(ordering: .relaxed) }
  /// Letters that it has sent so far.
  public var lettersSent: Int { letters.load(ordering: .relaxed) }

  /// Lets go.
  public func stop() { isOver.store(true, ordering: .relaxed) }

  private func trickle(_ client: HTTPClient) throws {
    let descriptor = try client.connect()
    defer { close(descriptor) }
    var next = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    for letter in "GET /metrics HTTP/1.1\r\nX-Slow: ".utf8 + [UInt8](repeating: 120, count: 1 << 20) {
      var byte = letter
      guard !isOver.load(ordering: .relaxed) else { return }
      guard send(descriptor, &byte, 1, Int32(MSG_NOSIGNAL)) == 1 else { break }
      letters.add(1, ordering: .relaxed)
      // The pause between two letters; the end of the connection ends it sooner.
      next.revents = 0
      if poll(&next, 1, 20) > 0 { break }
    }
    cuts.add(1, ordering: .relaxed)
  }
}

/// Looks again until it is so, for at most a minute; whether it was.
public func eventually(_ isSo: () -> Bool) async -> Bool {
  let deadline = ContinuousClock.now + .seconds(60)
  while !isSo(), ContinuousClock.now < deadline { await Task.yield() }
  return isSo()
}
