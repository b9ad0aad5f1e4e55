import Foundation
import Testing

@testable import MetricDaemon

@Suite struct ManualTests {
  private let manual = Manual(
    commands: [
      CommandPage(
        name: "drain", summary: "merge", text: ".Merges, \"all\" of it.\n\nA back\\slash.",
        arguments: [.init("FILE", "NDJSON")], settings: [.workers], exitCodes: [(0, "done")], examples: [])
    ], exitCodes: [(0, "done"), (78, "a setting is wrong")], version: "1.2.3")

  @Test func `the README shows the table of settings as it is made`() throws {
    let readme = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "README.md")
    let text = try String(contentsOf: readme, encoding: .utf8)
    #expect(text.contains("\n\n" + Manual.table + "\n"), "scripts/manual.sh writes it anew")
  }

  @Test func `every part has a name, and no other has`() {
    for name in Manual.parts { #expect(manual.part(name)?.hasSuffix("\n") == true) }
    #expect(manual.part("dailymetricd.1") == nil)
  }

  @Test func `the installed file sets nothing`() throws {
    #expect(try SettingsFile(parsing: Manual.file, path: "f").entries.isEmpty)
  }

  @Test func `with everything uncommented the installed file says what holds without it`() throws {
    let lines = Manual.file.split(separator: "\n")
      .map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? $0.dropFirst() : $0 }
    let file = try SettingsFile(parsing: lines.joined(separator: "\n"), path: "f")
    #expect(Set(file.entries.keys) == Set(Setting.inFile.map(\.flag)))
    for setting in Setting.inFile {
      if let fallback = setting.fallback { #expect(file.entries[setting.flag]?.text == fallback) }
    }
  }

  @Test func `each setting says whether a reload takes it over`() throws {
    let page = try #require(manual.part("dailymetricd.conf.5")).replacing("\n", with: " ")
    #expect(page.components(separatedBy: "A reload takes it over.").count - 1 == Setting.reloaded.count)
    let waiting = Setting.inFile.count - Setting.reloaded.count
    #expect(page.components(separatedBy: "It holds from the next start on.").count - 1 == waiting)
  }

  @Test func `a page holds commands, options and codes, and no line of it is a request by accident`() throws {
    let page = try #require(manual.part("dailymetricd.8"))
    #expect(
      page.contains(".SS \"dailymetricd drain FILE [options]\"\n\\&.Merges, \"all\" of it.\n.PP\nA back\\eslash.\n"))
    #expect(page.contains(".TP\n.B \"\\-\\-workers N\"\n"))
    #expect(page.contains(".TP\n.B \"78\"\na setting is wrong\n"))
  }
}
