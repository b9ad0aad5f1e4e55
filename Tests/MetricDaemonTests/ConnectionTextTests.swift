import MetricStore
import Testing

@testable import MetricDaemon

@Suite struct ConnectionTextTests {
  @Test(arguments: [
    "password=x", "host=a password = x", "host=a\tsslpassword='x y'", "host=a  password=", "postgresql://u:x@host/db",
    "postgres://u:x/y@host", "postgresql:///db?user=u&password=x", "postgresql://host?sslpassword=x",
    "user=me password=it's",
  ])
  func `a string with a secret in it is known`(_ text: String) {
    #expect(ConnectionText.holdsPassword(text))
  }

  @Test(arguments: [
    "", "health", "host=/run dbname=health", "passfile=/etc/pass host=a", "postgresql://u@host:5432/db?passfile=p",
    "postgresql://host:5432,other:5433/db", "service=password", "host=a application_name='the password'",
    "postgresql://[::1]:5432/db",
  ])
  func `one without is let through`(_ text: String) {
    #expect(!ConnectionText.holdsPassword(text))
  }

  @Test func `on the command line it is refused without being repeated, elsewhere it is not`() throws {
    let text = "host=a password=k3y"
    let refused = #expect(throws: SettingError.self) {
      try Configuration.address(SettingValues(flags: ["--dsn": text], environment: [:]))
    }
    #expect(refused?.source == .commandLine)
    #expect(refused?.message.contains("PGPASSFILE") == true && refused?.message.contains("k3y") == false)
    let environment = SettingValues(flags: [:], environment: ["DAILYMETRICD_DSN": text])
    #expect(try Configuration.address(environment).dsn == text)
    #expect(try Configuration.address(SettingValues(flags: ["--dsn": "host=b"], environment: [:])).dsn == "host=b")
  }
}
