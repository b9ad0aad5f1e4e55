/// The SQL texts that ask for what pictures show. Readers' functions answer; nothing is computed here.
extension Statements {
  /// $1 person. NULL in both if nothing is held of them.
  static let personSpan =
    "SELECT min(local_date) AS first_day, max(local_date) AS last_day FROM public.daily_metric WHERE user_id = $1"
  /// $1 person.
  static let metricsHeld = """
    SELECT m.metric, m.name, m.noun, m.aggregation, m.intermittent FROM public.metric m
    WHERE EXISTS (SELECT FROM public.daily_metric d WHERE d.user_id = $1 AND d.metric = m.metric) ORDER BY m.metric_id
    """
  /// All of them, whoever has them.
  static let metricNames =
    "SELECT m.metric, m.name, m.noun, m.aggregation, m.intermittent FROM public.metric m ORDER BY m.metric_id"
  /// $1 person, $2 metric, $3 from, $4 to.
  static let metricSeries = """
    SELECT local_date, value, mark, connector, unknown_reason FROM public.metric_series($1, $2, $3, $4) ORDER BY local_date
    """
  /// $1 person, $2 metric.
  static let earliestHeld = "SELECT local_date, label FROM public.earliest_held($1, $2)"
  /// $1 person, $2 metric, $3 from, $4 to.
  static let metricAverage = "SELECT label FROM public.metric_average($1, $2, $3, $4)"
  /// $1 person, $2 from, $3 to: the actions that touch these days.
  static let clientActions = """
    SELECT platform, metric, action, from_date, to_date, message FROM public.client_action
    WHERE user_id = $1 AND from_date <= $3::date AND to_date >= $2::date ORDER BY metric, from_date, platform
    """
  static let reasonMeanings = "SELECT code, meaning FROM public.unknown_reason ORDER BY rank"

  /// Its part of the list of all statements.
  static var pictures: [(name: String, text: String)] {
    [
      ("personSpan", personSpan), ("metricsHeld", metricsHeld), ("metricNames", metricNames),
      ("metricSeries", metricSeries), ("earliestHeld", earliestHeld), ("metricAverage", metricAverage),
      ("clientActions", clientActions), ("reasonMeanings", reasonMeanings),
    ]
  }
}
