internal import Glibc

/// What the process takes up. nil: this machine does not say.
struct ProcessUsage: Sendable {
  /// CPU time, user and system.
  var processorSeconds: Double
  /// In Unix time.
  var startedAt: Double
  var residentBytes: Int?
  var openDescriptors: Int?

  /// Of this process, now.
  static func now(startedAt: Double) -> ProcessUsage {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return ProcessUsage(
      processorSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime), startedAt: startedAt,
      residentBytes: residentBytes(), openDescriptors: openDescriptors())
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }

  /// The second number of statm: pages in memory.
  private static func residentBytes() -> Int? {
    guard let file = fopen("/proc/self/statm", "re") else { return nil }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 128)
    guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
    let words = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
      separator: " ")
    guard words.count > 1, let pages = Int(words[1]) else { return nil }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }

  private static func openDescriptors() -> Int? {
    guard let folder = opendir("/proc/self/fd") else { return nil }
    defer { closedir(folder) }
    var names = 0
    while readdir(folder) != nil { names += 1 }
    // Two dots, and the descriptor of the look itself.
    return names - 3
  }
}
