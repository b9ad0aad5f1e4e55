import Postgres

extension Connection {
  /// Waits until the server process is no longer there. Fails if it still is after that time.
  func waitUntilGone(_ pid: Int, within deadline: Duration = .seconds(30)) async throws {
    try await execute(
      """
      DO $$ BEGIN
        WHILE EXISTS (SELECT FROM pg_stat_activity WHERE pid = \(pid)) LOOP
          PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
        END LOOP;
      END $$
      """, deadline: deadline)
  }
}
