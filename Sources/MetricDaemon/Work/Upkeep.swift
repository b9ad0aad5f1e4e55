internal import MetricStore

/// What a worker does beside its work, for readers and operators. It may fail, and nothing else does.
struct Upkeep: Sendable {
  private static let hour = Duration.seconds(3600)
  private static let day = Duration.seconds(86_400)

  private var monthsPrepared: ContinuousClock.Instant?
  private var resumes: ContinuousClock.Instant?

  /// Once a day. Rows of a month without a partition of its own go to the default one: nothing fails, readers only get
  /// slower. So a role that may not make partitions is worth a line and no more.
  mutating func prepareMonths(_ store: any Store, _ surroundings: Surroundings) async {
    let now = ContinuousClock.now
    if let monthsPrepared, now - monthsPrepared < Upkeep.day { return }
    monthsPrepared = now
    do throws(StoreError) {
      let made = try await store.ensurePartitions(asOf: surroundings.now())
      if made > 0 { surroundings.journal.log(.info, "made partitions for the months ahead", ["count": .count(made)]) }
    } catch {
      surroundings.journal.log(
        .warning, "no partitions for the months ahead; dailymetricd migrate makes them", ["error": .text(error.message)]
      )
    }
  }

  /// One small step: sums a day's coverage, or lets go of old changes of the feed. Without it readers see older sums, which
  /// say how old they are. Returns 0 when there is nothing to do for now.
  mutating func keepUp(_ store: any Store, _ surroundings: Surroundings) async -> Int {
    if let resumes, ContinuousClock.now < resumes { return 0 }
    do throws(StoreError) {
      return try await store.keepUp(asOf: surroundings.now())
    } catch {
      resumes = ContinuousClock.now + Upkeep.hour
      surroundings.journal.log(
        .warning, "coverage is not summed for monitoring; the next try is in an hour", ["error": .text(error.message)])
      return 0
    }
  }
}
