internal import FoundationEssentials
public import Glibc
internal import HealthPayload

/// Tells systemd how the service is: one datagram per message to the socket named by NOTIFY_SOCKET.
///
/// Written out by hand because it is one system call, and libsystemd would be a dependency of every installation.
public struct ServiceManager: Sendable {
  /// What became of a message.
  public enum Delivery: Sendable, Equatable {
    /// The service manager's socket took it.
    case sent
    /// No service manager asked to be told.
    case disabled
    /// There is one, and it could not be told; the value is errno.
    case failed(Int32)
  }

  /// One assignment of a message.
  public enum Message: Sendable, Equatable {
    /// Start-up, or reading the settings again, is done.
    case ready
    /// The settings are being read again; `ready` follows.
    case reloading
    /// The service is ending.
    case stopping
    /// One line for `systemctl status`.
    case status(String)
    /// The service is alive.
    case watchdog
  }

  private let socketPath: String?

  /// How often systemd wants to hear from the service at the least, or nil if it does not watch it.
  public let watchdogPeriod: Duration?

  /// Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID.
  public init(environment: [String: String], processID: Int32 = getpid()) {
    socketPath = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    let isForUs = environment["WATCHDOG_PID"].map { Int32($0) == processID } ?? true
    if socketPath != nil, isForUs, let text = environment["WATCHDOG_USEC"], let period = Int64(text), period > 0 {
      watchdogPeriod = .microseconds(period)
    } else {
      watchdogPeriod = nil
    }
  }

  /// Sends the messages in one datagram. It never waits: a full socket is a failure, not a reason to stop working.
  @discardableResult
  public func notify(_ messages: Message...) -> Delivery {
    guard let socketPath else { return .disabled }
    let text = messages.map(ServiceManager.line).joined(separator: "\n")
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return .failed(errno) }
    defer { close(descriptor) }
    return ServiceManager.send(text, to: socketPath, through: descriptor)
  }

  static func line(_ message: Message) -> String {
    switch message {
    case .ready: "READY=1"
    case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(monotonicMicroseconds)"
    case .stopping: "STOPPING=1"
    case .status(let text): "STATUS=" + text.replacing("\n", with: " ").onOneLine
    case .watchdog: "WATCHDOG=1"
    }
  }

  /// By this time a manager with Type=notify-reload tells an answer to its own SIGHUP from an earlier one.
  private static var monotonicMicroseconds: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
  }

  private static func send(_ text: String, to path: String, through descriptor: Int32) -> Delivery {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var name = Array(path.utf8)
    // An abstract socket is written with an @ and has a zero byte there.
    let isAbstract = name.first == UInt8(ascii: "@")
    if isAbstract { name[0] = 0 }
    let start = MemoryLayout.offset(of: \sockaddr_un.sun_path)
    guard let start, start + name.count + (isAbstract ? 0 : 1) <= MemoryLayout<sockaddr_un>.size else {
      return .failed(ENAMETOOLONG)
    }
    withUnsafeMutableBytes(of: &address) { bytes in
      for (index, byte) in name.enumerated() { bytes[start + index] = byte }
    }
    // The length says where an abstract name ends; a path has its zero byte inside it.
    let length = socklen_t(start + name.count + (isAbstract ? 0 : 1))
    let payload = Array(text.utf8)
    let sent = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        sendto(descriptor, payload, payload.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), generic, length)
      }
    }
    return sent == payload.count ? .sent : .failed(errno)
  }
}
