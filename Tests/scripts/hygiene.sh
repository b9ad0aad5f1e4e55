#!/usr/bin/env bash
# The house rules find what they are meant to find, and nothing in clean files.

source "$(dirname "${BASH_SOURCE[0]}")/support/tap.sh"
sample=$(mktemp -d)
trap 'rm -rf "$DAILYMETRICD_STATE" "$sample"' EXIT

# finds RULE FILE LINE...: a file of these lines breaks the rule, and only that file is named.
finds() {
  local rule=$1 file=$2
  shift 2
  rm -rf "${sample:?}"/*
  printf '%s\n' "$@" >"$sample/$file"
  local output
  output=$(scripts/hygiene.sh "$sample") && return 1
  printf '%s\n' "$output"
  [[ $output == "$file:"*"$rule"* ]]
}

accepts() {
  rm -rf "${sample:?}"/*
  printf '%s\n' "${@:2}" >"$sample/$1"
  scripts/hygiene.sh "$sample"
}

lines() { seq -f "${2:-// line} %g" "$1"; }
long_function() { printf '  func work() {\n%s\n  }\n' "$(seq -f '    step(%g)' 1 "$1")"; }

ok 'try? is found' finds 'try?' a.swift 'let a = try? b()'
ok 'try! is found' finds 'try!' a.swift 'let a = try! b()'
ok 'a forced unwrapping is found' finds 'unwrapping' a.swift 'let a = b!.c'
ok 'a forced unwrapping at the end of a line is found' finds 'unwrapping' a.swift 'let a = list[0]!'
ok 'a negation is none' accepts a.swift 'if !a, b != c { d() }'
ok 'an exclamation mark in a text is none' accepts a.swift 'print("hello!")'
ok 'an unfinished thought is found' finds 'unfinished' a.sql "-- TO""DO: later"
ok 'a path of one machine is found' finds 'one machine' a.sh "cd /""home/me/project"
ok 'a registry is found' finds 'registry' a.txt "https://""pypi.""org/simple"
ok 'a long Swift file is found' finds '300' a.swift "$(lines 301)"
ok 'a long Swift file that says why is accepted' accepts a.swift '// Longer than others: a table.' "$(lines 301)"
ok 'a long SQL file is found' finds '250' a.sql "$(lines 251 '-- line')"
ok 'a function of 41 lines is found' finds '40 lines' a.swift "$(long_function 39)"
ok 'a function of 40 lines is accepted' accepts a.swift "$(long_function 38)"
ok 'a value in a statement is found' finds 'no value is written into SQL' a.swift 'run("DELETE FROM x WHERE id = \(id)")'
ok 'a statement among other code is found' finds 'no value is written into SQL' a.swift 'let a = """' '  SELECT \(id)' '  """'
ok 'words that SQL has too are none' accepts a.swift 'print("\(count) of them, from the SET")'
ok 'a function among statements is found' finds 'a statement is a constant' Statements+A.swift 'static func a(_ id: Int) -> String { "x" }'
ok 'an expression in a statement is found' finds 'a statement is a constant' Statements.swift 'static let a = "SELECT \(b.c)"'
ok 'a constant in a statement is none' accepts Statements.swift 'static let a = "SELECT \(columns) FROM x"'
ok 'dynamic SQL by concatenation is found' finds 'format()' a.sql "EXECUTE 'DELETE FROM x WHERE id = ' || id;"
ok 'the project itself is clean' scripts/hygiene.sh
done_testing
