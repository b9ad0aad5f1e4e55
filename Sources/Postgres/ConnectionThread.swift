internal import Dispatch
internal import Glibc
internal import Synchronization

/// A serial executor that owns one thread.
///
/// libpq calls block: on Swift's cooperative pool six sleeping statements would stop every other task of the process.
/// The thread ends when the executor is released and its queue is empty.
final class ConnectionThread: SerialExecutor {
  private let queue = Queue()

  init() {
    let queue = self.queue
    DetachedThread.start { queue.run() }
  }

  deinit {
    queue.stop()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // The closure keeps the executor alive for the job, even if the job releases the actor that owns it.
    queue.append { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() {
    precondition(isCurrent, "this code must run on the thread of its connection")
  }

  func isIsolatingCurrentContext() -> Bool? {
    isCurrent
  }

  /// Whether the calling code runs on this executor's thread.
  var isCurrent: Bool {
    queue.owner.load(ordering: .relaxed) == pthread_self()
  }

  /// Runs `body` on the thread, for the time before there is an actor.
  func perform<Success: Sendable>(
    _ body: @escaping @Sendable () -> Result<Success, PostgresError>
  ) async throws(PostgresError) -> Success {
    let result = await withCheckedContinuation { continuation in
      queue.append { continuation.resume(returning: body()) }
    }
    return try result.get()
  }
}

extension ConnectionThread {
  /// What the thread has to do; shared by the thread and its executor, so that neither keeps the other alive.
  private final class Queue: Sendable {
    private struct State {
      var work: [@Sendable () -> Void] = []
      var isStopped = false
    }

    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)
    /// The thread that works on the queue; 0, which is no thread, until it has begun.
    let owner = Atomic<pthread_t>(0)

    func append(_ work: @escaping @Sendable () -> Void) {
      state.withLock { $0.work.append(work) }
      arrival.signal()
    }

    func stop() {
      state.withLock { $0.isStopped = true }
      arrival.signal()
    }

    func run() {
      owner.store(pthread_self(), ordering: .relaxed)
      while let work = next() {
        for step in work { step() }
      }
    }

    /// Everything that has arrived, in order; nil once stopped and empty.
    private func next() -> [@Sendable () -> Void]? {
      arrival.wait()
      return state.withLock { state in
        if state.isStopped && state.work.isEmpty { return nil }
        defer { state.work.removeAll() }
        return state.work
      }
    }
  }
}
