internal import Synchronization

/// Says once, to everyone who waits for it, that the work is to end.
///
/// It is no task cancellation: a cancelled task would give up a query half-way, a stop request lets it finish.
public final class StopRequest: Sendable {
  private struct State {
    var isRequested = false
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var lastWaiter = 0
  }

  private let state = Mutex(State())

  /// A request that nobody has made yet.
  public init() {}

  /// Whether the work is to end.
  public var isRequested: Bool { state.withLock { $0.isRequested } }

  /// Asks for the end; asking again changes nothing.
  public func request() {
    let waiters = state.withLock { state in
      state.isRequested = true
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in waiters.values { waiter.resume() }
  }

  /// Returns when the end is asked for, or when the waiting task is cancelled.
  public func wait() async {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          // Both are looked at under the lock: a request or a cancellation that comes later finds the waiter in the list.
          if state.isRequested || Task.isCancelled { return true }
          state.waiters[number] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
    }
  }

  /// Runs `operation`, but cancels it as soon as the end is asked for; nil means that this happened.
  @discardableResult
  func interrupt<Value: Sendable>(_ operation: @escaping @Sendable () async -> Value) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
      group.addTask { await operation() }
      group.addTask {
        await self.wait()
        return nil
      }
      let first = await group.next()
      group.cancelAll()
      return first.flatMap { $0 }
    }
  }

  /// Sleeps for `duration`, or less if the end is asked for.
  func sleep(for duration: Duration) async {
    await interrupt {
      do { try await Task.sleep(for: duration) } catch
      { /* The end was asked for: that is what the sleep waits for, too. */  }
    }
  }
}

/// Counts how often an operator asked to look at the settings and the catalogue again (SIGHUP).
public final class ReloadRequest: Sendable {
  private let count = Atomic<Int>(0)
  private let observer = Mutex<(@Sendable () -> Void)?>(nil)

  /// A count of zero.
  public init() {}

  /// Runs `body` at each request, on the thread that makes it, before anybody can see that the count has grown.
  func observe(_ body: @escaping @Sendable () -> Void) { observer.withLock { $0 = body } }

  /// Asks once more.
  public func request() {
    observer.withLock { $0 }?()
    count.add(1, ordering: .releasing)
  }

  /// How often it has been asked for; who remembers a smaller number has something to load.
  public var generation: Int { count.load(ordering: .acquiring) }
}
