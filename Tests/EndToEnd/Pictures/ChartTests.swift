import Foundation
import TestSupport
import Testing

@Suite struct ChartTests {
  private static func chart(
    _ program: Program, _ arguments: String..., metric: String = "steps", environment: [String: String] = [:]
  ) async throws -> ProcessResult {
    try await run(
      BuiltProducts.path("dailymetricd"), ["chart", "--user", PicturedPerson.id, "--metric", metric] + arguments,
      environment: program.database.environment.merging(environment) { $1 })
  }

  @Test func `text shows what is known, what is not and why`() async throws {
    let program = try await PicturedPerson.program()
    let chart = try await Self.chart(program, "--from", "2026-11-20", environment: ["LC_ALL": "C.UTF-8"])
    #expect(chart.status == 0 && chart.stderr == "")
    #expect(chart.stdout.hasPrefix("steps, 2026-11-20 to 2026-11-28 (9 days)\n6,100 steps, average of the 5 days"))
    for words in [
      "● measured   ◆ measured zero   ○ at least: read before the day was over",
      "a  no_source_coverage, 1 day: We looked",
      "b  provider_error, 1 day: A read failed", "-  no entry, 1 day: ",
      "◀ earliest day held: 2026-11-21; before it: not imported yet",
    ] { #expect(chart.stdout.contains(words), "\(chart.stdout)") }
    #expect(chart.stdout.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let plain = try await Self.chart(program, environment: ["LC_ALL": "C"])
    #expect(plain.stdout.utf8.allSatisfy { $0 < 128 })
    #expect(plain.stdout.contains("0 measured zero"))
  }

  @Test func `svg has a mark for each known day and a band for each unknown one`() async throws {
    let program = try await PicturedPerson.program()
    let folder = try temporaryDirectory()
    let file = folder.appending(path: "steps.svg")
    let chart = try await Self.chart(program, "--format", "svg", "--output", file.path)
    #expect(chart.status == 0 && chart.stdout == "" && chart.stderr == "")
    let svg = try String(contentsOf: file, encoding: .utf8)
    func dates(_ kind: String, _ name: String = "data-date") -> [String] {
      svg.matches(of: #/class="([a-z]+)"[^>]*? (data-[a-z]+)="([^"]*)"/#).filter { $0.1 == kind && $0.2 == name }
        .map { String($0.3.suffix(2)) }
    }
    #expect(dates("value") == ["21", "22", "26", "27"])
    #expect(dates("zero") == ["23"])
    #expect(dates("partial") == ["28"])
    #expect(dates("gap", "data-from") == ["24", "25"])
    #expect(svg.contains("data-reason=\"no_source_coverage\"") && svg.contains("data-reason=\"provider_error\""))
    #expect(svg.matches(of: #/class="known"/#).count == 2, "the line breaks at the gap")
    let weight = try await Self.chart(program, "--format", "svg", metric: "weight")
    #expect(weight.stdout.contains("class=\"across\""))
  }

  @Test(arguments: [nil, 0o644])
  func `a picture in a file is its owner's alone, also in the place of one that was not`(_ before: Int?) async throws {
    let program = try await PicturedPerson.program()
    let folder = try temporaryDirectory()
    let (file, link) = (folder.appending(path: "steps.svg"), folder.appending(path: "link.svg"))
    if let before {
      try Data("old".utf8).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: before], ofItemAtPath: file.path)
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    }
    let result = try await run(
      "/bin/sh",
      [
        "-c", "umask 0; exec \"$@\"", "sh", BuiltProducts.path("dailymetricd"), "report", "--user", PicturedPerson.id,
        "--output", before == nil ? file.path : link.path,
      ], environment: program.database.environment)
    #expect(result.status == 0 && result.stdout == "", "\(result.stderr)")
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("<!doctype html>"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == (before == nil ? 1 : 2))
    #expect(try before == nil || (FileManager.default.destinationOfSymbolicLink(atPath: link.path)) == file.path)
  }

  @Test func `what is no file is written to and stays what it is`() async throws {
    let program = try await PicturedPerson.program()
    let result = try await run(
      "/bin/sh",
      [
        "-c", "mkfifo pipe && { cat pipe & } && \"$@\" && wait && test -p pipe", "sh",
        BuiltProducts.path("dailymetricd"),
        "chart", "--user", PicturedPerson.id, "--metric", "steps", "--output", "pipe",
      ], environment: program.database.environment)
    #expect(result.status == 0 && result.stdout.hasPrefix("steps, 2026-11-21 to "), "\(result.stderr)")
  }

  @Test func `a metric of which nothing is held is an honest picture`() async throws {
    let program = try await PicturedPerson.program()
    let chart = try await Self.chart(program, metric: "vo2max", environment: ["LC_ALL": "C.UTF-8"])
    #expect(chart.status == 0)
    #expect(chart.stdout.contains("\nno data\n") && chart.stdout.contains("no entry, 8 days"))
  }

  @Test func `gnuplot draws the png, and words from the catalogue are no commands`() async throws {
    let program = try await PicturedPerson.program()
    let folder = try temporaryDirectory()
    let trap = folder.appending(path: "trap").path
    try await program.database.psql(
      "UPDATE metric SET noun = '\"''; system(''touch \(trap)'') # `touch \(trap)`' WHERE metric = 'steps'")
    let file = folder.appending(path: "steps.png")
    let chart = try await Self.chart(program, "--format", "png", "--output", file.path)
    #expect(chart.status == 0 && chart.stderr == "", "gnuplot is one of the test tools: scripts/setup.sh test")
    let bytes = try Data(contentsOf: file)
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(bytes[16..<20].elementsEqual([0, 0, 0x04, 0xB0]), "1200 wide")
    #expect(!FileManager.default.fileExists(atPath: trap))
  }

  @Test func `without gnuplot there is a sentence, and text and svg all the same`() async throws {
    let program = try await PicturedPerson.program()
    let bare = ["PATH": "/nowhere"]
    let png = try await Self.chart(program, "--format", "png", environment: bare)
    #expect(png.status == 69 && png.stdout == "")
    #expect(png.stderr.contains("sudo apt-get install gnuplot-nox"))
    #expect(try await Self.chart(program, "--format", "svg", environment: bare).status == 0)
    #expect(try await Self.chart(program, environment: bare).status == 0)
  }

  @Test func `a gnuplot that fails is an error without a value in it`() async throws {
    let program = try await PicturedPerson.program()
    for script in ["exit 3", "cat >/dev/null; echo nothing", "grep 8000 >&2; kill -9 $$"] {
      let folder = try temporaryDirectory()
      let fake = folder.appending(path: "gnuplot")
      // Written by a process that is gone then: what a file is open for writing in, another test's child included, is
      // "busy" and cannot be run.
      let writing = "cat >\"$1\" && chmod 755 \"$1\""
      _ = try await run("/bin/sh", ["-c", writing, "sh", fake.path], stdin: "#!/bin/sh\n\(script)\n")
      let png = try await Self.chart(program, "--format", "png", environment: ["PATH": "\(folder.path):/usr/bin:/bin"])
      #expect(png.status == 70 && png.stdout == "", "\(script)")
      #expect(png.stderr.contains("drew nothing") && !png.stderr.contains("8000"), "\(png.stderr)")
    }
  }

  @Test func `what cannot be drawn is said`() async throws {
    let program = try await PicturedPerson.program()
    let metric = try await Self.chart(program, metric: "stpes")
    #expect(metric.status == 65 && metric.stderr.contains("there is no metric stpes; did you mean steps?"))
    let user = try await program("chart", "--user", PicturedPerson.stranger, "--metric", "steps")
    #expect(user.status == 65 && user.stderr.contains("nothing is held of user \(PicturedPerson.stranger)"))
    let backwards = try await Self.chart(program, "--from", "2026-11-28", "--to", "2026-11-27")
    #expect(backwards.status == 64 && backwards.stderr.contains("--from 2026-11-28 lies after --to 2026-11-27"))
    #expect(try await Self.chart(program, "--from", "2026-02-30").stderr.contains("a date is needed"))
    #expect(try await Self.chart(program, "--from", "1990-01-01").status == 64)
    #expect(try await program("chart", "--metric", "steps").stderr.contains("--user UUID is missing"))
    #expect(try await program("chart", "--user", PicturedPerson.id).status == 64)
    let nowhere = try await Self.chart(program, "--output", "/nowhere/steps.txt")
    #expect(nowhere.status == 73 && nowhere.stderr.contains("/nowhere/steps.txt cannot be written"))
  }
}
