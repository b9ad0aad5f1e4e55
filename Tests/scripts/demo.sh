#!/usr/bin/env bash
# make run, with the debug build that is there anyway: twice, and with a number that somebody has altered.

source "$(dirname "${BASH_SOURCE[0]}")/support/tap.sh"
trap 'scripts/private-postgres.sh remove >/dev/null; rm -rf "$DAILYMETRICD_STATE"' EXIT
export DEMO_CONFIGURATION=debug

on_demo() { scripts/private-postgres.sh psql --no-psqlrc --set ON_ERROR_STOP=1 "$@"; }

compare_with_truth() { (
  truth=$PWD/scripts/truth.sql
  private=$PWD/scripts/private-postgres.sh
  cd "$DAILYMETRICD_STATE/demo" && "$private" psql --no-psqlrc --set ON_ERROR_STOP=1 --file "$truth"
); }

altered_number_is_found() {
  on_demo --command "UPDATE public.daily_metric SET value = value + 1
    WHERE (user_id, metric, local_date) = (
      SELECT user_id, metric, local_date FROM public.daily_metric WHERE is_final AND value > 0 LIMIT 1)" || return
  ! compare_with_truth
}

ok 'the demo runs, and finds no number wrong and none lost' scripts/demo.sh
ok 'it runs again, from the beginning' scripts/demo.sh
ok 'a number that somebody has altered is found' altered_number_is_found
done_testing
