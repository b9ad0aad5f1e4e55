// The files travel inside the binary: it cannot be run with another schema than the one it was built with.
// #embed is C23; the toolchain's clang has it in every mode.
#pragma clang diagnostic ignored "-Wc23-extensions"
#include "CMigrations.h"

static const unsigned char file_0001_catalogue_sql[] = {
#embed "../../migrations/0001_catalogue.sql"
};
static const unsigned char file_0002_intake_sql[] = {
#embed "../../migrations/0002_intake.sql"
};
static const unsigned char file_0003_evidence_sql[] = {
#embed "../../migrations/0003_evidence.sql"
};
static const unsigned char file_0004_statements_sql[] = {
#embed "../../migrations/0004_statements.sql"
};
static const unsigned char file_0005_daily_metric_sql[] = {
#embed "../../migrations/0005_daily_metric.sql"
};
static const unsigned char file_0006_load_sql[] = {
#embed "../../migrations/0006_load.sql"
};
static const unsigned char file_0007_control_sql[] = {
#embed "../../migrations/0007_control.sql"
};
static const unsigned char file_0008_records_sql[] = {
#embed "../../migrations/0008_records.sql"
};
static const unsigned char file_0009_history_sql[] = {
#embed "../../migrations/0009_history.sql"
};
static const unsigned char file_0010_recheck_sql[] = {
#embed "../../migrations/0010_recheck.sql"
};
static const unsigned char file_0012_monitoring_sql[] = {
#embed "../../migrations/0012_monitoring.sql"
};
static const unsigned char file_0013_forget_sql[] = {
#embed "../../migrations/0013_forget.sql"
};
static const unsigned char file_0014_compression_sql[] = {
#embed "../../migrations/0014_compression.sql"
};
static const unsigned char file_0015_hours_sql[] = {
#embed "../../migrations/0015_hours.sql"
};
static const unsigned char file_0016_workouts_sql[] = {
#embed "../../migrations/0016_workouts.sql"
};
static const unsigned char file_logic_05_time_sql[] = {
#embed "../../migrations/logic/05_time.sql"
};
static const unsigned char file_logic_10_intake_sql[] = {
#embed "../../migrations/logic/10_intake.sql"
};
static const unsigned char file_logic_11_control_sql[] = {
#embed "../../migrations/logic/11_control.sql"
};
static const unsigned char file_logic_12_loads_sql[] = {
#embed "../../migrations/logic/12_loads.sql"
};
static const unsigned char file_logic_13_dead_letters_sql[] = {
#embed "../../migrations/logic/13_dead_letters.sql"
};
static const unsigned char file_logic_14_slow_sql[] = {
#embed "../../migrations/logic/14_slow.sql"
};
static const unsigned char file_logic_15_statements_sql[] = {
#embed "../../migrations/logic/15_statements.sql"
};
static const unsigned char file_logic_16_quarantine_sql[] = {
#embed "../../migrations/logic/16_quarantine.sql"
};
static const unsigned char file_logic_17_parking_sql[] = {
#embed "../../migrations/logic/17_parking.sql"
};
static const unsigned char file_logic_20_readings_sql[] = {
#embed "../../migrations/logic/20_readings.sql"
};
static const unsigned char file_logic_22_records_sql[] = {
#embed "../../migrations/logic/22_records.sql"
};
static const unsigned char file_logic_23_deletions_sql[] = {
#embed "../../migrations/logic/23_deletions.sql"
};
static const unsigned char file_logic_24_mass_deletion_sql[] = {
#embed "../../migrations/logic/24_mass_deletion.sql"
};
static const unsigned char file_logic_25_record_days_sql[] = {
#embed "../../migrations/logic/25_record_days.sql"
};
static const unsigned char file_logic_26_hours_sql[] = {
#embed "../../migrations/logic/26_hours.sql"
};
static const unsigned char file_logic_27_workouts_sql[] = {
#embed "../../migrations/logic/27_workouts.sql"
};
static const unsigned char file_logic_30_derive_sql[] = {
#embed "../../migrations/logic/30_derive.sql"
};
static const unsigned char file_logic_31_plain_days_sql[] = {
#embed "../../migrations/logic/31_plain_days.sql"
};
static const unsigned char file_logic_34_history_sql[] = {
#embed "../../migrations/logic/34_history.sql"
};
static const unsigned char file_logic_35_write_sql[] = {
#embed "../../migrations/logic/35_write.sql"
};
static const unsigned char file_logic_36_forget_sql[] = {
#embed "../../migrations/logic/36_forget.sql"
};
static const unsigned char file_logic_37_export_sql[] = {
#embed "../../migrations/logic/37_export.sql"
};
static const unsigned char file_logic_40_recheck_sql[] = {
#embed "../../migrations/logic/40_recheck.sql"
};
static const unsigned char file_logic_45_catalogue_sql[] = {
#embed "../../migrations/logic/45_catalogue.sql"
};
static const unsigned char file_logic_46_due_cells_sql[] = {
#embed "../../migrations/logic/46_due_cells.sql"
};
static const unsigned char file_logic_47_rebuild_sql[] = {
#embed "../../migrations/logic/47_rebuild.sql"
};
static const unsigned char file_logic_48_explain_sql[] = {
#embed "../../migrations/logic/48_explain.sql"
};
static const unsigned char file_logic_49_people_sql[] = {
#embed "../../migrations/logic/49_people.sql"
};
static const unsigned char file_logic_50_averages_sql[] = {
#embed "../../migrations/logic/50_averages.sql"
};
static const unsigned char file_logic_51_streaks_sql[] = {
#embed "../../migrations/logic/51_streaks.sql"
};
static const unsigned char file_logic_52_series_sql[] = {
#embed "../../migrations/logic/52_series.sql"
};
static const unsigned char file_logic_53_snapshot_sql[] = {
#embed "../../migrations/logic/53_snapshot.sql"
};
static const unsigned char file_logic_54_history_readers_sql[] = {
#embed "../../migrations/logic/54_history_readers.sql"
};
static const unsigned char file_logic_55_actions_sql[] = {
#embed "../../migrations/logic/55_actions.sql"
};
static const unsigned char file_logic_56_feeds_sql[] = {
#embed "../../migrations/logic/56_feeds.sql"
};
static const unsigned char file_logic_57_context_sql[] = {
#embed "../../migrations/logic/57_context.sql"
};
static const unsigned char file_logic_58_reread_sql[] = {
#embed "../../migrations/logic/58_reread.sql"
};
static const unsigned char file_logic_59_hours_sql[] = {
#embed "../../migrations/logic/59_hours.sql"
};
static const unsigned char file_logic_59_workouts_sql[] = {
#embed "../../migrations/logic/59_workouts.sql"
};
static const unsigned char file_logic_60_monitoring_sql[] = {
#embed "../../migrations/logic/60_monitoring.sql"
};
static const unsigned char file_logic_61_alerts_sql[] = {
#embed "../../migrations/logic/61_alerts.sql"
};
static const unsigned char file_logic_62_health_sql[] = {
#embed "../../migrations/logic/62_health.sql"
};
static const unsigned char file_logic_70_roles_sql[] = {
#embed "../../migrations/logic/70_roles.sql"
};
static const unsigned char file_logic_71_readers_sql[] = {
#embed "../../migrations/logic/71_readers.sql"
};
static const unsigned char file_logic_72_service_sql[] = {
#embed "../../migrations/logic/72_service.sql"
};
static const unsigned char file_catalogue_metrics_csv[] = {
#embed "../../catalogue/metrics.csv"
};
static const unsigned char file_catalogue_units_csv[] = {
#embed "../../catalogue/units.csv"
};
static const unsigned char file_catalogue_reasons_csv[] = {
#embed "../../catalogue/reasons.csv"
};
static const unsigned char file_catalogue_platforms_csv[] = {
#embed "../../catalogue/platforms.csv"
};
static const unsigned char file_catalogue_platform_errors_csv[] = {
#embed "../../catalogue/platform_errors.csv"
};
static const unsigned char file_catalogue_formats_csv[] = {
#embed "../../catalogue/formats.csv"
};

static const struct EmbeddedFile all[] = {
  {"migrations/0001_catalogue.sql", file_0001_catalogue_sql, sizeof file_0001_catalogue_sql},
  {"migrations/0002_intake.sql", file_0002_intake_sql, sizeof file_0002_intake_sql},
  {"migrations/0003_evidence.sql", file_0003_evidence_sql, sizeof file_0003_evidence_sql},
  {"migrations/0004_statements.sql", file_0004_statements_sql, sizeof file_0004_statements_sql},
  {"migrations/0005_daily_metric.sql", file_0005_daily_metric_sql, sizeof file_0005_daily_metric_sql},
  {"migrations/0006_load.sql", file_0006_load_sql, sizeof file_0006_load_sql},
  {"migrations/0007_control.sql", file_0007_control_sql, sizeof file_0007_control_sql},
  {"migrations/0008_records.sql", file_0008_records_sql, sizeof file_0008_records_sql},
  {"migrations/0009_history.sql", file_0009_history_sql, sizeof file_0009_history_sql},
  {"migrations/0010_recheck.sql", file_0010_recheck_sql, sizeof file_0010_recheck_sql},
  {"migrations/0012_monitoring.sql", file_0012_monitoring_sql, sizeof file_0012_monitoring_sql},
  {"migrations/0013_forget.sql", file_0013_forget_sql, sizeof file_0013_forget_sql},
  {"migrations/0014_compression.sql", file_0014_compression_sql, sizeof file_0014_compression_sql},
  {"migrations/0015_hours.sql", file_0015_hours_sql, sizeof file_0015_hours_sql},
  {"migrations/0016_workouts.sql", file_0016_workouts_sql, sizeof file_0016_workouts_sql},
  {"migrations/logic/05_time.sql", file_logic_05_time_sql, sizeof file_logic_05_time_sql},
  {"migrations/logic/10_intake.sql", file_logic_10_intake_sql, sizeof file_logic_10_intake_sql},
  {"migrations/logic/11_control.sql", file_logic_11_control_sql, sizeof file_logic_11_control_sql},
  {"migrations/logic/12_loads.sql", file_logic_12_loads_sql, sizeof file_logic_12_loads_sql},
  {"migrations/logic/13_dead_letters.sql", file_logic_13_dead_letters_sql, sizeof file_logic_13_dead_letters_sql},
  {"migrations/logic/14_slow.sql", file_logic_14_slow_sql, sizeof file_logic_14_slow_sql},
  {"migrations/logic/15_statements.sql", file_logic_15_statements_sql, sizeof file_logic_15_statements_sql},
  {"migrations/logic/16_quarantine.sql", file_logic_16_quarantine_sql, sizeof file_logic_16_quarantine_sql},
  {"migrations/logic/17_parking.sql", file_logic_17_parking_sql, sizeof file_logic_17_parking_sql},
  {"migrations/logic/20_readings.sql", file_logic_20_readings_sql, sizeof file_logic_20_readings_sql},
  {"migrations/logic/22_records.sql", file_logic_22_records_sql, sizeof file_logic_22_records_sql},
  {"migrations/logic/23_deletions.sql", file_logic_23_deletions_sql, sizeof file_logic_23_deletions_sql},
  {"migrations/logic/24_mass_deletion.sql", file_logic_24_mass_deletion_sql, sizeof file_logic_24_mass_deletion_sql},
  {"migrations/logic/25_record_days.sql", file_logic_25_record_days_sql, sizeof file_logic_25_record_days_sql},
  {"migrations/logic/26_hours.sql", file_logic_26_hours_sql, sizeof file_logic_26_hours_sql},
  {"migrations/logic/27_workouts.sql", file_logic_27_workouts_sql, sizeof file_logic_27_workouts_sql},
  {"migrations/logic/30_derive.sql", file_logic_30_derive_sql, sizeof file_logic_30_derive_sql},
  {"migrations/logic/31_plain_days.sql", file_logic_31_plain_days_sql, sizeof file_logic_31_plain_days_sql},
  {"migrations/logic/34_history.sql", file_logic_34_history_sql, sizeof file_logic_34_history_sql},
  {"migrations/logic/35_write.sql", file_logic_35_write_sql, sizeof file_logic_35_write_sql},
  {"migrations/logic/36_forget.sql", file_logic_36_forget_sql, sizeof file_logic_36_forget_sql},
  {"migrations/logic/37_export.sql", file_logic_37_export_sql, sizeof file_logic_37_export_sql},
  {"migrations/logic/40_recheck.sql", file_logic_40_recheck_sql, sizeof file_logic_40_recheck_sql},
  {"migrations/logic/45_catalogue.sql", file_logic_45_catalogue_sql, sizeof file_logic_45_catalogue_sql},
  {"migrations/logic/46_due_cells.sql", file_logic_46_due_cells_sql, sizeof file_logic_46_due_cells_sql},
  {"migrations/logic/47_rebuild.sql", file_logic_47_rebuild_sql, sizeof file_logic_47_rebuild_sql},
  {"migrations/logic/48_explain.sql", file_logic_48_explain_sql, sizeof file_logic_48_explain_sql},
  {"migrations/logic/49_people.sql", file_logic_49_people_sql, sizeof file_logic_49_people_sql},
  {"migrations/logic/50_averages.sql", file_logic_50_averages_sql, sizeof file_logic_50_averages_sql},
  {"migrations/logic/51_streaks.sql", file_logic_51_streaks_sql, sizeof file_logic_51_streaks_sql},
  {"migrations/logic/52_series.sql", file_logic_52_series_sql, sizeof file_logic_52_series_sql},
  {"migrations/logic/53_snapshot.sql", file_logic_53_snapshot_sql, sizeof file_logic_53_snapshot_sql},
  {"migrations/logic/54_history_readers.sql", file_logic_54_history_readers_sql, sizeof file_logic_54_history_readers_sql},
  {"migrations/logic/55_actions.sql", file_logic_55_actions_sql, sizeof file_logic_55_actions_sql},
  {"migrations/logic/56_feeds.sql", file_logic_56_feeds_sql, sizeof file_logic_56_feeds_sql},
  {"migrations/logic/57_context.sql", file_logic_57_context_sql, sizeof file_logic_57_context_sql},
  {"migrations/logic/58_reread.sql", file_logic_58_reread_sql, sizeof file_logic_58_reread_sql},
  {"migrations/logic/59_hours.sql", file_logic_59_hours_sql, sizeof file_logic_59_hours_sql},
  {"migrations/logic/59_workouts.sql", file_logic_59_workouts_sql, sizeof file_logic_59_workouts_sql},
  {"migrations/logic/60_monitoring.sql", file_logic_60_monitoring_sql, sizeof file_logic_60_monitoring_sql},
  {"migrations/logic/61_alerts.sql", file_logic_61_alerts_sql, sizeof file_logic_61_alerts_sql},
  {"migrations/logic/62_health.sql", file_logic_62_health_sql, sizeof file_logic_62_health_sql},
  {"migrations/logic/70_roles.sql", file_logic_70_roles_sql, sizeof file_logic_70_roles_sql},
  {"migrations/logic/71_readers.sql", file_logic_71_readers_sql, sizeof file_logic_71_readers_sql},
  {"migrations/logic/72_service.sql", file_logic_72_service_sql, sizeof file_logic_72_service_sql},
  {"catalogue/metrics.csv", file_catalogue_metrics_csv, sizeof file_catalogue_metrics_csv},
  {"catalogue/units.csv", file_catalogue_units_csv, sizeof file_catalogue_units_csv},
  {"catalogue/reasons.csv", file_catalogue_reasons_csv, sizeof file_catalogue_reasons_csv},
  {"catalogue/platforms.csv", file_catalogue_platforms_csv, sizeof file_catalogue_platforms_csv},
  {"catalogue/platform_errors.csv", file_catalogue_platform_errors_csv, sizeof file_catalogue_platform_errors_csv},
  {"catalogue/formats.csv", file_catalogue_formats_csv, sizeof file_catalogue_formats_csv},
};

const struct EmbeddedFile *embedded_file(size_t index) {
  return index < sizeof all / sizeof *all ? &all[index] : NULL;
}
