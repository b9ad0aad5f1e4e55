public import FoundationEssentials
public import HealthPayload
internal import Postgres

/// A cell of daily_metric that is not what its evidence amounts to. Holds no health value.
public struct DifferingCell: Sendable, Hashable {
  /// The person.
  public var user: UUID
  /// The metric's name.
  public var metric: String
  /// The local calendar day.
  public var day: LocalDate
  /// The names of the columns that differ, or that the row is missing or should not be there.
  public var finding: String
}

/// What one transaction of a rebuild did.
public struct RebuildBatch: Sendable {
  /// The last day that was compared; nil: the person has no more.
  public var lastDay: LocalDate?
  /// How many days were compared.
  public var days: Int
  /// The cells that differed, and with a repair do not any more.
  public var differing: [DifferingCell]
}

extension StoreSession {
  /// The next person in the order of keys who has evidence or cells; nil: there is none.
  ///
  /// - Parameter user: the one before; nil: from the first on.
  public func nextPerson(after user: UUID?) async throws(StoreError) -> UUID? {
    let doing = "looking for the next user"
    let rows = try await run(Statements.nextPerson, [.uuid(user)], doing)
    return try await storing(doing) { () throws(PostgresError) in try rows.one().optionalUUID("user_id") }
  }

  /// Compares the next days of a person with their evidence, in one transaction that waits for whoever works on them.
  ///
  /// - Parameters:
  ///   - day: the last day before; nil: from the first on.
  ///   - repairing: whether cells that differ are derived again.
  ///   - asOf: the instant that is taken for now.
  public func rebuild(
    _ user: UUID, after day: LocalDate?, days limit: Int = 100, repairing: Bool, asOf: Instant
  ) async throws(StoreError) -> RebuildBatch {
    let doing = "comparing days of user \(user.uuidString.lowercased()) with their evidence"
    let now = Parameter.timestamp(asOf.microseconds)
    return try await transaction { () async throws(StoreError) in
      try await run(Statements.lockPerson, [.uuid(user)], doing)
      let rows = try await run(
        Statements.daysToCompare, [.uuid(user), .date(day?.daysSince1970), .int(Int64(limit)), now], doing)
      let days = try await storing(doing) { () throws(PostgresError) in
        var days: [Int32] = []
        for row in rows { days.append(try row.date("day")) }
        return days
      }
      guard let last = days.last else { return RebuildBatch(lastDay: nil, days: 0, differing: []) }
      let found = try await run(Statements.compareCells, [.uuid(user), .dateArray(days), now], doing)
      let differing = try await storing(doing) { () throws(PostgresError) in try DifferingCell.list(user, found) }
      if repairing, !differing.isEmpty {
        let cells: [Parameter] = [.textArray(differing.map(\.metric)), .dateArray(differing.map(\.day.daysSince1970))]
        try await run(Statements.repairCells, [.uuid(user)] + cells + [now], "repairing cells")
      }
      return RebuildBatch(lastDay: LocalDate(daysSince1970: last), days: days.count, differing: differing)
    }
  }
}

extension DifferingCell {
  fileprivate static func list(_ user: UUID, _ rows: Rows) throws(PostgresError) -> [DifferingCell] {
    var cells: [DifferingCell] = []
    for row in rows {
      cells.append(
        DifferingCell(
          user: user, metric: try row.text("metric"), day: LocalDate(daysSince1970: try row.date("local_date")),
          finding: try row.text("finding")))
    }
    return cells
  }
}
