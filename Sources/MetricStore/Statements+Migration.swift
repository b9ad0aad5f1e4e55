/// The SQL texts of the migrator and of the check at start.
extension Statements {
  /// Waiting for other migrators is no fault, and a big table takes its time.
  static let prepareMigration =
    "SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0"
  /// Where the owner's role of packaging/roles.sql owns the database, everything in it is to be its own, whoever migrates.
  static let actAsOwner = """
    SELECT set_config('role', 'dailymetric_owner', false) FROM pg_database d
    WHERE d.datname = current_database() AND d.datdba = to_regrole('dailymetric_owner') AND pg_has_role(d.datdba, 'MEMBER')
    """
  /// Waits for all other migrators of this database.
  static let lockMigrations = "SELECT pg_advisory_lock(4712, 0)"
  static let unlockMigrations = "SELECT pg_advisory_unlock(4712, 0)"
  static let hasJournal = "SELECT to_regclass('intake.migration') IS NOT NULL"
  /// Our tables in the schema that readers share with others. A part of statements, and none itself.
  private static var publicTables: String {
    "'metric', 'unit', 'platform', 'platform_error', 'unknown_reason', 'daily_metric', 'daily_metric_history', "
      + "'hourly_metric', 'workout_summary', 'feed_horizon', 'monitoring_setting', 'coverage_sum', 'coverage_day'"
  }
  /// Names of ours that somebody else has already taken.
  static let collisions = """
    SELECT string_agg(x.name, ', ' ORDER BY x.name) AS names FROM (
      SELECT 'schema ' || n.nspname AS name FROM pg_namespace n WHERE n.nspname IN ('intake', 'evidence')
      UNION ALL
      SELECT 'table public.' || c.relname FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relname IN (\(publicTables))) x
    """
  static let createJournal = """
    CREATE SCHEMA intake;
    CREATE TABLE intake.migration (
      file text COLLATE "C" NOT NULL, checksum text NOT NULL, is_compatible boolean NOT NULL, applied_at timestamptz NOT NULL,
      CONSTRAINT migration_pkey PRIMARY KEY (file));
    COMMENT ON TABLE intake.migration IS 'Files of migrations/ that have been applied to this database.';
    COMMENT ON COLUMN intake.migration.file IS 'Path below the repository''s root.';
    COMMENT ON COLUMN intake.migration.checksum IS 'SHA-256 of its bytes, in hex.';
    COMMENT ON COLUMN intake.migration.is_compatible IS 'Whether daemons that do not know the file may go on working.';
    COMMENT ON COLUMN intake.migration.applied_at IS 'When it was applied.';
    COMMENT ON CONSTRAINT migration_pkey ON intake.migration IS 'Each file once.';
    CREATE TABLE intake.schema_part (
      part text COLLATE "C" NOT NULL, definition text NOT NULL, CONSTRAINT schema_part_pkey PRIMARY KEY (part));
    COMMENT ON TABLE intake.schema_part IS 'Columns, constraints and functions as the migrations made them. The daemon refuses to work if the database has others.';
    COMMENT ON COLUMN intake.schema_part.part IS 'What it is and what it is called.';
    COMMENT ON COLUMN intake.schema_part.definition IS 'As the server prints it; a hash for functions.';
    COMMENT ON CONSTRAINT schema_part_pkey ON intake.schema_part IS 'Each part once.';
    """
  static let journal = "SELECT file, checksum, is_compatible FROM intake.migration ORDER BY file"
  /// $1 file, $2 its bytes, $3 compatible, $4 now.
  static let recordFile = """
    INSERT INTO intake.migration AS m (file, checksum, is_compatible, applied_at) VALUES ($1, encode(sha256($2), 'hex'), $3, $4)
    ON CONFLICT (file) DO UPDATE SET checksum = excluded.checksum, applied_at = excluded.applied_at WHERE m.checksum <> excluded.checksum
    """
  static let checksum = "SELECT encode(sha256($1), 'hex')"

  /// The schema as it is: one row per column, constraint and function of ours. Partitions follow their parents. That a column is NOT NULL
  /// is said of the column: PostgreSQL 18 has a constraint for it besides, and a database that comes from an older one has not always had it.
  private static let presentParts = """
    SELECT 'column ' || c.oid::regclass || '.' || a.attname AS part,
           format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END AS definition
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND (n.nspname IN ('intake', 'evidence')
           OR (n.nspname = 'public' AND c.relname IN (\(publicTables))))
    UNION ALL
    SELECT 'constraint ' || k.conname || ' of ' || k.conrelid::regclass, pg_get_constraintdef(k.oid)
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE NOT c.relispartition AND k.convalidated AND k.contype <> 'n'
      AND (n.nspname IN ('intake', 'evidence')
           OR (n.nspname = 'public' AND c.relname IN (\(publicTables))))
    UNION ALL
    SELECT 'function ' || p.oid::regprocedure, md5(pg_get_functiondef(p.oid))
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname IN ('intake', 'evidence') OR (n.nspname = 'public' AND p.proname IN ('enqueue_sync_payload', 'explain_cell'))
    """
  static let forgetParts = "DELETE FROM intake.schema_part"
  static let recordParts = "INSERT INTO intake.schema_part (part, definition) " + presentParts
  /// What is missing or different; functions only where $1 says so.
  static let alteredParts = """
    SELECT s.part, CASE WHEN p.part IS NULL THEN 'is missing' ELSE 'is not as the migrations made it' END AS finding
    FROM intake.schema_part s LEFT JOIN (\(presentParts)) p ON p.part = s.part
    WHERE p.definition IS DISTINCT FROM s.definition AND ($1 OR s.part NOT LIKE 'function %') ORDER BY s.part
    """
}
