internal import CMicroHTTPD
internal import Glibc

/// What somebody asks for. Bodies are not taken.
struct Request: Sendable, Equatable {
  /// Such as GET.
  let method: String
  /// Without what follows a question mark.
  let path: String
  /// The header Accept; nil: anything.
  let accept: String?
  /// Whether something is sent along.
  let hasBody: Bool
}

/// What is said to it.
struct Answer: Sendable, Equatable {
  var status: UInt32
  var type = "text/plain; charset=utf-8"
  var text: String
  /// Further headers.
  var headers: [String: String] = [:]
}

/// Limits of what clients may take up.
struct ServerLimits: Sendable {
  /// At the same time; others wait to be accepted.
  var connections: UInt32 = 16
  /// Bytes that a connection may hold; a longer head is refused.
  var bytes = 16_384
  /// From the first byte to the last; then the connection is cut, however busily it trickles.
  var lifetime = Duration.seconds(5)
}

/// Answers one request per connection, on one thread of its own. No client keeps the thread waiting: reading and writing
/// go on when they can, and whoever is slow is cut off after `lifetime`.
final class HTTPServer: Sendable {
  /// The thread ends when nobody holds it any more.
  private let wakeUp: Int32

  /// Takes over the socket. `answer` is called on the server's thread and must not wait.
  init(
    _ socket: ListenSocket, limits: ServerLimits = ServerLimits(), answer: @escaping @Sendable (Request) -> Answer
  ) throws(EndpointError) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
      let reason = errno
      close(socket.descriptor)
      throw EndpointError(socket.address, "no socket can be had", reason)
    }
    let loop = ServerLoop(limits: limits, until: ends[0], answer: answer)
    guard loop.start(socket.descriptor) else {
      close(ends[1])
      throw EndpointError(socket.address, "nobody can be answered there", ENOMEM)
    }
    wakeUp = ends[1]
  }

  /// Ends the thread and all connections, in a moment.
  deinit { close(wakeUp) }
}

/// The thread's own part. Everything happens inside `run`.
private final class ServerLoop {
  private struct Guest {
    let socket: Int32
    let cutAt: ContinuousClock.Instant
  }

  private let limits: ServerLimits
  private let answer: @Sendable (Request) -> Answer
  /// Readable when the server's owner has let go of it.
  private let end: Int32
  /// The library's way to this object; it must stay where it is.
  private let host: UnsafeMutablePointer<http_host>
  private var server: OpaquePointer?
  private var guests: [OpaquePointer: Guest] = [:]

  /// Runs until `end` is closed at its other side.
  init(limits: ServerLimits, until end: Int32, answer: @escaping @Sendable (Request) -> Answer) {
    self.limits = limits
    self.end = end
    self.answer = answer
    host = .allocate(capacity: 1)
    host.initialize(to: http_host())
    host.pointee.context = Unmanaged.passUnretained(self).toOpaque()
    host.pointee.answer = { context, connection, method, path in
      guard let connection, let method, let path else { return }
      ServerLoop.of(context)?.respond(connection, method: String(cString: method), path: String(cString: path))
    }
    host.pointee.came = { context, connection, socket in
      guard let connection else { return }
      ServerLoop.of(context)?.welcome(connection, socket)
    }
    host.pointee.left = { context, connection in
      guard let connection else { return }
      ServerLoop.of(context)?.guests[connection] = nil
    }
  }

  deinit {
    close(end)
    host.deallocate()
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> ServerLoop? {
    context.map { Unmanaged<ServerLoop>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Goes on on a thread of its own, which nobody waits for, and takes over the socket. False: nothing happened, and the
  /// socket is closed.
  func start(_ socket: Int32) -> Bool {
    let silence = UInt32(max(1, limits.lifetime.components.seconds))
    let bounds = http_limits(
      connections: limits.connections, bytes_per_connection: limits.bytes, seconds_of_silence: silence)
    server = http_start(socket, bounds, host)
    guard let server else {
      close(socket)
      return false
    }
    let myself = Unmanaged.passRetained(self)
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { myself in
        if let myself { Unmanaged<ServerLoop>.fromOpaque(myself).takeRetainedValue().run() }
        return nil
      }, myself.toOpaque())
    guard status == 0 else {
      MHD_stop_daemon(server)
      myself.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  private func run() {
    guard let server else { return }
    var descriptors = [
      pollfd(fd: http_descriptor(server), events: Int16(POLLIN), revents: 0),
      pollfd(fd: end, events: Int16(POLLIN), revents: 0),
    ]
    while descriptors[1].revents == 0 {
      // Without guests there is nothing to wait for but the next one.
      _ = poll(&descriptors, 2, guests.isEmpty ? -1 : http_patience(server, 200))
      advance(server)
      cutOff(at: .now)
    }
    MHD_stop_daemon(server)
  }

  /// Where all places were taken the library does not listen; of a place that has become free only the next run takes notice.
  private func advance(_ server: OpaquePointer) {
    var before: Int
    repeat {
      before = guests.count
      MHD_run(server)
    } while guests.count < before
  }

  private func welcome(_ connection: OpaquePointer, _ socket: Int32) {
    guests[connection] = Guest(socket: socket, cutAt: .now + limits.lifetime)
  }

  /// The library gives up who is silent; whoever trickles is our business.
  private func cutOff(at now: ContinuousClock.Instant) {
    for guest in guests.values where guest.cutAt <= now { shutdown(guest.socket, Int32(SHUT_RDWR)) }
  }

  private func respond(_ connection: OpaquePointer, method: String, path: String) {
    func header(_ name: String) -> String? { http_header(connection, name).map { String(cString: $0) } }
    let length = header("Content-Length")
    let request = Request(
      method: method, path: path, accept: header("Accept"),
      hasBody: header("Transfer-Encoding") != nil || (length != nil && length != "0"))
    let answer = answer(request)
    let bytes = Array(answer.text.utf8)
    guard let response = http_response(bytes, bytes.count) else { return }
    // One request each: who keeps connections would keep others out.
    let headers = answer.headers.merging(["Content-Type": answer.type, "Connection": "close"]) { $1 }
    for (name, value) in headers { MHD_add_response_header(response, name, value) }
    http_reply(connection, answer.status, response)
  }
}
