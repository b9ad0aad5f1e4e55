import Foundation
import HealthPayload
import Testing

@testable import MetricDaemon

@Suite struct ArgumentParserTests {
  private let parser = ArgumentParser(settings: [.workers, .json, .asOf, .dsn, .help], positionals: ["FILE"])

  private func error(_ arguments: String...) -> String? {
    do throws(UsageError) {
      _ = try parser.parse(arguments)
      return nil
    } catch { return error.message }
  }

  @Test func `a value may follow its flag or an equals sign`() throws {
    let parsed = try parser.parse(["--workers", "4", "file", "--dsn=host=/run dbname=x", "--json"])
    #expect(parsed.flags == ["--workers": "4", "--dsn": "host=/run dbname=x", "--json": ""])
    #expect(parsed.positionals == ["file"])
  }

  @Test func `a lone dash is a name, and so is everything behind two dashes`() throws {
    #expect(try parser.parse(["-"]).positionals == ["-"])
    #expect(try parser.parse(["--json", "--", "--workers"]).positionals == ["--workers"])
  }

  @Test func `an unknown flag comes with the one that was probably meant`() {
    #expect(error("--worker", "4", "f") == "there is no option --worker; did you mean --workers?")
    #expect(error("--asof=x", "f") == "there is no option --asof; did you mean --as-of?")
    #expect(error("--frobnicate", "f") == "there is no option --frobnicate")
    #expect(error("-x", "f") == "there is no option -x")
  }

  @Test func `what is missing, double or too much is named`() {
    #expect(error() == "FILE is missing")
    #expect(error("a", "b") == "\"b\" is one argument too many")
    #expect(error("a", "--workers") == "--workers needs a value: --workers N")
    #expect(error("a", "--workers", "1", "--workers=2") == "--workers is given twice")
    #expect(error("a", "--json=yes") == "--json takes no value")
  }

  @Test func `where more arguments may follow they are kept in order`() throws {
    let parser = ArgumentParser(settings: [.yes], positionals: ["FILE"], takesMore: true)
    let parsed = try parser.parse(["a", "--yes", "b", "c"])
    #expect(parsed.positionals == ["a", "b", "c"])
    #expect(throws: UsageError.self) { try parser.parse(["--yes"]) }
  }

  @Test(arguments: ["--help", "-h"])
  func `help is given whatever else is wrong`(_ flag: String) throws {
    #expect(try parser.parse(["a", "b", "--nonsense", flag]).flags == ["--help": ""])
  }

  @Test func `spelling counts letters, and gives up on other words`() {
    #expect(Spelling.distance("drain", "drnai") == 2)
    #expect(Spelling.distance("ab", "bca") == 3)
    #expect(Spelling.distance("", "run") == 3)
    #expect(Spelling.closest(to: "enqeue", among: ["run", "enqueue"]) == "enqueue")
    #expect(Spelling.closest(to: "drian", among: ["run", "drain"]) == "drain")
    #expect(Spelling.closest(to: "launch", among: ["run", "enqueue"]) == nil)
  }
}

@Suite struct SettingValuesTests {
  private func message(
    _ body: (SettingValues) throws -> Void, _ flags: [String: String], _ environment: [String: String]
  ) -> String? {
    do {
      try body(SettingValues(flags: flags, environment: environment))
      return nil
    } catch let error as SettingError { return error.message } catch { return "another error" }
  }

  @Test func `the command line wins over the environment, and that over the definition`() throws {
    let variable = ["DAILYMETRICD_WORKERS": "8"]
    #expect(try SettingValues(flags: ["--workers": "4"], environment: variable).number(.workers) == 4)
    #expect(try SettingValues(flags: [:], environment: variable).number(.workers) == 8)
    #expect(try SettingValues(flags: [:], environment: [:]).number(.workers) == 2)
    #expect(try SettingValues(flags: [:], environment: ["DAILYMETRICD_WORKERS": ""]).number(.workers) == 2)
  }

  @Test func `an error names what was written, where, and what is wanted`() {
    #expect(
      message({ _ = try $0.number(.workers) }, [:], ["DAILYMETRICD_WORKERS": "many"])
        == "DAILYMETRICD_WORKERS is \"many\": a whole number from 1 to 64 is needed")
    #expect(
      message({ _ = try $0.number(.workers) }, ["--workers": "65"], [:])
        == "--workers is \"65\": a whole number from 1 to 64 is needed")
    #expect(
      message({ _ = try $0.word(.logLevel) }, ["--log-level": "loud"], [:])
        == "--log-level is \"loud\": one of error, warning, notice, info, debug is needed")
    #expect(message({ _ = try $0.text(.dsn) }, ["--dsn": ""], [:]) == "--dsn is \"\": is empty")
  }

  @Test(arguments: ["0", "-1", "nan", "inf", "1e99", "1 s", ""])
  func `no duration comes from`(_ text: String) {
    #expect(message({ _ = try $0.duration(.pollInterval) }, ["--poll-interval": text], [:]) != nil)
  }

  @Test func `a wrong value is the caller's mistake or the installation's, by where it stands`() {
    func source(_ flags: [String: String], _ environment: [String: String]) -> SettingError.Source? {
      do {
        _ = try Configuration(SettingValues(flags: flags, environment: environment))
        return nil
      } catch { return error.source }
    }
    #expect(source(["--batch": "0"], [:]) == .commandLine)
    #expect(source([:], ["DAILYMETRICD_BATCH": "0"]) == .environment)
  }

  @Test(arguments: ["1899-12-31T23:59:59Z", "2201-01-01T00:00:00Z", "0001-01-01T00:00:00Z"])
  func `an as-of that is a time, but out of range, is told the range`(_ time: String) {
    #expect(
      message({ _ = try $0.instant(.asOf) }, ["--as-of": time], [:])
        == "--as-of is \"\(time)\": a time in the years 1900 to 2200 is needed")
  }

  @Test func `as-of needs a zone`() throws {
    let given = SettingValues(flags: ["--as-of": "2026-03-01T07:00:00+01:00"], environment: [:])
    #expect(try given.instant(.asOf)?.microseconds == 1_772_344_800_000_000)
    #expect(message({ _ = try $0.instant(.asOf) }, ["--as-of": "2026-03-01T07:00:00"], [:]) != nil)
    #expect(try SettingValues(flags: [:], environment: [:]).instant(.asOf) == nil)
  }

  @Test func `every default is a value that its own setting accepts`() throws {
    let configuration = try Configuration(SettingValues(flags: [:], environment: [:]))
    #expect(configuration.workers == 2)
    #expect(configuration.batchPayloads == 200)
    #expect(configuration.pollInterval == .seconds(1))
    #expect(configuration.logLevel == .info)
  }

  @Test func `every variable is named after its flag`() {
    let variables = Setting.documented.compactMap(\.environment)
    #expect(Set(variables).count == Setting.documented.count)
    for setting in Setting.documented {
      let name = setting.flag.dropFirst(2).uppercased().replacing("-", with: "_")
      #expect(setting.environment == "DAILYMETRICD_" + name)
    }
  }
}

@Suite struct CommandPageTests {
  private let page = CommandPage(
    name: "drain", summary: "merge", text: "Merges.", arguments: [.init("FILE", "NDJSON")],
    settings: [.workers, .json], exitCodes: [(0, "done"), (64, "wrong")],
    examples: [.init("all", "dailymetricd drain f")])

  @Test func `a page shows usage, arguments, options with their variables, exit codes and examples`() {
    #expect(
      page.help == """
        usage: dailymetricd drain FILE [options]

        Merges.

        Arguments
          FILE  NDJSON

        Options
          --workers N  workers of this process, each with its own connection
                       (default 2; DAILYMETRICD_WORKERS)
          --json       print one JSON object instead of text
          --help       print this page

        Exit codes
          0   done
          64  wrong

        Examples
          # all
          dailymetricd drain f

        """)
  }
}
