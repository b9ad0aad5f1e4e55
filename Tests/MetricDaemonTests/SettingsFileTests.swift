import Foundation
import MetricStore
import Testing

@testable import MetricDaemon

@Suite struct SettingsFileTests {
  private func message(_ text: String) -> String? {
    do throws(SettingError) {
      _ = try SettingsFile(parsing: text, path: "/etc/d.conf")
      return nil
    } catch {
      #expect(error.source == .file)
      return error.message
    }
  }

  private func values(
    _ text: String, flags: [String: String] = [:], environment: [String: String] = [:]
  ) throws -> SettingValues {
    SettingValues(
      flags: flags, environment: environment, file: try SettingsFile(parsing: text, path: "/etc/d.conf"))
  }

  @Test func `names and values may have space around them, and comments and empty lines are not read`() throws {
    let values = try values("# workers = 9\n\n  workers=4  \r\n\tlog-level =\tdebug\n   # batch = x\n")
    #expect(try values.number(.workers) == 4)
    #expect(try values.word(.logLevel) == "debug")
    #expect(try values.number(.batchPayloads) == 200)
  }

  @Test func `a connection string is taken as it is, with its equals signs, quotes and hashes`() throws {
    let dsn = "host=/run/postgresql dbname=health application_name='a # b'"
    #expect(try values("dsn = \(dsn)").text(.dsn) == dsn)
  }

  @Test func `the command line wins over the environment, and that over the file`() throws {
    let variable = ["DAILYMETRICD_WORKERS": "8"]
    #expect(try values("workers = 3", flags: ["--workers": "4"], environment: variable).number(.workers) == 4)
    #expect(try values("workers = 3", environment: variable).number(.workers) == 8)
    #expect(try values("workers = 3").number(.workers) == 3)
  }

  @Test(arguments: [
    ("batch = 5\nworker = 4", "/etc/d.conf:2: there is no setting worker; did you mean workers?"),
    ("config = /etc/other", "/etc/d.conf:1: there is no setting config"),
    ("as-of = 2026-03-01T07:00:00Z", "/etc/d.conf:1: there is no setting as-of"),
    ("workers", "/etc/d.conf:1: a line is NAME = VALUE, or begins with #"),
    ("workers = 4\n\nworkers = 4", "/etc/d.conf:3: workers is also set in line 1"),
    ("workers = 65", "/etc/d.conf:1: workers is \"65\": a whole number from 1 to 64 is needed"),
    ("workers =", "/etc/d.conf:1: workers is \"\": a whole number from 1 to 64 is needed"),
    (
      "poll-interval = 1 # second",
      "/etc/d.conf:1: poll-interval is \"1 # second\": seconds from 0.01 to 3600 are needed"
    ),
    ("dsn =", "/etc/d.conf:1: dsn is \"\": is empty"),
  ])
  func `a mistake is named with its file and its line`(_ text: String, _ wanted: String) {
    #expect(message(text) == wanted)
  }

  @Test func `a file that cannot be read is the installation's mistake`() throws {
    for path in ["/nowhere/d.conf", "/tmp"] {
      do throws(SettingError) {
        _ = try SettingValues.read(flags: ["--config": path], environment: [:])
        Issue.record("it was read")
      } catch {
        #expect(error.source == .file)
        #expect(error.message.contains(path))
      }
    }
  }
}

@Suite struct CredentialTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  private func read(_ files: [String: Data]) throws -> SettingValues {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) } }
    for (name, bytes) in files { try bytes.write(to: folder.appending(path: name)) }
    return try SettingValues.read(flags: [:], environment: ["CREDENTIALS_DIRECTORY": folder.path])
  }

  @Test func `a credential stands in for the connection string, and another one brings the password`() throws {
    let values = try read([
      "dailymetricd.dsn": Data("host=db\n".utf8), "dailymetricd.password": Data("k3y word \r\n".utf8),
    ])
    let address = try Configuration.address(values)
    #expect(address.dsn == "host=db")
    #expect(address.password == "k3y word ")
  }

  @Test func `credentials win over the file, and the environment wins over credentials`() throws {
    let file = try SettingsFile(parsing: "dsn = host=file", path: "f")
    let credentials = try read(["dailymetricd.dsn": Data("host=credential".utf8)]).credentials
    func dsn(_ environment: [String: String]) throws -> String? {
      try SettingValues(flags: [:], environment: environment, file: file, credentials: credentials).text(.dsn)
    }
    #expect(try dsn([:]) == "host=credential")
    #expect(try dsn(["DAILYMETRICD_DSN": "host=environment"]) == "host=environment")
  }

  @Test func `a credential that is missing or empty says nothing`() throws {
    #expect(try read(["dailymetricd.password": Data()]).credentials == .none)
    #expect(try read([:]).credentials == .none)
  }

  @Test(arguments: [Data([0xFF, 0xFE]), Data([0x61, 0, 0x62])])
  func `bytes that are no text are an error, which does not show them`(_ bytes: Data) {
    #expect {
      try read(["dailymetricd.password": bytes])
    } throws: { error in
      (error as? SettingError)?.message.hasSuffix("dailymetricd.password is no text") == true
    }
  }
}
