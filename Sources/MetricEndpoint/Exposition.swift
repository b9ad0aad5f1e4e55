/// A metric with all its samples, before it is written in one format or the other.
struct MetricFamily: Sendable, Equatable {
  enum Kind: String, Sendable {
    case counter, gauge, histogram
    /// A constant 1 whose labels say something.
    case info
  }

  struct Sample: Sendable, Equatable {
    var labels: [(name: String, value: String)] = []
    var value: Number

    static func == (left: Sample, right: Sample) -> Bool {
      left.value == right.value && left.labels.elementsEqual(right.labels) { $0 == $1 }
    }
  }

  /// A whole number is written as one: a count has no decimals.
  enum Number: Sendable, Equatable {
    case whole(Int)
    case decimal(Double)
  }

  /// Without the ending that the kind adds (`_total`, `_info`, `_bucket`).
  let name: String
  let kind: Kind
  let help: String
  /// The unit, if the name ends in one.
  var unit: String?
  var samples: [Sample]
  /// Of a histogram: the only samples that it has.
  var histogram: [HistogramSample] = []

  struct HistogramSample: Sendable, Equatable {
    /// Cumulative counts by upper bound; the last one is +Inf.
    var buckets: [(bound: String, count: Int)]
    var sum: Double

    static func == (left: HistogramSample, right: HistogramSample) -> Bool {
      left.sum == right.sum && left.buckets.elementsEqual(right.buckets) { $0 == $1 }
    }
  }
}

/// Writes metrics in the two text formats of Prometheus.
enum Exposition {
  /// One of the formats.
  enum Format: Sendable, Equatable {
    /// 0.0.4, which everything reads.
    case text
    /// OpenMetrics 1.0.0.
    case openMetrics

    var type: String {
      switch self {
      case .text: "text/plain; version=0.0.4; charset=utf-8"
      case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
      }
    }

    /// What a client that sends this header `Accept` wants.
    init(accept: String?) {
      self = accept?.contains("application/openmetrics-text") == true ? .openMetrics : .text
    }
  }

  static func write(_ families: [MetricFamily], as format: Format) -> String {
    var text = ""
    for family in families { write(family, as: format, to: &text) }
    if format == .openMetrics { text += "# EOF\n" }
    return text
  }

  private static func write(_ family: MetricFamily, as format: Format, to text: inout String) {
    let ending =
      switch family.kind {
      case .counter: "_total"
      case .info: "_info"
      case .gauge, .histogram: ""
      }
    // OpenMetrics describes the family, the older format what stands below.
    let described = format == .openMetrics ? family.name : family.name + ending
    let kind = family.kind == .info && format == .text ? "gauge" : family.kind.rawValue
    text += "# HELP \(described) \(escaped(family.help, quotes: format == .openMetrics))\n# TYPE \(described) \(kind)\n"
    if format == .openMetrics, let unit = family.unit { text += "# UNIT \(described) \(unit)\n" }
    for sample in family.samples {
      text += family.name + ending + labels(sample.labels) + " " + number(sample.value) + "\n"
    }
    for histogram in family.histogram {
      for (bound, count) in histogram.buckets { text += "\(family.name)_bucket{le=\"\(bound)\"} \(count)\n" }
      text += "\(family.name)_sum \(number(.decimal(histogram.sum)))\n"
      text += "\(family.name)_count \(histogram.buckets.last.map { String($0.count) } ?? "0")\n"
    }
  }

  private static func labels(_ labels: [(name: String, value: String)]) -> String {
    guard !labels.isEmpty else { return "" }
    return "{" + labels.map { "\($0.name)=\"\(escaped($0.value, quotes: true))\"" }.joined(separator: ",") + "}"
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    let text = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    return quotes ? text.replacing("\"", with: "\\\"") : text
  }

  private static func number(_ number: MetricFamily.Number) -> String {
    switch number {
    case .whole(let whole): String(whole)
    case .decimal(let decimal): String(decimal)
    }
  }
}
