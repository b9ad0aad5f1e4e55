#!/usr/bin/env bash
# What README.md and docs/ list must be what the code has. Prints each difference (<: the document, >: the code), exits with 1.
# (The table of settings is compared by a Swift test, ReadmeTests.)
#   scripts/check-docs.sh              all checks
#   scripts/check-docs.sh example      print the README's example payload, for dailymetricd validate

source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
readonly readme=README.md

# rows HEADING-CELL FILE: the body of the first table whose head line begins with this cell; back-quotes and padding taken off.
rows() {
  awk -v head="| $1 |" '
    index($0, head) == 1 { inside = 1; next }
    inside && !/^\|/ { exit }
    inside && !/^\|[-| ]*$/ { gsub(/`/, ""); gsub(/ *\| */, "|"); print }' "$2"
}

exit_codes_of_code() { sed -nE 's/^ *case ([a-z]\w*) = ([0-9]+)$/|\2|/Ip' Sources/dailymetricd/ExitCode.swift; }
exit_codes_of_readme() { rows Code "$readme" | cut -d'|' -f1-2 | sed 's/$/|/'; }

refusals_of_code() { awk -F, 'NR > 1 { print $1 ":" $2 }' catalogue/codes.csv; }
refusals_of_docs() {
  rows 'Dead letter: nothing of the payload is used' docs/payload.md | cut -d'|' -f2 | sed 's/^/dead_letter:/'
  rows 'Quarantine: this entry is not used' docs/payload.md | cut -d'|' -f2 | sed 's/^/quarantine:/'
}

errors_of_code() { awk -F, 'NR > 1 { print "|" $1 "|" $2 "|" $3 "|" }' catalogue/platform_errors.csv; }
errors_of_docs() {
  awk '/^## Codes of failed reads/ { inside = 1 } inside' docs/payload.md >"$scratch"
  rows Code "$scratch" | awk -F'|' '{ print "|" $2 "|" $4 "|" $5 "|" }'
}

# Files that the documents name must exist: links to the project's own files, and back-quoted paths below its folders.
missing_files() {
  local document path
  for document in *.md docs/*.md; do
    while IFS= read -r path; do
      [[ -e $(dirname "$document")/$path || -e $path ]] || say "$document names $path, which is not there"
    done < <(
      perl -ne 'print "$1\n" while /\]\((?!https?:|#)([^)#]+)/g;
        print "$1\n" while /`((?:Sources|Tests|migrations|catalogue|schema|scripts|packaging|docs)\/[\w.\/+-]+)`/g' "$document"
    )
    # A file that is named without its folders must be somewhere.
    while IFS= read -r path; do
      find ./Sources ./Tests ./migrations ./packaging -path "*/$path" | grep -q . || say "$document names $path, which is nowhere"
    done < <(perl -ne 'print "$1\n" while /`((?:\w+\/)?[\w+]+\.(?:swift|sql))`/g' "$document")
  done
}

example() { awk '/^```json$/ { inside = 1; next } inside && /^```$/ { exit } inside' "$readme"; }

failed=0
# same WHAT: compares what WHAT_of_CODE and WHAT_of_DOCUMENT print, and that there is something.
same() {
  local document
  document=$("$1_of_$2")
  if [[ -z $document ]] || ! diff <(echo "$document") <("$1_of_code"); then
    say "$1: $2 and the code differ"
    failed=1
  fi
}

case ${1:-all} in
example) example ;;
all)
  scratch=$(mktemp)
  trap 'rm -f "$scratch"' EXIT
  same exit_codes readme
  same refusals docs
  same errors docs
  missing=$(missing_files)
  [[ -z $missing ]] || {
    say "$missing"
    failed=1
  }
  exit "$failed"
  ;;
*) fail "$EX_USAGE" "use example, or nothing" ;;
esac
