#!/usr/bin/env bash
# Every linter, each with its own line. Exits with 1 if one of them finds something.
#   scripts/lint.sh           all
#   scripts/lint.sh NAME...   some of: swift sql shell hygiene secrets docs

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

lint_swift() { swift format lint --strict --parallel --recursive Sources Tests bench fuzz Package.swift; }

# .squawk.toml says which rules are off, and why.
lint_sql() {
  local -a files
  mapfile -t files < <(find migrations -name '*.sql' ! -name schema.snapshot.sql | sort)
  ((${#files[@]} == 0)) || .venv/bin/squawk "${files[@]}"
}

lint_shell() { shellcheck scripts/*.sh Tests/scripts/*.sh packaging/*.sh .ci/run; }

lint_hygiene() { scripts/hygiene.sh; }

lint_secrets() { scripts/secrets.sh; }

lint_docs() { scripts/check-docs.sh; }

(($#)) || set -- swift sql shell hygiene secrets docs
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0
for linter in "$@"; do
  if "lint_$linter" >"$log" 2>&1; then
    say "ok      lint $linter"
  else
    failed=1
    cat "$log"
    say "FAILED  lint $linter"
  fi
done
exit "$failed"
