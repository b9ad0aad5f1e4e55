internal import Foundation
internal import Glibc
internal import Synchronization

/// A network between a program and a server that loses what it is told to lose.
///
/// It is a socket in a directory of its own, for `PGHOST`, and a thread that carries bytes to the server's socket and back.
public final class Network: Sendable {
  /// What happens to bytes.
  public enum Mode: Sendable, Equatable {
    /// They arrive. Connections that have lost something are reset.
    case pass
    /// They arrive, each piece after so many milliseconds, one after the other.
    case slow(milliseconds: UInt32)
    /// They vanish in both directions, and with them the end of a connection.
    case swallow
    /// Requests arrive, answers vanish.
    case swallowAnswers
  }

  /// How a COMMIT or the answer to it is lost. The client cannot tell one from the other.
  public enum Loss: Sendable {
    /// The server has committed; the connection stays and is silent from then on.
    case silence
    /// The server has committed; the connection ends.
    case cut
    /// The connection ends before the server hears of the COMMIT.
    case cutBefore
  }

  /// The directory of the socket.
  public let host: String
  private let orders = Orders()

  /// A network in front of a server, which loses nothing at first.
  public init(before cluster: ThrowawayCluster) throws {
    let directory = try temporaryDirectory()
    let name = ".s.PGSQL.\(cluster.port)"
    let listener = try UnixSocket.listen(at: directory.appending(path: name).path)
    host = directory.path
    let (orders, server) = (orders, "\(cluster.host)/\(name)")
    Thread.detachNewThread {
      var carrier = Carrier(listener: listener, server: server, orders: orders)
      while !orders.haveEnded { carrier.step() }
      carrier.end()
    }
  }

  deinit { orders.end() }

  /// Changes what happens from now on.
  public func set(_ mode: Mode) { orders.set(mode) }

  /// Loses the next COMMIT, or the answer to it, and all that follows on its connection.
  public func loseNextCommit(by loss: Loss) { orders.set(loss) }

  /// How many COMMITs, or answers to them, were lost.
  public var commitsLost: Int { orders.commitsLost }
}

/// What the test has asked for, and the thread has done.
private final class Orders: Sendable {
  private struct State {
    var mode = Network.Mode.pass
    var loss: Network.Loss?
    var commitsLost = 0
    var haveEnded = false
  }

  private let state = Mutex(State())

  var mode: Network.Mode { state.withLock { $0.mode } }
  var commitsLost: Int { state.withLock { $0.commitsLost } }
  var haveEnded: Bool { state.withLock { $0.haveEnded } }

  func set(_ mode: Network.Mode) { state.withLock { $0.mode = mode } }
  func set(_ loss: Network.Loss) { state.withLock { $0.loss = loss } }
  func end() { state.withLock { $0.haveEnded = true } }

  /// How to lose the COMMIT at hand, or the answer to it; nil: not at all.
  func takeLoss(ofRequest isRequest: Bool) -> Network.Loss? {
    state.withLock { state in
      guard let loss = state.loss, (loss == .cutBefore) == isRequest else { return nil }
      (state.loss, state.commitsLost) = (nil, state.commitsLost + 1)
      return loss
    }
  }
}

/// The thread's own part: the connections.
private struct Carrier {
  private struct Pair {
    enum Fate {
      case whole
      /// It has lost something, and is reset when the network is back.
      case broken
      /// It carries nothing any more.
      case silenced
      case over
    }

    let client: Int32
    let server: Int32
    var fate = Fate.whole
    /// An end of it has gone without the other's knowing: nobody listens to it any more.
    var isDeaf = false
    /// What the client calls its prepared COMMIT.
    var commit: [UInt8]?

    /// Whether a request asks for a COMMIT. Learns the statement's name when it is prepared.
    mutating func isCommit(_ request: ArraySlice<UInt8>) -> Bool {
      if let text = request.firstRange(of: Carrier.prepared) {
        // Before it stands the length of the message, whose bytes are no letters or digits.
        let name = request[..<text.lowerBound].reversed().prefix { isalnum(Int32($0)) != 0 }
        commit = [0] + name.reversed() + [0]
      }
      return commit.map { request.contains($0) } ?? false
    }
  }

  /// The text of a prepared COMMIT, after its name.
  private static let prepared = Array("\0COMMIT\0".utf8)

  /// CommandComplete of COMMIT.
  private static let committed: [UInt8] = [67, 0, 0, 0, 11] + Array("COMMIT\0".utf8)

  let listener: Int32
  let server: String
  let orders: Orders
  private var pairs: [Pair] = []

  init(listener: Int32, server: String, orders: Orders) {
    self.listener = listener
    self.server = server
    self.orders = orders
  }

  /// Carries what there is, or waits for it for a moment.
  mutating func step() {
    let mode = orders.mode
    if mode == .pass { for index in pairs.indices where pairs[index].fate == .broken { pairs[index].fate = .over } }
    closeThoseThatAreOver()
    var descriptors = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
    for pair in pairs {
      // A negative descriptor is passed over.
      for end in [pair.client, pair.server] {
        descriptors.append(pollfd(fd: pair.isDeaf ? -1 : end, events: Int16(POLLIN), revents: 0))
      }
    }
    guard poll(&descriptors, nfds_t(descriptors.count), 5) > 0 else { return }
    for index in pairs.indices {
      if descriptors[1 + 2 * index].revents != 0 { carry(index, isRequest: true, mode) }
      if descriptors[2 + 2 * index].revents != 0 { carry(index, isRequest: false, mode) }
    }
    if descriptors[0].revents != 0 { accept() }
  }

  mutating func end() {
    for index in pairs.indices { pairs[index].fate = .over }
    closeThoseThatAreOver()
    close(listener)
  }

  private mutating func accept() {
    let client = Glibc.accept(listener, nil, nil)
    guard client >= 0 else { return }
    guard let server = UnixSocket.connect(to: server) else {
      close(client)
      return
    }
    pairs.append(Pair(client: client, server: server))
  }

  private mutating func carry(_ index: Int, isRequest: Bool, _ mode: Network.Mode) {
    let pair = pairs[index]
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(isRequest ? pair.client : pair.server, &buffer, buffer.count)
    if pair.fate == .silenced && count > 0 { return }
    if case .slow(let milliseconds) = mode { usleep(milliseconds * 1000) }
    if mode == .swallow || (mode == .swallowAnswers && !isRequest) || (mode == .swallowAnswers && count <= 0) {
      pairs[index].fate = .broken
      pairs[index].isDeaf = count <= 0
      return
    }
    guard count > 0 else {
      pairs[index].fate = .over
      return
    }
    let bytes = buffer[..<count]
    let isCommit = isRequest ? pairs[index].isCommit(bytes) : bytes.contains(Self.committed)
    if isCommit, let loss = orders.takeLoss(ofRequest: isRequest) {
      pairs[index].fate = loss == .silence ? .silenced : .over
      return
    }
    if !UnixSocket.send(bytes, to: isRequest ? pair.server : pair.client) { pairs[index].fate = .over }
  }

  private mutating func closeThoseThatAreOver() {
    for pair in pairs where pair.fate == .over {
      close(pair.client)
      close(pair.server)
    }
    pairs.removeAll { $0.fate == .over }
  }
}

private enum UnixSocket {
  static func listen(at path: String) throws -> Int32 {
    let listener = stream()
    guard withAddress(path, { bind(listener, $0, $1) }) == 0, Glibc.listen(listener, 32) == 0 else {
      throw TestSupportError("cannot listen at \(path) (errno \(errno))")
    }
    return listener
  }

  static func connect(to path: String) -> Int32? {
    let socket = stream()
    guard withAddress(path, { Glibc.connect(socket, $0, $1) }) == 0 else {
      close(socket)
      return nil
    }
    return socket
  }

  static func send(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = Glibc.send(socket, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }
  }

  private static func stream() -> Int32 { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }

  private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
