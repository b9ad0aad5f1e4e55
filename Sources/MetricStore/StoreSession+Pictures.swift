public import FoundationEssentials
public import HealthPayload
internal import Postgres

/// A metric as the catalogue describes it to people.
public struct DescribedMetric: Sendable, Hashable {
  /// The name in payloads.
  public var code: String
  /// The name for people.
  public var name: String
  /// Noun or unit for sentences; empty where there is none.
  public var noun: String
  /// Whether a day's value is a sum or a count of what happened on it.
  public var isAdded: Bool
  /// Whether days without an entry are normal.
  public var isIntermittent: Bool
}

/// One calendar day of metric_series. Only a day that is measured has a number.
public struct SeriesRow: Sendable, Hashable {
  /// What is known of the day.
  public enum State: Sendable, Hashable {
    /// Measured, in the metric's unit.
    case value(ExactNumber)
    /// Measured, and zero.
    case zero
    /// Measured before the day was over: a lower bound, in the metric's unit.
    case partial(ExactNumber)
    /// Not known, with the reason's code; nil: there is no row for the day.
    case unknown(reason: String?)
  }

  /// How a day is joined to the known day before it.
  public enum Connector: String, Sendable {
    /// Not at all.
    case none
    /// Both days are known and follow each other.
    case solid
    /// Across days without an entry, which are normal for the metric.
    case dashed
  }

  /// The local calendar day.
  public var date: LocalDate
  /// What is known of it.
  public var state: State
  /// How it is joined to the known day before it.
  public var connector: Connector
}

/// What there is to draw of one metric.
public struct StoredSeries: Sendable {
  /// One row for each calendar day asked for.
  public var rows: [SeriesRow]
  /// The earliest day that is held and why there is nothing before it; nil: none is held.
  public var earliest: (date: LocalDate, label: String)?
  /// The average with its denominator, or that there is no data.
  public var average: String
}

/// What the app of a person could do about days that are unknown.
public struct ClientAction: Sendable, Hashable {
  /// The platform that it is about; nil: none reports the metric.
  public var platform: String?
  /// The metric's name in payloads.
  public var metric: String
  /// The action's code, such as `prompt_for_permission`.
  public var action: String
  /// The first and the last of the days.
  public var days: ClosedRange<LocalDate>
  /// What to tell the person.
  public var message: String
}

extension StoreSession {
  /// The first and the last day of which anything is held of a person; nil: nothing is.
  public func span(of user: UUID) async throws(StoreError) -> ClosedRange<LocalDate>? {
    let doing = "looking for the days of a user"
    let rows = try await run(Statements.personSpan, [.uuid(user)], doing)
    return try await storing(doing) { () throws(PostgresError) in
      let row = try rows.one()
      guard let first = try row.optionalDate("first_day"), let last = try row.optionalDate("last_day") else {
        return nil
      }
      return LocalDate(daysSince1970: first)...LocalDate(daysSince1970: last)
    }
  }

  /// The metrics of which a person has rows, or all that there are.
  ///
  /// - Parameter user: the person; nil: all metrics.
  public func describedMetrics(of user: UUID?) async throws(StoreError) -> [DescribedMetric] {
    let doing = "looking for metrics"
    let rows =
      if let user { try await run(Statements.metricsHeld, [.uuid(user)], doing) } else {
        try await run(Statements.metricNames, [], doing)
      }
    return try await storing(doing) { () throws(PostgresError) in
      var metrics: [DescribedMetric] = []
      for row in rows {
        let aggregation = try row.text("aggregation")
        metrics.append(
          DescribedMetric(
            code: try row.text("metric"), name: try row.text("name"), noun: try row.text("noun"),
            isAdded: aggregation == "sum" || aggregation == "count", isIntermittent: try row.bool("intermittent")))
      }
      return metrics
    }
  }

  /// What each reason for an unknown day means, by its code.
  public func reasonMeanings() async throws(StoreError) -> [String: String] {
    let doing = "reading the reasons"
    let rows = try await run(Statements.reasonMeanings, [], doing)
    return try await storing(doing) { () throws(PostgresError) in
      var meanings: [String: String] = [:]
      for row in rows { meanings[try row.text("code")] = try row.text("meaning") }
      return meanings
    }
  }

  /// The days of one metric of a person, with what explains them. Three round trips.
  public func series(
    of metric: String, user: UUID, days: ClosedRange<LocalDate>
  ) async throws(StoreError) -> StoredSeries {
    let doing = "reading the series of \(metric)"
    let range: [Parameter] = [.date(days.lowerBound.daysSince1970), .date(days.upperBound.daysSince1970)]
    let cell: [Parameter] = [.uuid(user), .text(metric)]
    let series = try await run(Statements.metricSeries, cell + range, doing)
    let earliest = try await run(Statements.earliestHeld, cell, doing)
    let average = try await run(Statements.metricAverage, cell + range, doing)
    return try await storing(doing) { () throws(PostgresError) in
      var found = StoredSeries(rows: [], earliest: nil, average: try average.one().text("label"))
      for row in series { found.rows.append(try SeriesRow(row)) }
      for row in earliest {
        guard let date = try row.optionalDate("local_date") else { continue }
        found.earliest = (LocalDate(daysSince1970: date), try row.text("label"))
      }
      return found
    }
  }

  /// What the person's app could do about unknown days among these, by metric.
  public func clientActions(
    of user: UUID, days: ClosedRange<LocalDate>
  ) async throws(StoreError) -> [ClientAction] {
    let doing = "reading what a client can do"
    let rows = try await run(
      Statements.clientActions,
      [.uuid(user), .date(days.lowerBound.daysSince1970), .date(days.upperBound.daysSince1970)], doing)
    return try await storing(doing) { () throws(PostgresError) in
      var actions: [ClientAction] = []
      for row in rows {
        let first = LocalDate(daysSince1970: try row.date("from_date"))
        let last = LocalDate(daysSince1970: try row.date("to_date"))
        guard first <= last else {
          throw PostgresError(.decoding, "client_action has a stretch that ends before it begins")
        }
        actions.append(
          ClientAction(
            platform: try row.optionalText("platform"), metric: try row.text("metric"), action: try row.text("action"),
            days: first...last, message: try row.text("message")))
      }
      return actions
    }
  }
}

extension SeriesRow {
  /// The errors name columns, never a value.
  fileprivate init(_ row: Row) throws(PostgresError) {
    date = LocalDate(daysSince1970: try row.date("local_date"))
    guard let connector = Connector(rawValue: try row.text("connector")) else {
      throw PostgresError(.decoding, "metric_series has a connector that this build does not know")
    }
    self.connector = connector
    let number = try row.optionalText("value").flatMap { ExactNumber($0) }
    switch (try row.text("mark"), number) {
    case ("value", let number?): state = .value(number)
    case ("partial", let number?): state = .partial(number)
    case ("zero", let number?) where number.isZero: state = .zero
    case ("unknown", nil): state = .unknown(reason: try row.optionalText("unknown_reason"))
    default: throw PostgresError(.decoding, "metric_series has a mark that does not go with its value")
    }
  }
}
