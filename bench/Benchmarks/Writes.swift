import Postgres

/// What was written between two looks at the server's statistics.
struct Writes: Codable {
  /// Rows inserted, updated and deleted.
  var readings = 0
  var cells = 0
  /// In all other tables but those of the intake.
  var others = 0
  var readingsUpdated = 0
  var readingsUpdatedHot = 0
  var cellsUpdated = 0
  var cellsUpdatedHot = 0
  var walBytes = 0
  var walPages = 0

  /// All outside the intake.
  var rows: Int { readings + cells + others }

  /// Those of the database so far. Who wrote must have disconnected: only then has it told all it did.
  static func soFar(_ watcher: Connection) async throws -> Writes {
    let row = try await watcher.execute(
      """
      SELECT sum(t.n) FILTER (WHERE t.is_reading)::bigint, sum(t.n) FILTER (WHERE t.is_cell)::bigint,
        sum(t.n) FILTER (WHERE NOT t.is_reading AND NOT t.is_cell)::bigint,
        sum(t.n_tup_upd) FILTER (WHERE t.is_reading)::bigint, sum(t.n_tup_hot_upd) FILTER (WHERE t.is_reading)::bigint,
        sum(t.n_tup_upd) FILTER (WHERE t.is_cell)::bigint, sum(t.n_tup_hot_upd) FILTER (WHERE t.is_cell)::bigint,
        (SELECT w.wal_bytes::bigint FROM pg_stat_wal w), (SELECT w.wal_fpi FROM pg_stat_wal w)
      FROM (SELECT s.n_tup_ins + s.n_tup_upd + s.n_tup_del AS n, s.n_tup_upd, s.n_tup_hot_upd,
                   s.schemaname = 'evidence' AND s.relname ~ '^reading' AS is_reading,
                   s.schemaname = 'public' AND s.relname ~ '^daily_metric_(?!history)' AS is_cell
            FROM pg_stat_user_tables s WHERE s.schemaname IN ('evidence', 'public')) t
      """
    ).one()
    return Writes(
      readings: try row.int(0), cells: try row.int(1), others: try row.int(2), readingsUpdated: try row.int(3),
      readingsUpdatedHot: try row.int(4), cellsUpdated: try row.int(5), cellsUpdatedHot: try row.int(6),
      walBytes: try row.int(7), walPages: try row.int(8))
  }

  static func - (left: Writes, right: Writes) -> Writes {
    Writes(
      readings: left.readings - right.readings, cells: left.cells - right.cells, others: left.others - right.others,
      readingsUpdated: left.readingsUpdated - right.readingsUpdated,
      readingsUpdatedHot: left.readingsUpdatedHot - right.readingsUpdatedHot,
      cellsUpdated: left.cellsUpdated - right.cellsUpdated,
      cellsUpdatedHot: left.cellsUpdatedHot - right.cellsUpdatedHot, walBytes: left.walBytes - right.walBytes,
      walPages: left.walPages - right.walPages)
  }
}
