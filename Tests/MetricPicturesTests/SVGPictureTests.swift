import Foundation
import FoundationXML
import HealthPayload
import MetricPictures
import TestSupport
import Testing

@Suite struct SVGPictureTests {
  /// The first and last x of each piece of a path: neighbouring points, in order.
  private static func pieces(_ path: String) throws -> [ClosedRange<Double>] {
    let points = path.split(whereSeparator: { "ML".contains($0) }).compactMap { $0.split(separator: " ").first }
    let xs = try points.map { try #require(Double($0)) }
    return try zip(xs, xs.dropFirst()).map { left, right in
      try #require(left <= right)
      return left...right
    }
  }

  private static func bands(_ svg: String) throws -> [ClosedRange<Double>] {
    try ["gap", "silence"].flatMap { kind in
      try zip(svg.attributes("x", ofClass: kind), svg.attributes("width", ofClass: kind)).compactMap { x, width in
        let (left, length) = (try #require(Double(x)), try #require(Double(width)))
        // The boxes of the legend stand around zero.
        return left < 0 ? nil : left...left + length
      }
    }
  }

  @Test func `no solid line touches an unknown day, whatever the connectors claim`() throws {
    var numbers = SeededNumbers(seed: 7)
    for _ in 0..<30 {
      let series = try Sketch.random(&numbers)
      let svg = SVGPicture(series).document
      let bands = try Self.bands(svg)
      let unknown = series.days.filter { !$0.isKnown }.count
      #expect(bands.isEmpty == (unknown == 0))
      for path in svg.attributes("d", ofClass: "known") {
        for piece in try Self.pieces(path) {
          // Coordinates are rounded to a tenth.
          let crossing = bands.contains {
            piece.lowerBound < $0.upperBound - 0.2 && $0.lowerBound < piece.upperBound - 0.2
          }
          #expect(!crossing, "\(series.days.count) days")
        }
      }
    }
  }

  @Test func `a dashed line is drawn only where gaps are normal`() throws {
    var numbers = SeededNumbers(seed: 8)
    for _ in 0..<20 {
      let series = try Sketch.random(&numbers)
      guard !series.metric.isIntermittent else { continue }
      #expect(!SVGPicture(series).document.contains("class=\"across\""))
    }
    let weight = SVGPicture(try Sketch.series("7..8", of: Sketch.weight)).document
    #expect(weight.attributes("d", ofClass: "across").count == 2, "the line and its legend")
    #expect(weight.attributes("d", ofClass: "known").isEmpty)
  }

  @Test func `each known day has one mark of its kind, each unknown one has none`() throws {
    let svg = SVGPicture(try Sketch.series("5p0n..3")).document
    #expect(svg.attributes("data-date", ofClass: "value") == ["2026-10-21", "2026-10-27"])
    #expect(svg.attributes("data-date", ofClass: "partial") == ["2026-10-22"])
    #expect(svg.attributes("data-date", ofClass: "zero") == ["2026-10-23"])
    #expect(svg.attributes("data-reason", ofClass: "gap") == ["not_yet_synced"])
    #expect(svg.attributes("data-from", ofClass: "silence") == ["2026-10-25"])
    #expect(svg.contains("<polygon class=\"zero\"") && svg.contains("<circle class=\"partial\""))
  }

  @Test func `it tells in words what it shows`() throws {
    let svg = SVGPicture(try Sketch.series("5p0n", earliest: 0, average: "4,000 steps")).document
    #expect(svg.contains("role=\"img\" aria-labelledby=\"steps-title steps-desc\""))
    #expect(svg.contains("<title id=\"steps-title\">steps, 2026-10-21 to 2026-10-24 (4 days)</title>"))
    #expect(
      svg.contains(
        ">4,000 steps. 4 days: 3 measured, 1 of them zero, 1 of them a lower bound; 1 unknown. not_yet_synced, 1 day. "
          + "The earliest day held is 2026-10-21; before it: not imported yet.</desc>"))
  }

  @Test func `the left edge says why there is nothing before the earliest day`() throws {
    let svg = SVGPicture(try Sketch.series("...." + String(repeating: "5", count: 20), earliest: 4)).document
    #expect(svg.contains("\u{25C0} earliest day 2026-10-25 (not imported yet)</text>"))
    #expect(svg.contains("class=\"earliest\""))
  }

  @Test func `words from outside stay words, and the file stays XML`() throws {
    let evil = "</text><script>alert('1')</script> & \"\u{1}\u{FFFF}\u{202E}\u{2066}\u{200F}"
    let words = MetricWords(code: evil, name: evil, noun: evil, beginsAtZero: true, isIntermittent: false)
    let days = try [SeriesDay.State.value(Sketch.amount("1")), .unknown(reason: evil)].enumerated().map {
      SeriesDay(date: Sketch.first.adding(days: Int32($0.offset)), state: $0.element, connector: .none)
    }
    let series = Series(
      metric: words, days: days, earliest: EarliestDay(date: Sketch.first.adding(days: 1), label: evil), average: evil,
      meanings: [evil: evil])
    let svg = SVGPicture(series).document
    #expect(!svg.contains("<script"))
    #expect(XMLParser(data: Data(svg.utf8)).parse())
    let page = ReportPage(
      user: evil, days: Sketch.first...Sketch.first.adding(days: 1),
      chapters: [
        Chapter(
          series: series,
          gaps: [Gap(days: Sketch.first...Sketch.first, platform: evil, action: evil, message: evil)])
      ])
    #expect(!page.html.contains("<script"))
    for text in [svg, page.html] { #expect(!text.unicodeScalars.contains { $0.isCommand && $0 != "\n" }) }
  }

  @Test(arguments: [
    ("0.00001", "0.0000025"), ("0.0000004", "0.0000001"), ("0.4", "0.1"), ("1", "0.25"), ("10", "2.5"), ("8", "2"),
    ("90", "25"),
    ("4000", "1,000"), ("0." + String(repeating: "0", count: 37) + "4", "0." + String(repeating: "0", count: 37) + "1"),
  ])
  func `the labels of an axis tell its ticks apart, and have no more decimals than that takes`(
    _ value: String, _ first: String
  ) throws {
    let day = SeriesDay(date: Sketch.first, state: .value(try Sketch.amount(value)), connector: .none)
    let series = Series(metric: Sketch.steps, days: [day], earliest: nil, average: "", meanings: [:])
    let labels = TextPicture(series).text.split(separator: "\n").filter { $0.contains("┤") }
      .map { $0.prefix { $0 != "┤" }.filter { $0 != " " } }
    #expect(labels.count == Set(labels).count && labels.dropLast().last == first, "\(labels)")
  }

  @Test func `numbers of any size have an axis`() throws {
    for value in ["0.000001", "0.25", "3", "999999999999", "-7.5"] {
      let day = SeriesDay(date: Sketch.first, state: .value(try Sketch.amount(value)), connector: .none)
      let series = Series(metric: Sketch.weight, days: [day], earliest: nil, average: "", meanings: [:])
      #expect(XMLParser(data: Data(SVGPicture(series).document.utf8)).parse())
      #expect(TextPicture(series).text.contains("●"))
    }
  }
}
