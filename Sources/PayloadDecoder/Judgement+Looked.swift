import HealthPayload

extension PayloadReader {
  /// Says of each day of the ranges that it was looked at, and that it was empty where no entry speaks of it.
  ///
  /// Throws where the ranges name more days than a payload may have entries: each of them would become a row.
  mutating func spreadLooked(hidesDenial: Bool) throws(PayloadFault) {
    guard !accepted.ranges.isEmpty else { return }
    let spoken = spokenCells()
    let mentioned = accepted.readableMetrics.union(spoken.map(\.metric)).sorted()
    let last = try lastRanges(mentioned)
    var seen: Set<PayloadCell> = []
    var position = accepted.dayCount + accepted.recordCount
    for (number, range) in accepted.ranges.enumerated() {
      for metric in range.metric.map({ [$0] }) ?? mentioned {
        for day in range.days {
          let cell = PayloadCell(metric: metric, day: day)
          let proven = !hidesDenial || accepted.proof[metric]
          // A day that several ranges name was looked at last by the last of them, and found empty by the first.
          if last[cell] == number { state(cell, .looked, &position, proven) }
          guard seen.insert(cell).inserted, !spoken.contains(cell) else { continue }
          state(cell, .empty, &position, proven)
        }
      }
    }
  }

  /// The number of the last range that names each cell.
  ///
  /// Throws where the ranges name too many: days that are named again count too, because it is the work that is limited.
  private func lastRanges(_ mentioned: [Int]) throws(PayloadFault) -> [PayloadCell: Int] {
    var last: [PayloadCell: Int] = [:]
    var named = entryCount
    for (number, range) in accepted.ranges.enumerated() {
      for metric in range.metric.map({ [$0] }) ?? mentioned {
        for day in range.days {
          named += 1
          guard named <= limits.entries else { throw tooManyDays }
          last[PayloadCell(metric: metric, day: day)] = number
        }
      }
    }
    return last
  }

  /// Cells that the entries of days and records speak of, refused ones among them.
  private func spokenCells() -> Set<PayloadCell> {
    var spoken = accepted.refusedCells
    let metrics = accepted.judgedMetrics + accepted.recordDayMetrics
    for (metric, day) in zip(metrics, accepted.judgedDays) {
      spoken.insert(PayloadCell(metric: metric, day: day.localDate.daysSince1970))
    }
    for (metric, record) in zip(accepted.judgedRecordMetrics, accepted.judgedRecords) {
      spoken.insert(PayloadCell(metric: metric, day: record.localDate.daysSince1970))
    }
    return spoken
  }

  private mutating func state(_ cell: PayloadCell, _ kind: JudgedDay.Kind, _ position: inout Int32, _ proven: Bool) {
    accepted.judgedDays.append(
      JudgedDay(
        metric: tables.facts[cell.metric].id, localDate: LocalDate(daysSince1970: cell.day), position: position,
        kind: kind, proven: proven))
    position += 1
  }

  private var tooManyDays: PayloadFault {
    PayloadFault(
      code: .tooLarge, pointer: "/looked",
      detail: "A payload has at most \(limits.entries) entries, each day of a metric that was looked at among them; "
        + "send it in parts.")
  }
}
