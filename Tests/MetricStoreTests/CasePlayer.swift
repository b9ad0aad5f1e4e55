import Foundation
import HealthPayload
import MetricStore
import Postgres
import TestSupport
import Testing

/// Plays one case in a database of its own and says what came out otherwise than the case wants.
struct CasePlayer {
  let file: CaseFile
  let worker: Worker
  let connection: Connection

  static func play(_ file: CaseFile) async throws -> [String] {
    let database = try await freshDatabase(from: .migrated)
    let player = CasePlayer(
      file: file, worker: try await Worker(database), connection: try await database.connect())
    for number in file.steps.indices { try await player.take(number) }
    return try await player.wrongCells() + player.wrongRows() + player.wronglyAccepted()
  }

  private func take(_ number: Int) async throws {
    let step = file.steps[number]
    if let payloads = step.enqueue {
      // Without a time of its own a payload arrives when it is drained.
      let later = file.steps[number...].lazy.compactMap { $0.drain ?? $0.recheck }.first
      try await worker.store.enqueue(
        payloads.map(Self.line), receivedAt: instant(try #require(step.as_of ?? later, "nothing says when it arrives")))
    } else if let asOf = step.drain {
      try await worker.drain(asOf: instant(asOf))
    } else if let asOf = step.recheck {
      try await worker.deriveDue(asOf: instant(asOf), includeScheduled: true)
    } else {
      try await connection.script(withUser(try #require(step.sql, "step \(number) does nothing")))
    }
  }

  /// As the command enqueue does: under the person that the payload names, where it can be read.
  private static func line(_ payload: JSONValue) throws -> EnqueuedLine {
    let text = try payload.line()
    var object = payload
    if case .string = payload {
      do { object = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) } catch { object = .null }
    }
    return EnqueuedLine(user: object["user_id"]?.text.flatMap(UUID.init), text: text)
  }

  private func withUser(_ sql: String) -> String {
    sql.replacing(":user", with: file.user.map(Self.literal) ?? "NULL")
  }

  private static func literal(_ text: String) -> String {
    "'\(text.replacing("'", with: "''"))'"
  }

  private func row(_ columns: [String], user: String?, metric: String, day: String) async throws -> [String?]? {
    let user = try #require(user, "the case names no person")
    return try await connection.table(
      "SELECT \(columns.joined(separator: ", ")) FROM daily_metric WHERE user_id = \(Self.literal(user)) "
        + "AND metric = \(Self.literal(metric)) AND local_date = \(Self.literal(day))"
    ).first
  }

  private func wrongCells() async throws -> [String] {
    var wrong: [String] = []
    for cell in file.cells ?? [] {
      guard let metric = cell.first?.text, let day = cell.dropFirst().first?.text else { continue }
      var wanted = Array(
        zip(["status", "value", "unknown_reason", "covering_sources"], cell.dropFirst(2)).prefix { !$0.1.isObject })
      var user = file.user
      if case .object(let extra)? = cell.last {
        user = extra["user_id"]?.text ?? user
        wanted += extra.filter { $0.key != "user_id" }.map { ($0.key, $0.value) }
      }
      guard let got = try await row(wanted.map(\.0), user: user, metric: metric, day: day) else {
        wrong.append("\(metric) \(day): no row")
        continue
      }
      for ((column, want), value) in zip(wanted, got) where !want.matches(value) {
        wrong.append("\(metric) \(day): \(column) is \(value ?? "NULL"), wanted \(want)")
      }
    }
    for cell in file.no_cells ?? [] {
      let got = try await row(["status", "value"], user: file.user, metric: cell[0], day: cell[1])
      if let got { wrong.append("\(cell[0]) \(cell[1]): has a row \(got), wanted none") }
    }
    if file.only_cells == true {
      let count = try await connection.list("SELECT count(*) FROM daily_metric")
      if count != [String(file.cells?.count ?? 0)] { wrong.append("daily_metric has other rows too: \(count)") }
    }
    return wrong
  }

  private func wrongRows() async throws -> [String] {
    var wrong: [String] = []
    for query in file.queries ?? [] {
      let got = try await connection.table(withUser(query.sql))
      let isRight = got.elementsEqual(query.rows) { got, want in
        want.elementsEqual(got) { $0.matches($1) }
      }
      if !isRight { wrong.append("\(query.sql)\n  got    \(got)\n  wanted \(query.rows)") }
    }
    return wrong
  }

  private func wronglyAccepted() async throws -> [String] {
    var wrong: [String] = []
    for refusal in file.fails ?? [] {
      do {
        try await connection.script(withUser(refusal.sql))
        wrong.append("accepted, should be refused: \(refusal.sql)")
      } catch  where error.hasState(refusal.sqlstate) {
      } catch {
        wrong.append("refused with \(error.sqlState ?? "no SQLSTATE"), wanted \(refusal.sqlstate): \(refusal.sql)")
      }
    }
    return wrong
  }
}

extension JSONValue {
  fileprivate var isObject: Bool {
    if case .object = self { true } else { false }
  }
}
