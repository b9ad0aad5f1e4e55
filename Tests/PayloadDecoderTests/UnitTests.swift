import Foundation
import HealthPayload
import Testing

@testable import PayloadDecoder

@Suite struct UnitTests {
  @Test(arguments: [
    ("distance_walk_run", "6.1", "km", "6100"), ("distance_walk_run", "1", "mi", "1609.344"),
    ("distance_walk_run", "0", "km", "0"), ("active_energy", "100", "kJ", "23.900574"),
    ("sleep_duration", "1", "s", "0.016667"),
    ("sleep_duration", "7.5", "h", "450"), ("weight", "180", "lb", "81.646627"), ("spo2_avg", "0.97", "1", "97"),
    ("blood_glucose_avg", "5.5", "mmol/L", "99.0858"), ("body_temperature", "98.6", "[degF]", "37"),
    ("body_temperature", "310.15", "K", "37"), ("wrist_temp_deviation", "1.8", "[degF]", "1"),
    ("wrist_temp_deviation", "-0.5", "K", "-0.5"), ("steps", "8123", "1", "8123"),
    ("weight", "80.00000000000000000001", "kg", "80.00000000000000000001"),
  ])
  func `a value is converted once, to six decimals`(_ metric: String, _ value: String, _ unit: String, _ kept: String)
    throws
  {
    let text = Sample.days(day(metric, "2026-11-28", value: value, ",\"unit\":\"\(unit)\""))
    #expect(try decoded(text).days.map(\.value?.text) == [kept])
  }

  @Test func `halves are rounded away from zero on both sides`() throws {
    let conversion = UnitConversion(factor: try number("0.001"), offset: try number("0"))
    for (value, kept) in [
      ("0.0005", "0.000001"), ("-0.0005", "-0.000001"), ("0.000499", "0"), ("-0.0004", "0"), ("1.0005", "0.001001"),
    ] {
      #expect(conversion.convert(try number(value))?.text == kept)
    }
  }

  @Test func `the fast way and the exact one agree wherever the fast one answers`() throws {
    var generator = SeededGenerator(seed: 1)
    var answered = 0
    let conversions = try catalogue().units.map { UnitConversion(factor: $0.factor, offset: $0.offset) }
    for _ in 0..<20_000 {
      let digits = (0..<Int.random(in: 1...30, using: &generator)).map { _ in Int.random(in: 0...9, using: &generator) }
      let text = digits.map(String.init).joined()
      let sign = Bool.random(using: &generator) ? "-" : ""
      let exponent = Int.random(in: -text.count...3, using: &generator)
      let trimmed = text.drop { $0 == "0" }
      guard let value = ExactNumber("\(sign)\(trimmed.isEmpty ? "0" : trimmed)e\(exponent)") else { continue }
      let conversion = conversions[Int.random(in: conversions.indices, using: &generator)]
      let exact = try #require(conversion.convertLong(value))
      if let fast = conversion.convertShort(value) {
        answered += 1
        #expect(fast == exact, "\(value)")
      }
    }
    #expect(answered > 10_000)
  }

  @Test func `a value of forty digits is converted exactly`() throws {
    let text = "0.0001234567890123456789012345678901234"
    let conversion = UnitConversion(factor: try number("1000"), offset: try number("-273.15"))
    #expect(conversion.convertShort(try number("1234567890123456789012345678901234567.5")) == nil)
    #expect(conversion.convert(try number(text))?.text == "-273.026543")
    #expect(
      conversion.convert(try number("1234567890123456789012345678901234567.5"))?.text
        == "1234567890123456789012345678901234567226.85")
  }

  @Test func `a table of comma-separated values keeps commas and quotes in quoted cells`() throws {
    let text = "name,say\na,\"one, two\"\n\nb,\"a \"\"word\"\"\"\nc,\n"
    let table = try CSVTable(Array(text.utf8), name: "words.csv")
    #expect(table.head == ["name", "say"])
    #expect(table.columns == [["a", "b", "c"], ["one, two", "a \"word\"", ""]])
    #expect(try table.rows[1]["say"] == "a \"word\"")
    #expect(throws: CatalogueError.self) { try table.rows[1]["sound"] }
    #expect(throws: CatalogueError.self) { try CSVTable(Array("a,b\n1\n".utf8), name: "words.csv") }
    #expect(throws: CatalogueError.self) { try CSVTable([], name: "words.csv") }
    #expect(throws: CatalogueError.self) { try CSVTable([0xFF], name: "words.csv") }
  }

  @Test func `a catalogue that contradicts itself is refused with the place`() throws {
    let head = "metric,unit,aggregation,zero_policy,low,high,needs_source\n"
    func refusal(_ rows: String) -> String? {
      do throws(CatalogueError) {
        _ = try Catalogue(metricsCSV: Array((head + rows).utf8), unitsCSV: Array("unit,from_unit,factor,offset\n".utf8))
        return nil
      } catch {
        return error.description
      }
    }
    #expect(refusal("a,1,sum,covered,0,1,f\n") == nil)
    #expect(refusal("a,1,sum,covered,0,1,f\na,1,sum,covered,0,1,f\n")?.contains("one name") == true)
    #expect(refusal("a,1,sum,covered,2,1,f\n")?.contains("metric a") == true)
    #expect(refusal("a,1,total,covered,0,1,f\n")?.contains("metrics.csv line 2: aggregation") == true)
    #expect(refusal("a,1,sum,covered,zero,1,f\n")?.contains("metrics.csv line 2: low") == true)
    #expect(refusal("a,1,sum,covered,0\n")?.contains("5 cells") == true)
  }

  private func number(_ text: String) throws -> ExactNumber { try #require(ExactNumber(text)) }
}
