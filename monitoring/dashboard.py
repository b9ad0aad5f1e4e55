"""The Grafana dashboard, in code, so that every panel keeps the same promises.

A gap stays a gap: no line spans what was not measured, and a panel without data says "unknown" instead of 0 or nothing. A
single number is the latest one, or unknown; never the last that happened to be there.
"""

from grafana_foundation_sdk.builders import common as options
from grafana_foundation_sdk.builders import dashboard as boards
from grafana_foundation_sdk.builders import prometheus, stat, timeseries
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models import common
from grafana_foundation_sdk.models import dashboard as models

SOURCE = models.DataSourceRef(type_val="prometheus", uid="${source}")
JOB = 'instance=~"$instance"'
UNKNOWN = models.SpecialValueMap(
    models.DashboardSpecialValueMapOptions(
        match=models.SpecialValueMatch.NULL_AND_NAN, result=models.ValueMappingResult(text="unknown", color="text")
    )
)


def words(**texts):
    """Shows 0 and 1 as words, each with whether that is good or bad."""
    colours = {"good": "green", "bad": "red"}
    return models.ValueMap(
        {
            str(number): models.ValueMappingResult(text=text, color=colours[colour])
            for number, (text, colour) in enumerate(texts.values())
        }
    )


def query(expression, legend="", instant=False):
    built = prometheus.Dataquery().expr(expression).legend_format(legend or "__auto").datasource(SOURCE)
    return built.instant() if instant else built.range()


def number(title, expression, text, unit="short", mappings=(), legend="", limit=None):
    """The latest value; unknown where there is none."""
    steps = [models.Threshold(value=None, color="green")]
    if limit is not None:
        steps.append(models.Threshold(value=limit, color="red"))
    return (
        stat.Panel()
        .title(title)
        .description(text)
        .datasource(SOURCE)
        .unit(unit)
        .no_value("unknown")
        .mappings([UNKNOWN, *mappings])
        .thresholds(boards.ThresholdsConfig().mode(models.ThresholdsMode.ABSOLUTE).steps(steps))
        .reduce_options(options.ReduceDataOptions().calcs(["last"]))
        .graph_mode(common.BigValueGraphMode.NONE)
        .with_target(query(expression, legend, instant=True))
        .height(4)
        .span(4)
    )


def lines(title, text, unit, *targets, stacked=False):
    """Lines that end where nothing was measured."""
    panel = (
        timeseries.Panel()
        .title(title)
        .description(text)
        .datasource(SOURCE)
        .unit(unit)
        .min(0)
        .no_value("unknown")
        .mappings([UNKNOWN])
        .span_nulls(False)
        .show_points(common.VisibilityMode.AUTO)
        .line_interpolation(common.LineInterpolation.LINEAR)
        .height(8)
        .span(12)
    )
    if stacked:
        panel = panel.fill_opacity(30).stacking(options.StackingConfig().mode(common.StackingMode.NORMAL).group("A"))
    for expression, legend in targets:
        panel = panel.with_target(query(expression, legend))
    return panel


def quantiles(metric):
    rate = f"sum by (le) (rate({metric}_bucket{{{JOB}}}[$__rate_interval]))"
    return [(f"histogram_quantile({q}, {rate})", f"{name} %") for q, name in ((0.5, "50"), (0.95, "95"), (0.99, "99"))]


def rate(metric, by="", selector=JOB):
    grouped = f"sum by ({by}) " if by else "sum "
    return f"{grouped}(rate({metric}{{{selector}}}[$__rate_interval]))"


def now(board):
    """First row: is it all right?"""
    return (
        board.with_row(boards.Row("Now"))
        .with_panel(
            number(
                "Service", f"min(up{{job=\"dailymetricd\", {JOB}}})", "Whether each process answers.",
                mappings=[words(no=("down", "bad"), yes=("up", "good"))])
        )
        .with_panel(
            number(
                "Database", f"min(dailymetricd_ready{{{JOB}}})", "Whether each process is connected to a schema that fits.",
                mappings=[words(no=("not ready", "bad"), yes=("ready", "good"))])
        )
        .with_panel(
            number(
                "Intake", "max(dailymetric_queue_paused)", "Whether payloads are taken out of the queue.",
                mappings=[words(no=("works", "good"), yes=("paused", "bad"))])
        )
        .with_panel(
            number(
                "Oldest payload", "max(dailymetric_queue_oldest_age_seconds) or (max(dailymetric_queue_payloads) == 0)",
                "How long the oldest payload waits. 0 with an empty queue; unknown if nobody looks.", "s", limit=900)
        )
        .with_panel(
            number("Queue", "max(dailymetric_queue_payloads)", "Payloads that wait.")
        )
        .with_panel(
            number(
                "Coverage alerts", "count(dailymetric_coverage_alerts_days) or 0 * count(dailymetric_coverage_sums_age_seconds)",
                "Platforms' metrics whose coverage looks like trouble. 0 only while coverage is summed.", limit=1)
        )
    )


def work(board):
    return (
        board.with_row(boards.Row("Work"))
        .with_panel(
            lines(
                "Payloads", "What became of what was taken out of the queue, by the processes' own count.", "ops",
                (rate("dailymetricd_payloads_merged_total"), "merged"),
                (rate("dailymetricd_payloads_repeated_total"), "repeated"),
                (rate("dailymetricd_dead_letters_total"), "dead letters"))
        )
        .with_panel(
            lines(
                "Queue", "A gap: nobody looked.", "short",
                ("max(dailymetric_queue_payloads)", "waiting"), ("max(dailymetric_queue_suspects)", "suspects"))
        )
        .with_panel(
            lines(
                "Duration of batches", "From claim to commit. A gap: there was no batch.", "s",
                *quantiles("dailymetricd_batch_duration_seconds"))
        )
        .with_panel(
            lines(
                "Duration of claims", "Grows with dead rows that an old snapshot keeps. A gap: there was no batch.", "s",
                *quantiles("dailymetricd_claim_duration_seconds"))
        )
        .with_panel(
            lines(
                "Cells and re-checks", "Cells of daily_metric written by batches, and days derived because they were due.",
                "ops", (rate("dailymetricd_cells_written_total"), "cells"),
                (rate("dailymetricd_rechecks_total"), "re-checked days"))
        )
        .with_panel(
            lines(
                "Workers", "What the workers are about.", "short",
                (f"sum by (state) (dailymetricd_workers{{{JOB}}}) > 0", "{{state}}"), stacked=True)
        )
    )


def trouble(board):
    return (
        board.with_row(boards.Row("Trouble"))
        .with_panel(
            lines(
                "Dead letters that wait", "By code. No line: none of this code.", "short",
                ("max by (code) (dailymetric_dead_letters_payloads)", "{{code}}"), stacked=True)
        )
        .with_panel(
            lines(
                "Retries", "Steps that failed and were tried again, by reason.", "ops",
                (rate("dailymetricd_retries_total", "reason") + " > 0", "{{reason}}"))
        )
        .with_panel(
            lines(
                "Limit of batches", "Most payloads of a worker's next batch; halved by timeouts.", "short",
                (f"min by (instance) (dailymetricd_batch_limit_payloads{{{JOB}}})", "{{instance}}"))
        )
        .with_panel(
            lines(
                "Oldest snapshot", "Transaction numbers given since. A gap: nobody holds one, or nobody may see it.", "short",
                ("max by (kind) (dailymetric_snapshot_transactions)", "{{kind}}"))
        )
    )


def data(board):
    return (
        board.with_row(boards.Row("Data"))
        .with_panel(
            lines(
                "Last successful read", "How long ago, by platform. No line: never read.", "s",
                ("max by (platform) (dailymetric_freshness_last_success_age_seconds)", "{{platform}}"))
        )
        .with_panel(
            lines(
                "Re-checks overdue", "By platform.", "s",
                ("max by (platform) (dailymetric_freshness_overdue_seconds)", "{{platform}}"))
        )
        .with_panel(
            lines(
                "Yesterday: measured, measured zero, unknown",
                "Cells of yesterday as of the last sum, of platforms with enough people. Zeros are measured.", "short",
                ("sum(dailymetric_coverage_measured) - sum(dailymetric_coverage_zero)", "measured, not zero"),
                ("sum(dailymetric_coverage_zero)", "measured zero"),
                ("sum(dailymetric_coverage_users) - sum(dailymetric_coverage_measured)", "unknown"), stacked=True)
        )
        .with_panel(
            lines(
                "Yesterday: unknown by reason", "The reasons are not the same thing, and only some are trouble.", "short",
                ("sum by (reason) (dailymetric_coverage_unknown_cells)", "{{reason}}"), stacked=True)
        )
    )


def board():
    source = boards.DatasourceVariable("source").label("Prometheus").type("prometheus")
    instance = (
        boards.QueryVariable("instance")
        .label("Process")
        .datasource(SOURCE)
        .query("label_values(dailymetricd_build_info, instance)")
        .refresh(models.VariableRefresh.ON_TIME_RANGE_CHANGED)
        .multi(True)
        .include_all(True)
        .all_value(".*")
        .current(models.VariableOption(text="All", value="$__all", selected=True))
    )
    built = (
        boards.Dashboard("dailymetricd")
        .uid("dailymetricd")
        .description("Is data arriving, is it worked on, and how much of it is known? A gap is a gap: nothing is drawn through it.")
        .tags(["dailymetricd"])
        .time("now-6h", "now")
        .timezone("browser")
        .refresh("1m")
        .tooltip(models.DashboardCursorSync.CROSSHAIR)
        .with_variable(source)
        .with_variable(instance)
    )
    for part in (now, work, trouble, data):
        built = part(built)
    return built.build()


def text():
    """The dashboard as Grafana reads it."""
    return JSONEncoder(sort_keys=True, indent=2).encode(board()) + "\n"
