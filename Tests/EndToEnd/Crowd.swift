/// Everybody else: rows of many people in each table, so that reading one of them whole is noticed.
enum Crowd {
  /// 100,000 rows of evidence and of what is known, 20,000 of all else.
  static let sql = inserts()

  private static func inserts() -> String {
    let id = "md5('o' || n)::uuid"
    let payload = "md5('p' || n)::uuid"
    let read = "'2026-03-01T07:00:00Z'::timestamptz"
    let rows = [
      "evidence.person (user_id, zone_from, zone_name)":
        "\(id), '{-infinity}'::timestamptz[], '{Europe/Berlin}'::text[]",
      "evidence.origin (user_id, platform_id, store, last_read_at)": "\(id), 1, '', \(read)",
      "evidence.tracking (user_id, metric_id, platform_id, store, since)": "\(id), 1, 1, '', '2026-02-01'::date",
      "evidence.reading (user_id, local_date, metric_id, platform_id, store, slot, read_at, payload_id, position, outcome, value, sources, place, is_over, is_proven)":
        "\(id), date '2026-02-01' + n % 28, 1, 1, '', 'value'::evidence.slot, \(read), \(payload), 0, 'value'::evidence.outcome, 5, '{a}'::text[], 'inside'::evidence.place, true, true",
      "public.daily_metric (user_id, metric, local_date, status, unknown_reason, computed_at, is_final, rule_version)":
        "\(id), 'steps', date '2026-02-01' + n % 28, 'unknown', 'not_yet_synced', \(read), false, 1",
      "evidence.time_zone": "\(id), '-infinity'::timestamptz, \(read), \(payload), 0, 'Europe/Berlin'",
      "evidence.read_window":
        "\(id), 1, '', 0, 'platform_floor'::evidence.window_kind, \(read), \(payload), 0, \(read)",
      "evidence.permission": "\(id), 1, '', 0, \(read), \(payload), 0, 'granted'::evidence.permission_state",
      "evidence.presence": "\(id), '2026-02-01'::date, 1, '', 'a', 'wear'::evidence.presence_kind, 5",
      "evidence.backfill": "\(id), 1, '', 0, \(read), \(payload), 0, false",
      "evidence.due_day": "\(id), '2026-02-01'::date, '2099-01-01'::timestamptz, true",
      "intake.receipt": "\(id), \(payload), \(read), \(read), decode(md5('x'), 'hex'), 'merged', 1, 0, 0, \(read)",
      "intake.load": "\(id), 1, '', 'l', 'applied', \(read), \(read)",
      "intake.load_page (user_id, platform_id, store, load_id, page, is_final, payload_id, payload, received_at)":
        "\(id), 1, '', 'l', 1, false, \(payload), '{}', \(read)",
      "intake.quarantined_entry": "\(id), \(payload), '/x', 'out_of_range', '1', \(read), 1, '', \(read)",
      "evidence.record_id": "\(id), 1, '', \(payload), '2026-02-01'::date, 1, 0",
      "evidence.deleted_record": "\(id), 1, '', \(payload), \(read)",
      "evidence.deleted_interval": "\(id), 1, '', 1, \(read), \(read), \(read)",
      "evidence.record_day (user_id, local_date, metric_id, platform_id, store, chunk)":
        "\(id), '2026-02-01'::date, 1, 1, '', 0",
    ]
    return rows.sorted { $0.key < $1.key }.map { table, columns in
      let isLarge = table.hasPrefix("evidence.reading") || table.hasPrefix("public.daily_metric")
      return "INSERT INTO \(table) SELECT \(columns) FROM generate_series(1, \(isLarge ? 100_000 : 20_000)) n;\n"
    }.joined()
  }
}
