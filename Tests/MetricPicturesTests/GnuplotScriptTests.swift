import MetricPictures
import Testing

@Suite struct GnuplotScriptTests {
  @Test func `the pen is lifted after each pair of neighbours`() throws {
    let script = GnuplotScript(try Sketch.series("12n3")).text
    #expect(script.contains("$known << EOD\n0 1000.0\n1 2000.0\n\nEOD\n"))
    #expect(script.contains("$value << EOD\n0 1000.0\n1 2000.0\n3 3000.0\nEOD\n"))
    #expect(!script.contains("$across"))
  }

  @Test func `a word from outside cannot end its quotes`() throws {
    let evil = "it's `date` \\\n'; system 'date"
    let series = try Sketch.series("1n", average: evil)
    let script = GnuplotScript(series).text
    #expect(script.contains("'it''s `date` \\'.\"\\n\".'''; system ''date'\n"))
  }

  @Test func `a word from outside turns no letters around`() throws {
    let script = GnuplotScript(try Sketch.series("12", average: "a\u{202E}b\u{9B}c\u{1B}d")).text
    #expect(script.contains("'abcd'\n"))
  }

  @Test func `a series of which nothing is known is a picture of its gaps`() throws {
    let script = GnuplotScript(try Sketch.series("nn")).text
    #expect(script.contains("set label 'no data'"))
    #expect(script.contains("set object 1 rectangle from -0.5, graph 0 to 1.5, graph 1"))
    #expect(script.contains("'a  not_yet_synced, 2 days: We have not looked yet, or could not.'"))
  }
}
