#!/usr/bin/env bash
# Sends the payload on standard input through PostgREST:  postgrest.sh USER < payload.json
# BASE is the address of PostgREST, TOKEN a JWT whose role is dailymetric_producer.
# The function's answer is empty (204). The same payload again is harmless, so that every failure may be tried again.
set -euo pipefail

jq --compact-output --raw-input --slurp --arg user "$1" '{user_id: $user, payload: .}' |
  curl --fail-with-body --silent --show-error --retry 3 --retry-all-errors \
    --header "Authorization: Bearer ${TOKEN:?}" --header 'Content-Type: application/json' \
    --data-binary @- "${BASE:-http://127.0.0.1:3000}/rpc/enqueue_sync_payload"
