internal import Glibc

/// Threads outside of every pool, for calls that block.
enum DetachedThread {
  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on a thread of its own, which ends with it.
  ///
  /// Without threads there are no connections, so that a system which has none left ends the process; its service manager
  /// says so and starts it again. The corresponding C function is `pthread_create`.
  static func start(_ body: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let error = pthread_create(
      &thread, nil,
      { pointer in
        if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    guard error == 0 else { fatalError("no thread can be started: \(String(cString: strerror(error)))") }
    pthread_detach(thread)
  }
}
