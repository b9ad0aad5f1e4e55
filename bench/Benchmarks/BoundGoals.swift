/// What the ways are measured by: ratios within a round, so that what else the machine does is shared.
struct BoundGoals {
  let results: BoundResults

  var all: [Goal] { results.sizes.flatMap { goals(at: $0) } + growth }

  private func goals(at size: Int) -> [Goal] {
    bounds(size) + distances(size) + peers(size) + queues(size) + writes(size)
  }

  private func ratios(
    _ left: String, _ right: String, _ read: BoundBenchmark.Read, _ size: Int, _ value: (Measurement) -> Double
  ) -> [Double] {
    zip(results.all(left, read, size), results.all(right, read, size)).map { value($0) / value($1) }
  }

  private func bounds(_ size: Int) -> [Goal] {
    [BoundBenchmark.Read.new, .changed, .later].map { read in
      Goal(
        "\(size): bound_ratio, \(read.rawValue)", atLeast: 0.8, ratios("bound", "daemon", read, size, \.cost.perCell))
    }
  }

  private func distances(_ size: Int) -> [Goal] {
    [
      Goal("\(size): daemon / floor", atMost: 6, ratios("daemon", "floor", .new, size, \.cost.perCell)),
      Goal(
        "\(size): client share of CPU", atMost: 0.12,
        results.all("daemon", .new, size).map { $0.cost.client / ($0.cost.client + $0.cost.server) }),
      Goal(
        beside: "\(size): 2 workers / 1 worker, wall, \(BoundBenchmark.people) payloads",
        ratios("daemon", "daemon, 2 workers", .new, size, \.cost.seconds)),
    ]
  }

  private func peers(_ size: Int) -> [Goal] {
    [("unnest", 1.5), ("executemany", 3), ("rows", 12)].flatMap { name, goal in
      let cpu = ratios("peer \(name)", "daemon", .new, size, \.cost.perCell)
      guard !cpu.isEmpty else { return [Goal]() }
      return [
        Goal("\(size): psycopg \(name) / daemon, CPU", atLeast: goal, cpu),
        Goal(
          "\(size): psycopg \(name) / daemon, wall", atLeast: goal,
          ratios("peer \(name)", "daemon", .new, size, \.cost.seconds)),
      ]
    }
  }

  /// The payloads are the same, so wall by wall is payloads per second by payloads per second. A library that has ten jobs in hand keeps
  /// all cores busy, so the daemon stands beside it with its two workers, as it comes.
  private func queues(_ size: Int) -> [Goal] {
    ["pgqueuer", "procrastinate", "pgmq"].flatMap { name in
      let alone = ratios(name, "daemon", .new, size, \.cost.seconds)
      guard !alone.isEmpty else { return [Goal]() }
      let rates = "daemon / \(name), payloads per second"
      let both = ratios(name, "daemon, 2 workers", .new, size, \.cost.seconds)
      return [
        Goal(beside: "\(size): \(rates), 1 worker", alone),
        // pgmq's SQL is a queue without a worker, so nothing was aimed at.
        name == "pgmq"
          ? Goal(beside: "\(size): \(rates), 2 workers", both)
          : Goal("\(size): \(rates), 2 workers", atLeast: 10, both),
        Goal(beside: "\(size): \(name) / daemon, CPU", ratios(name, "daemon", .new, size, \.cost.perCell)),
      ]
    }
  }

  private func writes(_ size: Int) -> [Goal] {
    let identical = results.all("daemon", .identical, size).map { Double($0.writes.rows) }
    let later = results.all("daemon", .later, size).map(\.writes)
    let again = results.all("daemon", .again, size).map(\.writes)
    return [
      Goal("\(size): identical payload, rows written outside intake", atMost: 0, identical),
      Goal("\(size): same values later, rows of daily_metric", atMost: 0, later.map { Double($0.cells) }),
      Goal(
        "\(size): same values later, HOT share in reading", atLeast: 0.9,
        later.map { share($0.readingsUpdatedHot, of: $0.readingsUpdated) }),
      Goal(
        "\(size): repeated changes, HOT share in reading", atLeast: 0.5,
        again.map { share($0.readingsUpdatedHot, of: $0.readingsUpdated) }),
      Goal(
        "\(size): repeated changes, HOT share in daily_metric", atLeast: 0.5,
        again.map { share($0.cellsUpdatedHot, of: $0.cellsUpdated) }),
    ]
  }

  private func share(_ part: Int, of whole: Int) -> Double { Double(part) / Double(whole) }

  /// Of the greatest size to the smallest.
  private var growth: [Goal] {
    guard let least = results.sizes.first, let most = results.sizes.last, least < most else { return [] }
    let pairs = zip(results.all("daemon", .new, most), results.all("daemon", .new, least))
    let growth = pairs.map { $0.cost.perCell / $1.cost.perCell }
    return [Goal("cost per cell at \(most) / at \(least)", atMost: 1.5, growth)]
  }
}
