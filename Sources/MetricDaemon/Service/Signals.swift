internal import FoundationEssentials
internal import Glibc

/// The signals of a long-running command, taken on the main thread.
///
/// They are blocked before any other thread exists, so that all threads inherit the mask, and fetched with sigwait. An async
/// `main` cannot do this on Linux: it parks the main thread in sigsuspend with an empty mask, and a blocked SIGTERM then kills
/// the process at once.
public struct Signals: Sendable {
  private let stop: StopRequest
  private let reload: ReloadRequest

  /// Blocks SIGTERM, SIGINT and SIGHUP. Call it first thing in `main`.
  public init(stop: StopRequest, reload: ReloadRequest) {
    self.stop = stop
    self.reload = reload
    var set = Signals.set
    pthread_sigmask(SIG_BLOCK, &set, nil)
    // A reader of the log who goes away must not take the service with it.
    signal(SIGPIPE, SIG_IGN)
  }

  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, number) }
    return set
  }

  /// Waits for signals for ever. The first SIGTERM or SIGINT asks for the end, the second one ends the process at once, with
  /// 128 + the signal's number as a shell would report it. Somebody else ends the process when the work is done.
  public func serve() -> Never {
    while true {
      var set = Signals.set
      var number: Int32 = 0
      guard sigwait(&set, &number) == 0 else { continue }
      if number == SIGHUP {
        reload.request()
      } else if stop.isRequested {
        _exit(128 + number)
      } else {
        stop.request()
      }
    }
  }
}
