#!/usr/bin/env bash
# House rules that no linter knows. Prints FILE:LINE: RULE for each breach, and exits with 1 if there is one.
#   scripts/hygiene.sh [DIRECTORY]      the project by default

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cd "${1:-$root}"

breaches=$(mktemp)
trap 'rm -f "$breaches"' EXIT

# project_files PATTERN...: our own files, whether or not this is a git checkout.
project_files() {
  local -a names=()
  local pattern
  for pattern in "$@"; do
    names+=(-o -name "$pattern")
  done
  find . \( -name .git -o -name '.build*' -o -name .venv -o -name .dailymetricd -o -name .swiftpm \) -prune \
    -o -type f \( "${names[@]:1}" \) -print0
}

# forbid RULE REGEX PATTERN...: no line of these files may match.
forbid() {
  local rule=$1 regex=$2
  shift 2
  project_files "$@" | xargs -0r grep -nEI -e "$regex" -- /dev/null |
    grep -v '/scripts/hygiene.sh:' |
    sed -E "s|^\./||; s|^([^:]*:[0-9]+):.*|\1: $rule|" >>"$breaches" || true
}

# limit LINES PATTERN: a longer file says why in its first 15 lines ("Longer than ...").
limit() {
  local most=$1 file lines
  while IFS= read -r -d '' file; do
    lines=$(wc -l <"$file")
    if ((lines > most)) && ! head -n 15 "$file" | grep -q 'Longer than'; then
      echo "${file#./}:$lines: a file has at most $most lines, or says why in its first 15 (Longer than ...)" >>"$breaches"
    fi
  done < <(project_files "$2")
}

limit 300 '*.swift'
limit 250 '*.sql'
project_files '*.swift' | xargs -0r awk -f "$root/scripts/long-functions.awk" >>"$breaches"
forbid 'an error is handled or thrown on, never dropped (try?)' '\btry\?' '*.swift'
forbid 'a fault ends in an error, not in a crash (try!, as!)' '\b(try|as)!' '*.swift'
forbid 'no forced unwrapping' '^[^/"]*[])A-Za-z0-9_]!([].,;:)} [?]|$)' '*.swift'
forbid 'unfinished work is an issue, not a comment' '\b(TODO|FIXME|XXX)\b' '*.swift' '*.sql' '*.sh' Makefile '*.md'
forbid 'no path of one machine' '(^|[^A-Za-z0-9_.-])/(root|home|Users|opt|work|srv)/[A-Za-z]' \
  '*.swift' '*.sql' '*.sh' '*.md' '*.yml' '*.json' Makefile Containerfile run
forbid 'no registry or mirror by name' '(pypi\.org|pythonhosted|ghcr\.io|docker\.io|quay\.io|registry\.|artifactory|index-url)' \
  '*.swift' '*.sh' '*.txt' '*.yml' Makefile Containerfile run
forbid 'no secret in a file' '(BEGIN [A-Z ]*PRIVATE KEY|PGPASSWORD=[^"$ ])' '*'

# Values reach SQL as parameters. All SQL stands in Statements*.swift, which holds constants and no function: there a name in \(...) is
# another constant. The room Postgres has statements of its own for a new connection; they are constants too.
forbid 'a statement is a constant: no function, and nothing but names of other constants in it' \
  '\bfunc\b|\\\([^)]*[^A-Za-z)]' 'Statements*.swift'
sql='(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|VALUES|FROM|WHERE|CREATE|ALTER|DROP|TRUNCATE|GRANT|REVOKE|COPY|CALL|SET)'
outside_statements() {
  find . \( -name .git -o -name '.build*' -o -name .venv -o -name Tests -o -name bench -o -name DemoData \) -prune \
    -o -type f -name '*.swift' ! -name 'Statements*.swift' -print0
}
outside_statements | xargs -0r grep -nE "\"[^\"]*\b$sql [^\"]*\\\\\(|^ *(SELECT|INSERT INTO|DELETE FROM) " -- /dev/null |
  sed -E 's|^\./||; s|^([^:]*:[0-9]+):.*|\1: no value is written into SQL; a statement is a constant in Statements*.swift|' >>"$breaches" || true
forbid 'dynamic SQL is put together by format(), with %I, %L and USING' "EXECUTE +'[^']*' *\|\|" '*.sql'

sort -u "$breaches"
[[ ! -s $breaches ]]
