import MetricPictures
import TestSupport
import Testing

@Suite struct TextPictureTests {
  @Test func `nine days of steps look like this`() throws {
    let picture = TextPicture(
      try Sketch.series("en9p6.80n", earliest: 2, average: "5,750 steps, average of the 4 days we have data for"))
    #expect(
      picture.text == """
        steps, 2026-10-21 to 2026-10-29 (9 days)
        5,750 steps, average of the 4 days we have data for

        10,000 ┤░░░░░░░░░░░░░░░░                                                ░░░░░░░░
               │░░░░░░░░░░░░░░░░    ●                                           ░░░░░░░░
               │░░░░░░░░░░░░░░░░    ⠘⡄                              ●           ░░░░░░░░
         7,500 ┤░░░░░░░░░░░░░░░░     ⠘⡄                             ⢱           ░░░░░░░░
               │░░░░░░░░░░░░░░░░      ⠸⡀                             ⢣          ░░░░░░░░
               │░░░░░░░░░░░░░░░░       ⠱⡀          ⢀●                ⠈⡆         ░░░░░░░░
               │░░░░░░░░░░░░░░░░        ⠱⡀        ⡰⠁                  ⠸⡀        ░░░░░░░░
         5,000 ┤░░░░░░░░░░░░░░░░         ⢱      ⡠⠊                     ⢱        ░░░░░░░░
               │░░░░░░░░░░░░░░░░          ⢣   ⢀⠔⠁                       ⢇       ░░░░░░░░
               │░░░░░░░░░░░░░░░░           ⢣ ⡰⠁                         ⠘⡄      ░░░░░░░░
         2,500 ┤░░░░░░░░░░░░░░░░            ○                            ⠸⡀     ░░░░░░░░
               │░░░░░░░░░░░░░░░░                                          ⢣     ░░░░░░░░
               │░░░░░░░░░░░░░░░░                                          ⠈⢆    ░░░░░░░░
             0 ┤░░░░░░░░░░░░░░░░                                           ⠘◆   ░░░░░░░░
               └────┬───────┬───────┬───────┬───────┬───────┬───────┬───────┬───────┬───
                aaaaaaaabbbbbbbb                        --------                bbbbbbbb
                 21 Oct  22 Oct  23 Oct  24 Oct  25 Oct  26 Oct  27 Oct  28 Oct  29 Oct
        ◀ earliest day held: 2026-10-23; before it: not imported yet

        ● measured   ◆ measured zero   ○ at least: read before the day was over
        ░ unknown
        a  provider_error, 1 day: A read failed.
        b  not_yet_synced, 2 days: We have not looked yet, or could not.
        -  no entry, 1 day: Nothing has been said about these days.

        """)
  }

  @Test func `no line of a picture is longer than 80 characters, however many days it has`() throws {
    var numbers = SeededNumbers(seed: 5)
    for _ in 0..<60 {
      let series = try Sketch.random(&numbers)
      for line in TextPicture(series).text.split(separator: "\n") {
        #expect(line.count <= 80, "\(series.days.count) days")
      }
    }
  }

  @Test func `a column of an unknown day has neither mark nor line`() throws {
    var numbers = SeededNumbers(seed: 6)
    for _ in 0..<40 {
      let signs = (0..<60).map { _ in "0123456789pne".randomElement(using: &numbers).map(String.init) ?? "" }.joined()
      let series = try Sketch.series(signs)
      let rows = TextPicture(series).text.split(separator: "\n").filter { $0.contains("│") || $0.contains("┤") }
      #expect(rows.count == 14)
      for row in rows {
        let field = row.split(maxSplits: 1, whereSeparator: { "│┤".contains($0) }).last.map(Array.init) ?? []
        for (index, day) in series.days.enumerated() where !day.isKnown {
          #expect(index < field.count && field[index] == "░", "\(signs): \(row)")
        }
        for (index, day) in series.days.enumerated() where day.isKnown && index < field.count {
          #expect(field[index] != "░", "\(signs): \(row)")
        }
      }
    }
  }

  @Test func `measured, zero, lower bound and unknown have four different signs, in ASCII too`() throws {
    let series = try Sketch.series("5p0n")
    let picture = TextPicture(series).text
    for sign in ["● measured", "◆ measured zero", "○ at least", "░ unknown"] { #expect(picture.contains(sign)) }
    let plain = TextPicture(series, isASCII: true).text
    for sign in ["* measured", "0 measured zero", "o at least", ": unknown"] { #expect(plain.contains(sign)) }
    #expect(plain.utf8.allSatisfy { $0 < 128 })
  }

  @Test func `the legend names each reason, its days and its meaning, and the earliest day`() throws {
    let picture = TextPicture(try Sketch.series("..nnne12", earliest: 6)).text
    #expect(picture.contains("\na  not_yet_synced, 3 days: We have not looked yet, or could not.\n"))
    #expect(picture.contains("\nb  provider_error, 1 day: A read failed.\n"))
    #expect(picture.contains("\n-  no entry, 2 days: Nothing has been said about these days.\n"))
    #expect(picture.contains("\n◀ earliest day held: 2026-10-27; before it: not imported yet\n"))
  }

  @Test func `a series of which nothing is known says so, and why`() throws {
    let picture = TextPicture(try Sketch.series("nnnn", average: "no data")).text
    #expect(picture.contains("\nno data\n"))
    #expect(picture.contains("░no data░"))
    #expect(picture.contains("a  not_yet_synced, 4 days"))
    #expect(!picture.contains { $0.isNumber && $0 == "0" && picture.contains(" 0 ┤") }, "no axis without values")
  }

  @Test func `weight is joined across gaps by dots of its own, and steps are not`() throws {
    #expect(TextPicture(try Sketch.series("7..8", of: Sketch.weight)).text.contains("not measured between"))
    #expect(!TextPicture(try Sketch.series("7..8")).text.contains("not measured between"))
  }

  @Test func `words from outside are no commands for the terminal`() throws {
    let picture = TextPicture(try Sketch.series("12", average: "\u{1B}[2J\u{9B}31m\u{202E}r\u{2066}ed\u{200F}")).text
    #expect(picture.contains("\n[2J31mred\n"))
  }

  @Test func `where a column is several days the picture says so`() throws {
    let picture = TextPicture(try Sketch.series(String(repeating: "45n", count: 100))).text
    #expect(picture.contains("A column is up to 5 days; a letter below it: at least one is unknown."))
  }
}
