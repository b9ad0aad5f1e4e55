import Foundation
import Postgres

/// What was really enqueued: each transaction that enqueues also says so in a table beside the product's.
///
/// So a transaction whose COMMIT was not answered can be told to have happened or not.
struct ChaosLedger {
  let database: ChaosDatabase

  /// Makes the tables, and fills in what there is to be delivered.
  func prepare(_ input: ChaosInput) async throws {
    let connection = try await database.connect()
    try await connection.script(
      """
      CREATE SCHEMA chaos;
      CREATE TABLE chaos.payload (position int PRIMARY KEY, user_id uuid NOT NULL, text text NOT NULL, is_understood bool NOT NULL);
      CREATE TABLE chaos.sent (delivery int NOT NULL, position int NOT NULL);
      """)
    let rows = input.payloads.enumerated().map { position, payload in
      CopyText.row([String(position), payload.user.uuidString, payload.text, String(payload.isUnderstood)])
    }
    try await connection.copyIn("COPY chaos.payload FROM STDIN", rows)
    try await connection.script("ANALYZE chaos.payload")
    await connection.close()
  }

  /// Payloads of which not as many deliveries were dealt with as were made, and letters and receipts of nobody's payload.
  /// Expects an empty queue.
  func differences() async throws -> [[String?]] {
    try await database.ask(
      """
      WITH sent AS (SELECT position, count(*) AS times FROM chaos.sent GROUP BY 1),
      letter AS (SELECT user_id, md5(payload) AS hash, count(*) AS times FROM intake.dead_letter
                 WHERE code <> 'load_abandoned' GROUP BY 1, 2),
      known AS (SELECT p.position, p.user_id, md5(p.text) AS hash, COALESCE(s.times, 0) AS times,
                  CASE WHEN p.is_understood THEN substring(p.text FROM '"payload_id": "([^"]*)"')::uuid END AS payload_id
                FROM chaos.payload p LEFT JOIN sent s USING (position))
      SELECT k.position, k.payload_id, k.times AS sent, COALESCE(1 + r.repetitions, 0) AS in_receipt, COALESCE(l.times, 0) AS dead
      FROM known k
      FULL JOIN intake.receipt r ON r.user_id = k.user_id AND r.payload_id = k.payload_id
      FULL JOIN letter l ON l.user_id = k.user_id AND l.hash = k.hash
      WHERE k.times IS DISTINCT FROM COALESCE(1 + r.repetitions, 0) + COALESCE(l.times, 0)
         OR (k.payload_id IS NULL) = (r.payload_id IS NOT NULL)
      ORDER BY 1 LIMIT 5
      """)
  }
}
